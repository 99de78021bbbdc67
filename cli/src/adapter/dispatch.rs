//! One line of the editor to whoever serves it. Nothing here waits, so a cancel is heard while a prompt runs.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use fountain_core::acp::method;
use fountain_core::rpc::{self, Error, Malformed, Message, Object, code};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::sessions::{Count, lock};
use super::{Adapter, handshake, list, load, permission, prompt, session};

const LIST: &str = "session/list";
const CLOSE: &str = "session/close";

/// Takes one line.
pub(super) fn line(adapter: &Arc<Adapter>, line: &str) {
    match rpc::parse(line) {
        Ok(Message::Request { id, method, params }) => request(adapter, id, &method, params),
        Ok(Message::Notification { method, params }) => notification(adapter, &method, params),
        Ok(Message::Response { id, result }) => {
            permission::answered(adapter, id.get().parse().ok(), result.map(RawValue::get));
        }
        Err(_) if line.trim().is_empty() => {}
        Err(Malformed::NotJson) => {
            adapter.refuse(None, &Error::new(code::PARSE, "the line is no JSON"));
        }
        Err(Malformed::NotRpc) => {
            let sentence = if line.trim_start().starts_with('[') {
                "JSON-RPC batches are not supported: send one message a line"
            } else {
                "the line is no JSON-RPC request, notification or response"
            };
            adapter.refuse(
                own_id(line).as_deref(),
                &Error::new(code::INVALID_REQUEST, sentence),
            );
        }
    }
}

/// The id of something that is no message, where it has a usable one.
fn own_id(line: &str) -> Option<Box<RawValue>> {
    let object = Object::parse(line)?;
    let id = object.get("id")?;
    let usable = id.starts_with('"') || id.parse::<f64>().is_ok();
    usable
        .then(|| RawValue::from_string(id.to_owned()).ok())
        .flatten()
}

fn request(adapter: &Arc<Adapter>, id: &RawValue, method: &str, params: Option<&RawValue>) {
    let params = params.map_or("{}", RawValue::get);
    if method == method::INITIALIZE {
        let answer = handshake::initialize(adapter, params);
        if answer.is_ok() {
            adapter.initialized.store(true, Ordering::Relaxed);
        }
        return adapter.respond(id, answer);
    }
    let served = [
        method::AUTHENTICATE,
        method::NEW,
        method::LOAD,
        method::RESUME,
        method::PROMPT,
        method::CANCEL,
        method::SET_CONFIG_OPTION,
        LIST,
        CLOSE,
    ];
    if !served.contains(&method) {
        let sentence = format!("the method {method:?} is not served");
        return adapter.respond(id, Err(Error::new(code::METHOD_NOT_FOUND, sentence)));
    }
    if !adapter.initialized.load(Ordering::Relaxed) {
        return adapter.respond(id, Err(handshake::too_early(method)));
    }
    let own = (Arc::clone(adapter), id.to_owned(), params.to_owned());
    match method {
        method::NEW => spawn(adapter, session::new(own.0, own.1, own.2)),
        method::LOAD => spawn(adapter, load::load(own.0, own.1, own.2)),
        method::RESUME => spawn(adapter, load::resume(own.0, own.1, own.2)),
        method::PROMPT => prompt::begin(adapter, own.1, own.2),
        method::SET_CONFIG_OPTION => {
            adapter.respond(id, session::set_config_option(adapter, params));
        }
        method::CANCEL => {
            cancel(adapter, params);
            adapter.respond(id, Ok(json!({})));
        }
        _ => spawn(adapter, answer(own.0, own.1, method.to_owned(), own.2)),
    }
}

/// The methods that only have an answer.
async fn answer(adapter: Arc<Adapter>, id: Box<RawValue>, method: String, params: String) {
    let answer = match method.as_str() {
        method::AUTHENTICATE => handshake::authenticate(&adapter, &params).await,
        LIST => list::list(Arc::clone(&adapter), params).await,
        _ => session::close(Arc::clone(&adapter), params).await,
    };
    adapter.respond(&id, answer);
}

fn spawn(adapter: &Adapter, work: impl Future<Output = ()> + Send + 'static) {
    let count = Count::of(&adapter.busy);
    tokio::spawn(async move {
        work.await;
        drop(count);
    });
}

fn notification(adapter: &Arc<Adapter>, method: &str, params: Option<&RawValue>) {
    let params = params.map_or("{}", RawValue::get);
    match method {
        method::CANCEL => cancel(adapter, params),
        method::CANCEL_REQUEST => cancel_request(adapter, params),
        other => adapter.log.debug(format!(
            "the notification {other:?} is not known and was ignored"
        )),
    }
}

fn cancel(adapter: &Arc<Adapter>, params: &str) {
    match adapter.session_of(params) {
        Ok(session) => prompt::cancel(adapter, &session),
        Err(error) => adapter
            .log
            .info(format!("nothing was cancelled: {}", error.message)),
    }
}

/// On a prompt that runs it is a cancel; everything else is over before it could be cancelled.
fn cancel_request(adapter: &Arc<Adapter>, params: &str) {
    #[derive(Default, Deserialize)]
    struct Params {
        #[serde(default, rename = "requestId")]
        request: Value,
        #[serde(default)]
        id: Value,
    }
    let params: Params = serde_json::from_str(params).unwrap_or_default();
    let id = if params.request.is_null() {
        params.id
    } else {
        params.request
    };
    let session = lock(&adapter.prompts).get(&id.to_string()).cloned();
    match session {
        Some(session) => prompt::cancel(adapter, &session),
        None => adapter
            .log
            .debug("a request that does not run was to be cancelled"),
    }
}
