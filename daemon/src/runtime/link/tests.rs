//! What is promised of `link`, as tests.

use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream};

use super::*;

struct Agent {
    reads: tokio::io::Lines<BufReader<DuplexStream>>,
    writes: DuplexStream,
}

impl Agent {
    async fn writes(&mut self, bytes: &[u8]) {
        self.writes.write_all(bytes).await.unwrap();
    }

    async fn reads(&mut self) -> Value {
        serde_json::from_str(&self.reads.next_line().await.unwrap().unwrap()).unwrap()
    }
}

fn pair() -> (Link, mpsc::Receiver<Vec<FromAgent>>, Agent) {
    let (stdin, reads) = tokio::io::duplex(1 << 20);
    let (writes, stdout) = tokio::io::duplex(1 << 20);
    let (link, batches) = over(stdin, stdout, 1 << 16);
    link.set_session("s");
    (
        link,
        batches,
        Agent {
            reads: BufReader::new(reads).lines(),
            writes,
        },
    )
}

fn update(text: &str) -> String {
    json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}}}).to_string()
}

#[tokio::test]
async fn a_line_in_single_bytes_arrives_as_it_was_written() {
    let (_link, mut batches, mut agent) = pair();
    let line = update("漢字 한글 🎉 é");
    for byte in format!("{line}\n").bytes() {
        agent.writes(&[byte]).await;
        tokio::task::yield_now().await;
    }
    let batch = batches.recv().await.unwrap();
    assert!(
        matches!(&batch[..], [FromAgent::Update { line: got, metadata: false, .. }] if *got == line)
    );
}

#[tokio::test]
async fn what_is_no_message_is_skipped_and_what_is_not_ours_is_dropped() {
    let (_link, mut batches, mut agent) = pair();
    let foreign = update("x").replace("\"s\"", "\"other\"");
    let line = update("y");
    agent
        .writes(format!("Welcome back\n\n\"text\"\n42\n[]\n{foreign}\n{line}\r\n").as_bytes())
        .await;
    let batch = batches.recv().await.unwrap();
    assert!(matches!(&batch[..], [FromAgent::Update { line: got, .. }] if *got == line));
}

#[tokio::test]
async fn both_sides_may_use_the_same_number_and_the_last_update_comes_before_the_answer() {
    let (link, mut batches, mut agent) = pair();
    link.prompt(&json!({}));
    let prompt = agent.reads().await;
    let id = &prompt["id"];
    let ask = json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": {"sessionId": "s", "options": []}});
    let last = update("end");
    let done = json!({"jsonrpc": "2.0", "id": id, "result": {"stopReason": "end_turn"}});
    agent
        .writes(format!("{ask}\n{last}\n{done}").as_bytes())
        .await;
    drop(agent.writes);
    let mut all = Vec::new();
    while let Some(batch) = batches.recv().await {
        all.extend(batch);
    }
    assert!(
        matches!(
            &all[..],
            [
                FromAgent::Permission { .. },
                FromAgent::Update { .. },
                FromAgent::Prompted(Ok(_))
            ]
        ),
        "{all:?}"
    );
    link.reply("7", &Outcome::Cancelled);
    assert_eq!(
        agent.reads.next_line().await.unwrap().unwrap(),
        r#"{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"cancelled"}}}"#
    );
}

#[tokio::test]
async fn what_we_do_not_serve_is_refused_with_the_same_id() {
    let (_link, _batches, mut agent) = pair();
    for (id, method) in [
        (json!(0), "fs/read_text_file"),
        (json!("a"), "terminal/create"),
        (json!(7), "_vendor/x"),
    ] {
        let line = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {}});
        agent
            .writes(format!("{line}\n{{\"method\":\"_vendor/y\"}}\n").as_bytes())
            .await;
        let answer = agent.reads().await;
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&id, &json!(-32601))
        );
    }
}

