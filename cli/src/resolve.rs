//! From what a person types to the one thing that is meant: an exact id, an exact name, or the beginning of one
//! name or id.

use fountain_core::api::agents::Agent;
use fountain_core::api::conversations::Conversation;
use fountain_core::api::requests::Request;
use fountain_core::time::Timestamp;
use strsim::osa_distance;

use crate::client::{Client, Filter};
use crate::failure::{Failure, Kind};
use crate::ui::transcript::told;
use crate::ui::{safe, when};

/// So many candidates are shown.
const SHOWN: usize = 8;

/// Something that can be named.
pub(crate) trait Named {
    /// The word for one of it.
    const WHAT: &'static str;
    /// The command that lists all.
    const LIST: &'static str;
    /// Its id.
    fn id(&self) -> &str;
    /// Its name, if it has one.
    fn name(&self) -> Option<&str>;
    /// What it can be called besides: as a whole, never by its beginning.
    fn alias(&self) -> Option<&str> {
        None
    }
    /// What tells it from others, for people who choose.
    fn about(&self, now: Timestamp) -> String;
    /// How to come by the first one.
    const FIRST: &'static str;
}

impl Named for Agent {
    const WHAT: &'static str = "agent";
    const LIST: &'static str = "fountain agent list";
    fn id(&self) -> &str {
        &self.id
    }
    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }
    fn about(&self, _: Timestamp) -> String {
        format!("{}  ({})", self.name, self.runtime)
    }
    const FIRST: &'static str = "there is no agent yet: `fountain agent create NAME --runtime acp --command LINE --permission ask` makes one";
}

impl Named for Conversation {
    const WHAT: &'static str = "conversation";
    const LIST: &'static str = "fountain conv list";
    fn id(&self) -> &str {
        &self.id
    }
    fn name(&self) -> Option<&str> {
        self.title.as_deref()
    }
    fn alias(&self) -> Option<&str> {
        self.first_prompt.as_deref()
    }
    fn about(&self, now: Timestamp) -> String {
        let title = self.title.as_deref().or(self.first_prompt.as_deref());
        let title = safe::cut(&safe::line(&told(title.unwrap_or("-"))), 60);
        let ago = when::ago(self.last_active_at, now);
        format!("{title}  ({}, {ago} ago)", self.status)
    }
    const FIRST: &'static str =
        "there is none yet: `fountain run AGENT -p TEXT` starts a conversation";
}

impl Named for Request {
    const WHAT: &'static str = "request";
    const LIST: &'static str = "fountain requests";
    fn id(&self) -> &str {
        &self.pending.request_id
    }
    fn name(&self) -> Option<&str> {
        None
    }
    fn about(&self, now: Timestamp) -> String {
        let what = self
            .pending
            .summary
            .as_deref()
            .unwrap_or(&self.pending.tool);
        let agent = self.agent_name.as_deref().unwrap_or("-");
        let ago = when::ago(self.pending.asked_at, now);
        format!("{}  ({agent}, {ago} ago)", safe::cut(&safe::line(what), 60))
    }
    const FIRST: &'static str = "nothing waits for an answer";
}

/// The agent that is meant.
pub(crate) async fn agent(client: &Client, wanted: &str) -> Result<Agent, Failure> {
    if is_id(wanted) {
        return client
            .agent(wanted)
            .await
            .map_err(|error| absent::<Agent>(wanted, error));
    }
    pick(wanted, client.agents(None).await?)
}

/// The id of the conversation that is meant; a whole id is taken as it is.
pub(crate) async fn conversation_id(client: &Client, wanted: &str) -> Result<String, Failure> {
    if is_id(wanted) {
        return Ok(wanted.to_lowercase());
    }
    Ok(pick(wanted, all_conversations(client).await?)?.id)
}

/// The conversation that is meant, with its open requests.
pub(crate) async fn conversation(client: &Client, wanted: &str) -> Result<Conversation, Failure> {
    let id = conversation_id(client, wanted).await?;
    client
        .conversation(&id)
        .await
        .map_err(|error| absent_conversation(&id, error))
}

