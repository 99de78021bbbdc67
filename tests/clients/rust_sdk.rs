//! The protocol's Rust SDK as the editor. Its types are the strict ones: what they cannot read is lost to the editor,
//! so every update that was written has to arrive here.

use std::sync::{Arc, Mutex};

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    CancelNotification, CloseSessionRequest, ContentBlock, InitializeRequest, ListSessionsRequest,
    LoadSessionRequest, NewSessionRequest, PermissionOptionKind, PromptRequest,
    RequestPermissionOutcome, RequestPermissionRequest, RequestPermissionResponse,
    ResumeSessionRequest, SelectedPermissionOutcome, SessionId, SessionNotification, SessionUpdate,
    StopReason,
};
use agent_client_protocol::{AcpAgent, AcpAgentConfig, Agent, Client, Error};
use tokio::sync::watch;

use super::Recorder;
use crate::kit::Home;

/// The editor's side of a connection: what came, and what the person says to a question.
#[derive(Clone)]
struct Person {
    updates: watch::Sender<Vec<SessionUpdate>>,
    asked: Arc<Mutex<Vec<RequestPermissionRequest>>>,
    /// The kind of an option; nothing closes the question.
    says: Arc<Mutex<Option<PermissionOptionKind>>>,
}

impl Person {
    fn new() -> Self {
        Self {
            updates: watch::Sender::default(),
            asked: Arc::default(),
            says: Arc::default(),
        }
    }

    fn says(&self, kind: Option<PermissionOptionKind>) {
        *self.says.lock().unwrap() = kind;
    }

    fn answer(&self, ask: RequestPermissionRequest) -> RequestPermissionResponse {
        let outcome = match *self.says.lock().unwrap() {
            None => RequestPermissionOutcome::Cancelled,
            Some(kind) => {
                let option = ask.options.iter().find(|option| option.kind == kind);
                let id = option.expect("it is offered").option_id.clone();
                RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(id))
            }
        };
        self.asked.lock().unwrap().push(ask);
        RequestPermissionResponse::new(outcome)
    }

    fn said(&self) -> String {
        said(&self.updates.borrow())
    }

    async fn hears(&self, words: &str) {
        let mut updates = self.updates.subscribe();
        let heard = updates.wait_for(|updates| said(updates).contains(words));
        heard.await.expect("the connection lives");
    }
}

fn said(updates: &[SessionUpdate]) -> String {
    let chunks = updates.iter().filter_map(|update| match update {
        SessionUpdate::AgentMessageChunk(chunk) => text(&chunk.content),
        _ => None,
    });
    chunks.collect()
}

fn text(content: &ContentBlock) -> Option<&str> {
    match content {
        ContentBlock::Text(text) => Some(&text.text),
        _ => None,
    }
}

