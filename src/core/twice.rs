//! Finds a member that a JSON text names twice: which of the two counts depends on who reads, so neither does.

use std::collections::HashSet;
use std::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The first name that stands twice in one object, however deep; nothing also for text that is no JSON.
pub fn named_twice(json: &[u8]) -> Option<String> {
    serde_json::from_slice(json)
        .ok()
        .and_then(|Found(name)| name)
}

struct Found(Option<String>);

impl<'de> Deserialize<'de> for Found {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Look)
    }
}

struct Look;

impl<'de> Visitor<'de> for Look {
    type Value = Found;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Found, E> {
        Ok(Found(None))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Found, E> {
        Ok(Found(None))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Found, E> {
        Ok(Found(None))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Found, E> {
        Ok(Found(None))
    }

    fn visit_str<E>(self, _: &str) -> Result<Found, E> {
        Ok(Found(None))
    }

    fn visit_unit<E>(self) -> Result<Found, E> {
        Ok(Found(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Found, A::Error> {
        let mut first = None;
        while let Some(Found(found)) = seq.next_element()? {
            first = first.or(found);
        }
        Ok(Found(first))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Found, A::Error> {
        let mut names = HashSet::new();
        let mut first = None;
        while let Some((name, Found(found))) = map.next_entry::<String, Found>()? {
            first = first.or(found);
            if first.is_none() && names.contains(&name) {
                first = Some(name);
            } else {
                names.insert(name);
            }
        }
        Ok(Found(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_name_that_stands_twice_in_one_object() {
        for (json, expect) in [
            (r#"{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}"#, None),
            (r#"{"a":1,"a":1}"#, Some("a")),
            (r#"{"a":1,"\u0061":2}"#, Some("a")),
            (
                r#"{"x":[1,{"y":{"b":null,"c":true,"b":1.5}}],"z":-1}"#,
                Some("b"),
            ),
            ("[]", None),
            ("7", None),
            (r#"{"a":1,"a""#, None),
            ("", None),
        ] {
            assert_eq!(named_twice(json.as_bytes()).as_deref(), expect, "{json}");
        }
    }
}