#[tokio::test]
async fn a_request_for_another_session_is_cancelled_and_never_seen() {
    let (_link, mut batches, mut agent) = pair();
    let ask = json!({"jsonrpc": "2.0", "id": 3, "method": "session/request_permission", "params": {"sessionId": "t"}});
    agent
        .writes(format!("{ask}\n{}\n", update("after")).as_bytes())
        .await;
    assert_eq!(
        agent.reads().await["result"]["outcome"]["outcome"],
        "cancelled"
    );
    assert!(matches!(
        &batches.recv().await.unwrap()[..],
        [FromAgent::Update { .. }]
    ));
}

#[tokio::test]
async fn a_call_gets_its_own_answer_an_error_or_a_time_out() {
    let (link, _batches, mut agent) = pair();
    let nothing = json!({});
    let (result, ()) = tokio::join!(link.call("a", &nothing, Duration::from_secs(5)), async {
        let id = agent.reads().await["id"].clone();
        agent
            .writes(
                format!(
                    "{}\n{}\n",
                    json!({"id": 99, "result": 1}),
                    json!({"id": id, "result": {"x": 1}})
                )
                .as_bytes(),
            )
            .await;
    });
    assert_eq!(result.unwrap().get(), r#"{"x":1}"#);
    let late = link.call("b", &json!({}), Duration::from_millis(1)).await;
    assert!(matches!(late, Err(CallError::Late(_))));
    let (result, ()) = tokio::join!(link.call("c", &nothing, Duration::from_secs(5)), async {
        drop(agent);
    });
    assert!(matches!(result, Err(CallError::Gone)));
}

#[tokio::test]
async fn a_line_without_an_end_is_cut_off_at_the_cap() {
    let (writes, stdout) = tokio::io::duplex(1 << 12);
    let (stdin, _reads) = tokio::io::duplex(1 << 12);
    let (link, _batches, _stops, sender) = Link::connect(stdin);
    let reading = tokio::spawn(reader::read(
        stdout,
        1 << 16,
        Arc::downgrade(&link.0),
        sender,
    ));
    let mut writes = writes;
    let chunk = vec![b'x'; 1 << 12];
    while writes.write_all(&chunk).await.is_ok() {}
    assert!(reading.await.unwrap().unwrap().contains("65536 bytes"));
}

#[tokio::test]
async fn muted_updates_are_dropped() {
    let (link, mut batches, mut agent) = pair();
    link.mute(true);
    let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "x"});
    agent
        .writes(format!("{}\n{ask}\n", update("replayed")).as_bytes())
        .await;
    agent.reads().await;
    link.mute(false);
    agent
        .writes(format!("{}\n", update("fresh")).as_bytes())
        .await;
    let batch = batches.recv().await.unwrap();
    assert!(matches!(&batch[..], [FromAgent::Update { line, .. }] if line.contains("fresh")));
}

#[tokio::test]
async fn escapes_glued_in_front_of_a_message_are_no_part_of_it() {
    let (_link, mut batches, mut agent) = pair();
    let ask = json!({"jsonrpc": "2.0", "id": 3, "method": "session/request_permission", "params": {"sessionId": "s"}}).to_string();
    let update = update("x");
    agent
        .writes(format!("\u{1b}[1 q{ask}\n\u{1b}[0m{update}\n").as_bytes())
        .await;
    let batch = batches.recv().await.unwrap();
    let [
        FromAgent::Permission { line: asked, .. },
        FromAgent::Update { line: said, .. },
    ] = &batch[..]
    else {
        panic!("{batch:?}")
    };
    assert_eq!((asked, said), (&ask, &update));
}

#[tokio::test]
async fn a_request_whose_id_is_none_gets_an_answer() {
    let (_link, _batches, mut agent) = pair();
    for id in ["null", "[1]", "{\"a\":1}", "true"] {
        for method in ["session/request_permission", "fs/read_text_file"] {
            agent
                .writes(format!("{{\"id\":{id},\"method\":\"{method}\"}}\n").as_bytes())
                .await;
            let answer = agent.reads().await;
            assert_eq!(
                (&answer["id"], &answer["error"]["code"]),
                (&json!(null), &json!(-32600))
            );
        }
    }
}