/// One process of the program, and the SDK's connection to it for as long as the scene takes.
fn connected<T>(
    home: &Home,
    recorder: &Recorder<'_>,
    person: &Person,
    scene: impl AsyncFnOnce(ConnectionTo<Agent>) -> Result<T, Error>,
) -> T {
    // The SDK hands on the environment of the test, which is none of this HOME.
    let mut words = vec!["-i".to_owned()];
    let word = |text: std::ffi::OsString| text.into_string().unwrap();
    words.extend(
        home.environment()
            .map(|(name, value)| format!("{}={}", word(name), word(value))),
    );
    words.extend(recorder.command().map(|path| word(path.into())));
    words.extend(["acp", "--agent", "demo"].map(str::to_owned));
    let program = AcpAgent::new(AcpAgentConfig::new("env").args(words));

    let (hearing, asked) = (person.clone(), person.clone());
    let client = Client
        .v1()
        .name("fountain-test")
        .on_receive_notification(
            async move |message: SessionNotification, _| {
                hearing
                    .updates
                    .send_modify(|updates| updates.push(message.update));
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .on_receive_request(
            async move |ask: RequestPermissionRequest, responder, _| {
                responder.respond(asked.answer(ask))
            },
            agent_client_protocol::on_receive_request!(),
        );
    let whole = client.connect_with(program, async |connection: ConnectionTo<Agent>| {
        let hello = InitializeRequest::new(ProtocolVersion::V1);
        let hello = connection.send_request(hello).block_task().await?;
        assert_eq!(hello.protocol_version, ProtocolVersion::V1);
        assert!(hello.agent_capabilities.load_session);
        assert_eq!(hello.agent_info.unwrap().name, "fountain");
        scene(connection).await
    });
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let done = runtime.unwrap().block_on(whole);
    done.unwrap_or_else(|error| panic!("{error:?}"))
}

async fn opened(connection: &ConnectionTo<Agent>) -> Result<SessionId, Error> {
    let new = connection.send_request(NewSessionRequest::new("/"));
    Ok(new.block_task().await?.session_id)
}

fn prompt(session: &SessionId, text: &str) -> PromptRequest {
    PromptRequest::new(session.clone(), vec![text.into()])
}

async fn prompted(
    connection: &ConnectionTo<Agent>,
    session: &SessionId,
    text: &str,
) -> Result<StopReason, Error> {
    let answer = connection.send_request(prompt(session, text)).block_task();
    Ok(answer.await?.stop_reason)
}

#[test]
fn the_rust_sdk() {
    let home = Home::new();
    let _daemon = home.daemon();
    let recorder = Recorder::new(&home);
    let first = Person::new();
    let session = connected(&home, &recorder, &first, async |connection| {
        let session = opened(&connection).await?;
        let text = "say hello, 你好 🌍\nthink it over\nplan a; b\ntalk 20\ntitle A fine title";
        assert_eq!(
            prompted(&connection, &session, text).await?,
            StopReason::EndTurn
        );
        assert!(first.said().contains("hello, 你好 🌍"), "{}", first.said());

        // Allowed, refused, closed without a choice.
        let kinds = [
            Some(PermissionOptionKind::AllowOnce),
            Some(PermissionOptionKind::RejectOnce),
            None,
        ];
        for (says, name) in kinds.into_iter().zip(["allowed", "refused", "dismissed"]) {
            first.says(says);
            let text = format!("run touch {name}");
            let end = prompted(&connection, &session, &text).await?;
            assert_eq!(end, StopReason::EndTurn);
            let there = home.workspace().join(name).exists();
            assert_eq!(there, name == "allowed", "{name}");
        }
        assert_eq!(first.asked.lock().unwrap().len(), 3);

        // A cancel by its own method, and one of the request itself.
        let running = connection.send_request(prompt(&session, "slow 600"));
        first.hears("tick 2 ").await;
        connection.send_notification(CancelNotification::new(session.clone()))?;
        let end = running.block_task().await?;
        assert_eq!(end.stop_reason, StopReason::Cancelled);
        let running = connection.send_request(prompt(&session, "say begun\nslow 600"));
        first.hears("begun").await;
        running.cancel()?;
        let end = running.block_task().await?;
        assert_eq!(end.stop_reason, StopReason::Cancelled);

        // What ends in an error is one, and the session goes on.
        let failed = prompted(&connection, &session, "fail no paper").await;
        let failed = failed.unwrap_err();
        assert!(failed.message.contains("no paper"), "{failed:?}");
        let end = prompted(&connection, &session, "remember blue").await?;
        assert_eq!(end, StopReason::EndTurn);
        Ok(session)
    });

    let second = Person::new();
    connected(&home, &recorder, &second, async |connection| {
        let list = connection.send_request(ListSessionsRequest::new());
        let list = list.block_task().await?.sessions;
        assert_eq!(list.len(), 1);
        assert_eq!(list[0].session_id, session);
        assert_eq!(list[0].title.as_deref(), Some("A fine title"));

        let load = LoadSessionRequest::new(session.clone(), "/");
        connection.send_request(load).block_task().await?;
        let replayed = second.updates.borrow().clone();
        let own = |update: &SessionUpdate| matches!(update, SessionUpdate::UserMessageChunk(_));
        assert_eq!(replayed.iter().filter(|update| own(update)).count(), 8);
        let theirs: Vec<&SessionUpdate> = replayed.iter().filter(|update| !own(update)).collect();
        let live = first.updates.borrow();
        assert!(theirs.into_iter().eq(live.iter()), "{replayed:#?}");
        assert!(second.asked.lock().unwrap().is_empty());

        let end = prompted(&connection, &session, "recall").await?;
        assert_eq!(end, StopReason::EndTurn);
        assert!(second.said().ends_with("blue"), "{}", second.said());

        // Closed and resumed: nothing is told again.
        let close = CloseSessionRequest::new(session.clone());
        connection.send_request(close).block_task().await?;
        let before = second.updates.borrow().len();
        let resume = ResumeSessionRequest::new(session.clone(), "/");
        connection.send_request(resume).block_task().await?;
        assert_eq!(second.updates.borrow().len(), before);
        let end = prompted(&connection, &session, "say resumed").await?;
        assert_eq!(end, StopReason::EndTurn);
        assert!(second.said().ends_with("resumed"), "{}", second.said());

        let nobody = LoadSessionRequest::new("00000000-0000-7000-8000-000000000000", "/");
        assert!(connection.send_request(nobody).block_task().await.is_err());
        Ok(())
    });

    // Nothing that was written was lost on the SDK's types.
    let arrived = first.updates.borrow().len() + second.updates.borrow().len();
    assert_eq!(recorder.written("session/update"), arrived);
    let _ = recorder.judged("the Rust SDK");
}
