//! A JSON object that keeps the order of its members and the spelling of its values, for edits of one member.

use std::borrow::Cow;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// The members of an object as they were written. Numbers such as `1.10` or of 30 digits pass unchanged.
#[derive(Clone, Debug, Default)]
pub struct Object<'a> {
    members: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

impl<'a> Object<'a> {
    /// Reads an object; `None` for any other JSON and for text that is none.
    pub fn parse(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The raw JSON of a member.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.members
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| &**value)
    }

    /// The text of a member that is a string.
    pub fn text(&self, key: &str) -> Option<String> {
        serde_json::from_str(self.get(key)?).ok()
    }

    /// Replaces a member in its place, or adds it at the end. `value` is JSON text.
    pub fn set(&mut self, key: impl Into<Cow<'a, str>>, value: impl Into<Cow<'a, str>>) {
        let key = key.into();
        let value = value.into();
        match self.members.iter_mut().find(|(name, _)| *name == key) {
            Some((_, old)) => *old = value,
            None => self.members.push((key, value)),
        }
    }

    /// Takes a member out and gives its raw JSON.
    pub fn remove(&mut self, key: &str) -> Option<Cow<'a, str>> {
        let at = self.members.iter().position(|(name, _)| name == key)?;
        Some(self.members.remove(at).1)
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

impl fmt::Display for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (at, (key, value)) in self.members.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            let key = serde_json::to_string(key).map_err(|_| fmt::Error)?;
            write!(f, "{comma}{key}:{value}")?;
        }
        f.write_str("}")
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::with_capacity(8);
                while let Some(Key(key)) = map.next_key::<Key<'de>>()? {
                    let value: &'de RawValue = map.next_value()?;
                    members.push((key, Cow::Borrowed(value.get())));
                }
                Ok(Object { members })
            }
        }

        deserializer.deserialize_map(Members)
    }
}

#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_touched_stays_as_it_was_written() {
        let text = r#"{"b":1.10,"a":123456789012345678901234567890,"n":null,"é":{"x":[1,2]}}"#;
        let mut object = Object::parse(text).unwrap();
        assert_eq!(object.to_string(), text);
        object.set("a", "2");
        object.set("z", "\"new\"");
        assert_eq!(object.remove("n").as_deref(), Some("null"));
        assert_eq!(
            object.to_string(),
            r#"{"b":1.10,"a":2,"é":{"x":[1,2]},"z":"new"}"#
        );
        assert_eq!(object.text("z").as_deref(), Some("new"));
    }

    #[test]
    fn other_json_is_no_object() {
        for text in ["[]", "1", "", "{", "null"] {
            assert!(Object::parse(text).is_none(), "{text}");
        }
    }
}
