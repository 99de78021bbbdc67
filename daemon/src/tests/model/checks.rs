//! What must hold of a conversation that is over, whatever happened to it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::programs::FIRST;
use super::{Did, Play, Tally, Told};
use crate::tests::kit::http::Reply;

const TURNS: &str =
    "SELECT json_object('id', t.id, 'number', t.number, 'status', t.status, 'prompt', t.prompt, 'reason', t.reason)
    FROM turns t JOIN conversations c ON c.key = t.conversation WHERE c.id = ?1 ORDER BY t.number";
const REQUESTS: &str = "SELECT json_object('id', r.id, 'rpc', r.rpc_id, 'turn', r.turn, 'asked_at', r.asked_at,
    'deadline', r.deadline, 'detached', r.detached, 'outcome', r.outcome, 'option_id', r.option_id,
    'answered_by', r.answered_by, 'at', r.resolved_at)
    FROM requests r JOIN conversations c ON c.key = r.conversation WHERE c.id = ?1 ORDER BY r.asked_at";
const DECISIONS: &str =
    "SELECT json_object('request', d.request, 'verdict', d.verdict, 'source', d.source,
    'option_id', d.option_id, 'kind', d.kind, 'turn', d.turn, 'latency', d.latency_ms)
    FROM decisions d JOIN conversations c ON c.key = d.conversation WHERE c.id = ?1";
const EVENTS: &str = "SELECT json_object('id', e.id, 'tag', e.tag, 'turn', e.turn, 'body', json(e.body))
    FROM events e JOIN conversations c ON c.key = e.conversation WHERE c.id = ?1 AND e.tag LIKE '%/%' ORDER BY e.id";
const AUDIT: &str = "SELECT json_quote(json_extract(metadata, '$.verdict')) FROM audit
    WHERE resource_id = ?1 AND action = 'conversation.permission_denied'";

/// What is left of a conversation.
struct Left {
    turns: Vec<Value>,
    requests: Vec<Value>,
    decisions: Vec<Value>,
    events: Vec<Value>,
    audit: Vec<Value>,
}

fn text<'a>(row: &'a Value, name: &str) -> &'a str {
    row[name]
        .as_str()
        .unwrap_or_else(|| panic!("{name}: {row}"))
}

fn number(row: &Value, name: &str) -> i64 {
    row[name]
        .as_i64()
        .unwrap_or_else(|| panic!("{name}: {row}"))
}

impl Left {
    /// The places in the log of the events with this tag and this member.
    fn places(&self, tags: &[&str], member: &str, value: &Value) -> Vec<(usize, &Value)> {
        let found = self.events.iter().enumerate();
        found
            .filter(|(_, event)| tags.contains(&text(event, "tag")))
            .filter(|(_, event)| event["body"][member] == *value)
            .collect()
    }

    fn turns_ended_once(&self) {
        for (at, turn) in self.turns.iter().enumerate() {
            assert_eq!(number(turn, "number"), at as i64 + 1, "a gap: {turn}");
            let over = ["completed", "failed", "interrupted"].contains(&text(turn, "status"));
            assert!(over, "not over: {turn}");
            let began = self.places(&["turn/started"], "turn_id", &turn["id"]);
            let tags = ["turn/done", "turn/failed", "turn/interrupted"];
            let ended = self.places(&tags, "turn_id", &turn["id"]);
            assert!(began.len() <= 1 && ended.len() == 1, "{turn}: {ended:?}");
            assert!(began.iter().all(|began| began.0 < ended[0].0), "{turn}");
        }
    }

    fn requests_settled_once(&self) {
        for request in &self.requests {
            let began = self.places(&["request/started"], "request_id", &request["id"]);
            let ended = self.places(&["request/done"], "request_id", &request["id"]);
            assert_eq!((began.len(), ended.len()), (1, 1), "{request}");
            assert!(began[0].0 < ended[0].0, "{request}");
            for member in ["outcome", "option_id", "answered_by"] {
                assert_eq!(ended[0].1["body"][member], request[member], "{request}");
            }
            let in_time = number(request, "at") < number(request, "deadline");
            match text(request, "outcome") {
                "answered" => assert!(in_time, "{request}"),
                "timeout" => {
                    assert!(!in_time, "{request}");
                    assert_eq!(request["option_id"], "no", "{request}");
                }
                _ => assert_eq!(request["option_id"], Value::Null, "{request}"),
            }
            if request["detached"] == 0 {
                let tags = ["turn/done", "turn/failed", "turn/interrupted"];
                let over = self.places(&tags, "turn_id", &request["turn"]);
                assert!(ended[0].0 < over[0].0, "settled after its turn: {request}");
            }
        }
        let begun = self
            .events
            .iter()
            .filter(|event| event["tag"] == "request/started");
        assert_eq!(begun.count(), self.requests.len());
    }