/// The request that is meant; settled ones only by their whole id.
pub(crate) async fn request(client: &Client, wanted: &str) -> Result<Request, Failure> {
    match client.request(wanted).await {
        Err(error) if error.is_not_found() => pick(wanted, client.requests(None).await?),
        other => Ok(other?),
    }
}

async fn all_conversations(client: &Client) -> Result<Vec<Conversation>, Failure> {
    let filter = Filter {
        limit: Some(500),
        ..Filter::default()
    };
    Ok(client.conversations(&filter).await?)
}

/// Whether the text is a whole id: it needs no list.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 36 && uuid::Uuid::try_parse(text).is_ok()
}

/// The sentence for a whole id that nothing has; other errors stay what they are.
fn absent<T: Named>(wanted: &str, error: crate::client::Error) -> Failure {
    if error.is_not_found() {
        return Failure::not_found(format!("there is no {} {wanted}", T::WHAT))
            .hint(format!("`{}` shows them", T::LIST));
    }
    error.into()
}

/// The same for a conversation.
pub(crate) fn absent_conversation(id: &str, error: crate::client::Error) -> Failure {
    absent::<Conversation>(id, error)
}

/// Exact id, else exact name, else the whole of what else it is called, else the beginning of exactly one.
pub(crate) fn pick<T: Named>(wanted: &str, mut all: Vec<T>) -> Result<T, Failure> {
    let wanted = wanted.trim();
    let lower = wanted.to_lowercase();
    let name = |thing: &T| thing.name().map(str::to_lowercase);
    let words = |text: &str| safe::line(text).to_lowercase();
    let rules: [&dyn Fn(&T) -> bool; 4] = [
        &|thing| thing.id().eq_ignore_ascii_case(wanted),
        &|thing| name(thing).is_some_and(|name| name == lower),
        &|thing| {
            thing
                .alias()
                .is_some_and(|alias| words(alias) == words(wanted))
        },
        &|thing| {
            let starts = |text: &str| text.to_lowercase().starts_with(&lower);
            starts(thing.id()) || thing.name().is_some_and(starts)
        },
    ];
    if !wanted.is_empty() {
        for rule in rules {
            let found: Vec<usize> = (0..all.len()).filter(|at| rule(&all[*at])).collect();
            match found.as_slice() {
                [] => {}
                [one] => return Ok(all.swap_remove(*one)),
                several => return Err(ambiguous(wanted, several.iter().map(|at| &all[*at]))),
            }
        }
    }
    Err(unknown(wanted, &all))
}

fn ambiguous<'a, T: Named + 'a>(
    wanted: &str,
    candidates: impl ExactSizeIterator<Item = &'a T>,
) -> Failure {
    let count = candidates.len();
    let mut failure = Failure::new(
        Kind::NotFound,
        format!("`{wanted}` fits {count} {}s", T::WHAT),
    );
    let now = when::now();
    for thing in candidates.take(SHOWN) {
        failure = failure.hint(format!("{}  {}", thing.id(), thing.about(now)));
    }
    if count > SHOWN {
        failure = failure.hint(format!(
            "and {} more: `{}` shows them",
            count - SHOWN,
            T::LIST
        ));
    }
    failure
}

fn unknown<T: Named>(wanted: &str, all: &[T]) -> Failure {
    let failure = Failure::not_found(format!("there is no {} `{wanted}`", T::WHAT));
    let near = nearest(wanted, all.iter().filter_map(Named::name));
    match near.as_slice() {
        [] if all.is_empty() => failure.hint(T::FIRST),
        [] => failure.hint(format!("`{}` shows them", T::LIST)),
        near => failure.hint(format!("did you mean {}?", near.join(" or "))),
    }
}

