//! One HTTP call: method and path of a route, the key, a body in, a body out, a refusal as [`Error`].

use std::sync::{Arc, Once};
use std::time::Duration;

use bytes::Bytes;
use fountain_core::api::{self, Data, Method, Problem, Route};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use reqwest::{RequestBuilder, Response, StatusCode, redirect};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Error, Invalid, Settings, base};

const TIME_OUT: Duration = Duration::from_secs(60);
const CONNECT_TIME_OUT: Duration = Duration::from_secs(10);
const STREAM_IDLE: Duration = Duration::from_secs(30 * 60);
/// The pause after a stream's first failure; the nth takes n of it.
const STREAM_PAUSE: Duration = Duration::from_secs(1);
const PARENT: &str = "x-fountain-parent-conversation-id";

/// Connections to one instance, with the key in their default headers.
#[derive(Clone)]
pub(super) struct Http {
    inner: reqwest::Client,
    base: Arc<str>,
    stream_idle: Duration,
    stream_pause: Duration,
}

impl Http {
    pub(super) fn new(settings: Settings) -> Result<Self, Invalid> {
        let base = base::base_url(&settings.base_url)?;
        let mut headers = HeaderMap::new();
        if let Some(key) = &settings.key {
            let mut value = HeaderValue::try_from(format!("Bearer {}", base::key(key)?))
                .map_err(|_| Invalid::Key("cannot be in a header: paste it again".to_owned()))?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        if let Some(parent) = settings
            .parent
            .as_deref()
            .and_then(|id| HeaderValue::try_from(id.trim()).ok())
        {
            headers.insert(PARENT, parent);
        }
        install_crypto();
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("fountain/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers)
            .connect_timeout(CONNECT_TIME_OUT)
            .tcp_nodelay(true)
            // A key goes to the instance it was saved for and nowhere else.
            .redirect(redirect::Policy::none());
        if base.starts_with("http://") {
            // Reading the system's certificates takes longer than everything else here; nobody shows one.
            let none = rustls::ClientConfig::builder()
                .with_root_certificates(rustls::RootCertStore::empty())
                .with_no_client_auth();
            builder = builder.tls_backend_preconfigured(none);
        }
        if base::is_loopback(&base) {
            builder = builder.no_proxy();
        }
        let inner = builder.build().map_err(|error| Invalid::Url {
            url: base.clone(),
            why: innermost(&error),
        })?;
        Ok(Self {
            inner,
            base: base.into(),
            stream_idle: settings.stream_idle.unwrap_or(STREAM_IDLE),
            stream_pause: STREAM_PAUSE,
        })
    }

    pub(super) fn base(&self) -> &str {
        &self.base
    }

    pub(super) fn stream_idle(&self) -> Duration {
        self.stream_idle
    }

    pub(super) fn stream_pause(&self) -> Duration {
        self.stream_pause
    }

    #[cfg(test)]
    pub(super) fn set_stream_pause(&mut self, pause: Duration) {
        self.stream_pause = pause;
    }

    /// The body is the thing itself.
    pub(super) async fn flat<T: DeserializeOwned>(
        &self,
        route: &Route,
        at: &[&str],
        body: Option<&impl Serialize>,
    ) -> Result<T, Error> {
        let response = self.send(self.request(route, at, &[]), body).await?;
        self.read(response).await
    }

    /// The body is `{"data": thing}`.
    pub(super) async fn data<T: DeserializeOwned>(
        &self,
        route: &Route,
        at: &[&str],
        body: Option<&impl Serialize>,
    ) -> Result<T, Error> {
        self.flat::<Data<T>>(route, at, body)
            .await
            .map(|envelope| envelope.data)
    }

    /// The body is `{"data": [things]}`.
    pub(super) async fn list<T: DeserializeOwned>(
        &self,
        route: &Route,
        at: &[&str],
        query: &[(&str, Option<&str>)],
    ) -> Result<Vec<T>, Error> {
        self.page::<Data<Vec<T>>>(route, at, query)
            .await
            .map(|envelope| envelope.data)
    }

    /// The body is a page.
    pub(super) async fn page<T: DeserializeOwned>(
        &self,
        route: &Route,
        at: &[&str],
        query: &[(&str, Option<&str>)],
    ) -> Result<T, Error> {
        let response = self
            .send(self.request(route, at, query), None::<&()>)
            .await?;
        self.read(response).await
    }

    /// The body does not matter.
    pub(super) async fn done(
        &self,
        route: &Route,
        at: &[&str],
        body: Option<&impl Serialize>,
    ) -> Result<(), Error> {
        self.send(self.request(route, at, &[]), body)
            .await
            .map(drop)
    }

    /// The body is bytes of a media type.
    pub(super) async fn bytes(
        &self,
        route: &Route,
        at: &[&str],
        query: &[(&str, Option<&str>)],
    ) -> Result<(String, Bytes), Error> {
        let response = self
            .send(self.request(route, at, query), None::<&()>)
            .await?;
        let media = response
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|value| value.to_str().ok());
        let media = media.unwrap_or("application/octet-stream").to_owned();
        let bytes = response
            .bytes()
            .await
            .map_err(|error| self.failed(&error))?;
        Ok((media, bytes))
    }

    /// Opens a stream of events: no time-out of its own, the caller watches it.
    pub(super) async fn stream(&self, url: &str, after: i64) -> Result<Response, Error> {
        let request = self
            .inner
            .get(url)
            .header(ACCEPT, "text/event-stream")
            .header("last-event-id", after);
        let response = request.send().await.map_err(|error| self.failed(&error))?;
        self.checked(response).await
    }

    /// The whole address of a route.
    pub(super) fn url(&self, route: &Route, at: &[&str], query: &[(&str, Option<&str>)]) -> String {
        let mut url = format!("{}{}", self.base, route.at(at));
        let mut separator = '?';
        for (name, value) in query {
            if let Some(value) = value {
                url.push(separator);
                url.push_str(name);
                url.push('=');
                api::encode(value, &mut url);
                separator = '&';
            }
        }
        url
    }

    fn request(
        &self,
        route: &Route,
        at: &[&str],
        query: &[(&str, Option<&str>)],
    ) -> RequestBuilder {
        let method = match route.method {
            Method::Get => reqwest::Method::GET,
            Method::Post => reqwest::Method::POST,
            Method::Patch => reqwest::Method::PATCH,
            Method::Put => reqwest::Method::PUT,
            Method::Delete => reqwest::Method::DELETE,
        };
        self.inner
            .request(method, self.url(route, at, query))
            .timeout(TIME_OUT)
    }

    async fn send(
        &self,
        request: RequestBuilder,
        body: Option<&impl Serialize>,
    ) -> Result<Response, Error> {
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        let response = request.send().await.map_err(|error| self.failed(&error))?;
        self.checked(response).await
    }

    async fn checked(&self, response: Response) -> Result<Response, Error> {
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        if status.is_redirection() {
            let to = response
                .headers()
                .get(LOCATION)
                .and_then(|to| to.to_str().ok())
                .unwrap_or("another address");
            let base = &self.base;
            return Err(Error::Protocol(format!(
                "{base} sends the caller on to {to}: use that as the base URL"
            )));
        }
        let body = response.bytes().await.unwrap_or_default();
        let problem: Problem = serde_json::from_slice(&body).unwrap_or_default();
        if is_foreign(status, &problem) {
            return Err(Error::Foreign {
                base: self.base.to_string(),
                how: format!("it answered {status}"),
            });
        }
        if status == StatusCode::UNAUTHORIZED {
            let why = problem
                .more
                .get("reason")
                .and_then(|reason| reason.as_str())
                .map(str::to_owned);
            let why =
                why.or_else(|| (!problem.message.is_empty()).then(|| problem.message.clone()));
            let why = why.or_else(|| (!problem.error.is_empty()).then_some(problem.error));
            return Err(Error::Rejected {
                base: self.base.to_string(),
                why: why.unwrap_or_else(|| "401".to_owned()),
            });
        }
        Err(Error::Problem {
            status: status.as_u16(),
            problem: Box::new(problem),
        })
    }

    async fn read<T: DeserializeOwned>(&self, response: Response) -> Result<T, Error> {
        let body = response
            .bytes()
            .await
            .map_err(|error| self.failed(&error))?;
        serde_json::from_slice(&body).map_err(|error| {
            let base = &self.base;
            if !error.is_data() {
                return Error::Foreign {
                    base: base.to_string(),
                    how: "its answer is no JSON".to_owned(),
                };
            }
            Error::Protocol(format!(
                "{base} answered with something that is no Fountain answer: {error}"
            ))
        })
    }

    /// A failure below HTTP.
    pub(super) fn failed(&self, error: &reqwest::Error) -> Error {
        let cause = if error.is_timeout() && !error.is_connect() {
            "no answer in time".to_owned()
        } else {
            innermost(error)
        };
        Error::Unreachable {
            base: self.base.to_string(),
            cause,
        }
    }
}

/// Whether this refusal is none that an instance gives, nor something that stands before one while it is away.
fn is_foreign(status: StatusCode, problem: &Problem) -> bool {
    let says_nothing = problem.error.is_empty()
        && problem.message.is_empty()
        && !problem.more.contains_key("errors");
    let refuses = match status.as_u16() {
        401 | 408 | 429 => false,
        status => (400..500).contains(&status) || status == 501,
    };
    says_nothing && refuses
}

/// The last cause in the chain is the one that says something: `Connection refused`.
fn innermost(error: &reqwest::Error) -> String {
    let mut inner: &dyn std::error::Error = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}

fn install_crypto() {
    static ONCE: Once = Once::new();
    // It fails only where the process has one already, which is as good.
    ONCE.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
}