    /// One decision a request, and one row in the trail for each refusal.
    fn the_trail_is_whole(&self) {
        let mut refusals = Vec::new();
        let mut asked = BTreeMap::new();
        for decision in &self.decisions {
            assert!(number(decision, "latency") >= 0, "{decision}");
            match (text(decision, "verdict"), &decision["kind"]) {
                ("ask", _) => _ = asked.insert(text(decision, "request"), decision),
                ("auto_allow", kind) => assert_eq!(kind, "read"),
                ("auto_deny", kind) => {
                    // A daemon that dies reads no policy, and what cannot be read permits nothing.
                    let dies = |turn: &Value| {
                        turn["reason"] == "daemon_restarted" && turn["id"] == decision["turn"]
                    };
                    assert!(
                        kind == "delete" || self.turns.iter().any(dies),
                        "{decision}"
                    );
                    assert_eq!(decision["option_id"], "no");
                    refusals.push("auto_deny");
                    let denied = self.places(&["policy/done"], "request_id", &decision["request"]);
                    assert_eq!(denied.len(), 1, "{decision}");
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(asked.len(), self.requests.len());
        for request in &self.requests {
            let decision = asked[text(request, "id")];
            let (outcome, by) = (text(request, "outcome"), text(request, "answered_by"));
            assert_eq!(text(decision, "source"), format!("{outcome} by {by}"));
            assert_eq!(decision["option_id"], request["option_id"]);
            match outcome {
                "answered" if request["option_id"] != "yes" => refusals.push("person"),
                "answered" | "cancelled" => {}
                refused => refusals.push(refused),
            }
        }
        let mut told: Vec<&str> = self
            .audit
            .iter()
            .map(|verdict| verdict.as_str().unwrap())
            .collect();
        told.sort_unstable();
        refusals.sort_unstable();
        assert_eq!(told, refusals, "one row for each refusal");
    }

    /// What outlived its turn was told to the agent in a turn of its own, once, unless the conversation ended first.
    fn each_end_was_resumed_once(&self) {
        let prompts = self.turns.iter().map(|turn| text(turn, "prompt"));
        let mut resumed: Vec<String> = prompts
            .filter(|prompt| prompt.starts_with('{'))
            .map(|prompt| {
                let told: Value = serde_json::from_str(prompt).unwrap();
                text(&told["fountain/permission_answer"], "request_id").to_owned()
            })
            .collect();
        let last = self
            .events
            .iter()
            .rposition(|event| text(event, "tag") == "terminate/done");
        let ended = self.requests.iter().filter(|request| {
            let place = self.places(&["request/done"], "request_id", &request["id"])[0].0;
            let next = self.events[place..]
                .iter()
                .position(|event| text(event, "tag") != "request/done");
            let with_the_conversation = next.map(|next| place + next) == last;
            request["detached"] == 1 && !with_the_conversation && request["outcome"] != "turn_ended"
        });
        let mut expect: Vec<String> = ended
            .map(|request| text(request, "id").to_owned())
            .collect();
        resumed.sort_unstable();
        expect.sort_unstable();
        assert_eq!(resumed, expect);
    }
}

impl Play {
    pub(super) async fn check(&self, talk: usize, tally: &mut Tally) {
        let (daemon, id) = (self.daemon(), &self.talks[talk].id);
        let shown = self.chat(talk).show().await;
        assert_eq!(
            (&shown["status"], &shown["pending_requests"]),
            (&json!("terminated"), &json!([]))
        );
        let left = Left {
            turns: daemon.rows(TURNS, id).await,
            requests: daemon.rows(REQUESTS, id).await,
            decisions: daemon.rows(DECISIONS, id).await,
            events: daemon.rows(EVENTS, id).await,
            audit: daemon.rows(AUDIT, id).await,
        };
        left.turns_ended_once();
        left.requests_settled_once();
        left.the_trail_is_whole();
        left.each_end_was_resumed_once();
        let told: Vec<&Told> = self.told.iter().filter(|told| told.talk == talk).collect();
        for told in &told {
            if let Some(reply) = &told.reply {
                let fine = reply.status < 500 || reply.status == 503;
                let body = String::from_utf8_lossy(&reply.body);
                assert!(fine && reply.status != 404, "{}: {body}", reply.status);
            }
        }
        for request in &left.requests {
            one_answer_won(request, &told);
        }
        self.prompts_ran_once(talk, &left, &told);
        self.the_agent_heard_each_answer_once(talk, &left);
        let turns = left
            .turns
            .iter()
            .map(|turn| text(turn, "status").to_owned());
        let requests = left.requests.iter().map(|request| {
            let place = if request["detached"] == 1 {
                "detached"
            } else {
                "held"
            };
            format!("{place} {}", text(request, "outcome"))
        });
        let replies = told.iter().map(|told| {
            let what = match told.did {
                Did::Prompt(_) => "prompt",
                Did::Answer { .. } => "answer",
                Did::Other => "other",
            };
            let status = told.reply.as_ref().map_or(0, |reply| reply.status);
            format!("{what} {status}")
        });
        for what in turns.chain(requests).chain(replies) {
            *tally.entry(what).or_default() += 1;
        }
    }

    fn prompts_ran_once(&self, talk: usize, left: &Left, told: &[&Told]) {
        let heard = self.chat(talk).heard();
        let mut theirs = BTreeSet::new();
        for told in told {
            let Did::Prompt(prompt) = &told.did else {
                continue;
            };
            let marker = prompt.as_str().unwrap().lines().next().unwrap();
            let marker = marker.strip_prefix("chunk ").unwrap();
            let ran = left
                .turns
                .iter()
                .filter(|turn| turn["prompt"] == *prompt)
                .count();
            match &told.reply {
                Some(reply) if reply.status == 200 => assert_eq!(ran, 1, "{marker}"),
                Some(_) => assert_eq!(ran, 0, "refused and run: {marker}"),
                None => assert!(ran <= 1, "{marker}"),
            }
            let given = heard
                .iter()
                .filter(|line| line.contains("session/prompt") && line.contains(marker));
            assert!(given.count() <= ran, "given twice: {marker}");
            theirs.insert(prompt.as_str().unwrap());
        }
        for turn in &left.turns {
            let prompt = text(turn, "prompt");
            let known = prompt.starts_with(['{', '(']) || theirs.contains(prompt);
            assert!(known, "nobody wrote it: {turn}");
        }
    }

    fn the_agent_heard_each_answer_once(&self, talk: usize, left: &Left) {
        let mut heard = BTreeMap::<usize, Vec<Value>>::new();
        for line in self.chat(talk).heard() {
            let Ok(message) = serde_json::from_str::<Value>(&line) else {
                continue;
            };
            let outcome = &message["result"]["outcome"];
            if let (Some(id), Some(_)) = (message["id"].as_u64(), outcome.as_object()) {
                heard
                    .entry(id as usize)
                    .or_default()
                    .push(outcome["optionId"].clone());
            }
        }
        for (id, answers) in heard {
            let (kind, times) = self.asks[id - FIRST];
            let rpc = id.to_string();
            let waited: Vec<&Value> = left
                .requests
                .iter()
                .filter(|row| row["rpc"] == *rpc)
                .collect();
            let detached = waited.iter().filter(|request| request["detached"] == 1);
            let most = times - detached.count();
            assert!(answers.len() <= most, "{id}: {answers:?} of {waited:?}");
            let by_policy = left.decisions.iter().filter(|decision| {
                decision["verdict"] != "ask"
                    && text(decision, "request").starts_with(&format!("{rpc}."))
            });
            let decided: Vec<&Value> = by_policy.chain(waited.iter().copied()).collect();
            for option in ["yes", "no"] {
                let count = answers.iter().filter(|answer| **answer == option).count();
                let known = decided
                    .iter()
                    .filter(|row| row["option_id"] == option)
                    .count();
                assert!(
                    count <= known,
                    "{id}, {kind}, {option}: {answers:?} of {decided:?}"
                );
            }
        }
    }
}

/// Of all answers to a request at most one was taken, and whoever lost was told the same.
fn one_answer_won(request: &Value, told: &[&Told]) {
    let answers = told.iter().filter_map(|told| match &told.did {
        Did::Answer {
            request: id,
            pick,
            key,
        } if request["id"] == **id => Some((*pick, key, &told.reply)),
        _ => None,
    });
    let mut won = 0;
    let mut may_have_won = false;
    for (pick, key, reply) in answers {
        let is_it = request["outcome"] == "answered"
            && request["option_id"] == pick.unwrap_or("no")
            && is_by(request, key);
        match reply {
            None => may_have_won |= is_it,
            Some(reply) if reply.status == 200 => {
                assert!(is_it, "told 200 for {pick:?}, and {request}");
                won += 1;
            }
            Some(reply) => lost(request, pick, reply),
        }
    }
    assert!(won <= 1, "two won: {request}");
    if request["outcome"] == "answered" {
        assert!(won == 1 || may_have_won, "nobody answered: {request}");
    }
}

fn is_by(request: &Value, key: &str) -> bool {
    let by = text(request, "answered_by");
    let prefix = by
        .split_once('(')
        .map(|(_, prefix)| prefix.trim_end_matches(')'));
    prefix.is_some_and(|prefix| key.starts_with(prefix))
}

fn lost(request: &Value, pick: Option<&str>, reply: &Reply) {
    let body = reply.value();
    match (reply.status, text(&body, "error")) {
        (409, "permission_request_resolved") => {
            for member in ["outcome", "option_id", "answered_by"] {
                assert_eq!(body[member], request[member], "{body} and {request}");
            }
        }
        (422, "unknown_option") => assert_eq!(pick, Some("maybe"), "{body}"),
        (400, "conversation_busy") => assert_eq!(request["detached"], 1, "{body}"),
        (410, "conversation_terminated") | (503, "stopping") => {}
        other => panic!("{other:?}: {body}"),
    }
}