/// The names that are so alike that one of them was probably meant, the nearest first.
pub(crate) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let enough = 1 + wanted.chars().count() / 3;
    let mut near: Vec<(usize, &str)> = names
        .filter(|name| name.len() <= 200)
        .filter_map(|name| {
            let far = osa_distance(&wanted, &name.to_lowercase());
            let inside = wanted.chars().count() >= 3 && name.to_lowercase().contains(&wanted);
            (far <= enough || inside).then_some((far, name))
        })
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter()
        .take(3)
        .map(|(_, name)| format!("`{name}`"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Thing(&'static str, Option<&'static str>);

    impl Named for Thing {
        const WHAT: &'static str = "thing";
        const LIST: &'static str = "fountain thing list";
        fn id(&self) -> &str {
            self.0
        }
        fn name(&self) -> Option<&str> {
            self.1
        }
        fn alias(&self) -> Option<&str> {
            (self.0 == "ee66").then_some("Do  it\nnow")
        }
        fn about(&self, _: Timestamp) -> String {
            self.1.unwrap_or("-").to_owned()
        }
        const FIRST: &'static str = "make one";
    }

    fn all() -> Vec<Thing> {
        vec![
            Thing("aa11", Some("Claude")),
            Thing("aa22", Some("claude-fast")),
            Thing("bb33", Some("aa11")),
            Thing("cc44", Some("twin")),
            Thing("dd55", Some("Twin")),
            Thing("ee66", None),
        ]
    }

    #[test]
    fn id_then_name_then_beginning() {
        for (wanted, id) in [
            ("aa11", "aa11"),
            ("AA22", "aa22"),
            ("claude", "aa11"),
            (" CLAUDE ", "aa11"),
            ("claude-", "aa22"),
            ("ee", "ee66"),
            ("cc44", "cc44"),
            ("bb", "bb33"),
            ("do it now", "ee66"),
        ] {
            assert_eq!(pick(wanted, all()).unwrap().0, id, "{wanted}");
        }
    }

    #[test]
    fn several_are_listed() {
        let failure = pick("twin", all()).map(|thing| thing.0).unwrap_err();
        assert_eq!(
            (failure.kind.code(), failure.message.as_str()),
            (3, "`twin` fits 2 things")
        );
        assert_eq!(failure.hints, ["cc44  twin", "dd55  Twin"]);
        assert_eq!(
            pick("cla", all())
                .map(|thing| thing.0)
                .unwrap_err()
                .hints
                .len(),
            2
        );
    }

    #[test]
    fn an_unknown_one_brings_the_nearest() {
        for (wanted, hint) in [
            ("cluade", "did you mean `Claude`?"),
            ("fast", "did you mean `claude-fast`?"),
            ("zzz", "`fountain thing list` shows them"),
            ("", "`fountain thing list` shows them"),
        ] {
            let failure = pick(wanted, all()).map(|thing| thing.0).unwrap_err();
            assert_eq!(
                (failure.kind.code(), failure.hints),
                (3, vec![hint.to_owned()]),
                "{wanted}"
            );
        }
        let failure = pick("x", Vec::<Thing>::new())
            .map(|thing| thing.0)
            .unwrap_err();
        assert_eq!(failure.hints, ["make one"]);
        // The beginning of what it is called besides is no name.
        assert_eq!(
            pick("do it", all())
                .map(|thing| thing.0)
                .unwrap_err()
                .kind
                .code(),
            3
        );
    }

    #[test]
    fn conversations_of_one_minute_are_told_apart() {
        let conversation = |id: &str, title: Option<&str>, prompt: &str| -> Conversation {
            serde_json::from_value(serde_json::json!({
                "id": id, "title": title, "first_prompt": prompt, "runtime": "acp", "status": "idle",
                "source": "api", "turn_count": 1, "last_active_at": "2026-01-01T00:00:00Z",
                "inserted_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
            }))
            .unwrap()
        };
        let all = || {
            vec![
                conversation("019a1", Some("Fix"), "x"),
                conversation("019a2", None, "say\nhello"),
            ]
        };
        let failure = pick("019a", all()).map(|one| one.id).unwrap_err();
        let begins = ["019a1  Fix  (idle, ", "019a2  say hello  (idle, "];
        for (hint, begin) in failure.hints.iter().zip(begins) {
            assert!(hint.starts_with(begin) && hint.ends_with(" ago)"), "{hint}");
        }
        assert_eq!(pick("say hello", all()).unwrap().id, "019a2");
    }

    #[test]
    fn a_whole_id_is_known() {
        assert!(is_id("019ad0b2-6c00-7000-8000-0000000000ff"));
        assert!(!is_id("019ad0b2") && !is_id("019ad0b26c00700080000000000000ff"));
    }
}
