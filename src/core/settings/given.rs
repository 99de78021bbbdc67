//! What a source gave for a key, before anybody knows what the key wants.

use toml::de::DeValue;

/// A value as it was written. Secrets may be in it, so it has no `Debug` and no sentence repeats it unasked.
#[derive(Clone)]
pub(super) enum Given {
    /// From the environment, where everything is text.
    Word(String),
    /// A TOML string.
    Text(String),
    /// A TOML integer; `None` is one beyond all measure.
    Whole(Option<i128>),
    /// A TOML float, as written.
    Real(String),
    /// A TOML boolean.
    Flag(bool),
    /// A TOML date or time.
    Moment,
    /// A TOML array.
    List(Vec<Given>),
    /// A TOML table.
    Table(Vec<(String, Given)>),
}

impl Given {
    /// Reads the text of one TOML value; the error says what is wrong with it without repeating it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        match DeValue::parse(text) {
            Ok(value) => Ok(value.get_ref().into()),
            Err(error) => Err(error.message().to_owned()),
        }
    }

    /// What it is, to go after "not". Repeats what stands in a variable: not for secrets.
    pub(super) fn noun(&self) -> String {
        let noun = match self {
            Self::Word(word) => return format!("`{word}`"),
            Self::Text(_) => "a text",
            Self::Whole(_) => "a number",
            Self::Real(_) => "a number with a point",
            Self::Flag(_) => "a boolean",
            Self::Moment => "a date or time",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
        };
        noun.to_owned()
    }

    /// The text of a scalar, as it would stand in an environment variable.
    pub(super) fn scalar(&self) -> Option<String> {
        match self {
            Self::Word(text) | Self::Text(text) | Self::Real(text) => Some(text.clone()),
            Self::Whole(number) => number.map(|number| number.to_string()),
            Self::Flag(flag) => Some(flag.to_string()),
            Self::Moment | Self::List(_) | Self::Table(_) => None,
        }
    }
}

impl From<&DeValue<'_>> for Given {
    fn from(value: &DeValue<'_>) -> Self {
        match value {
            DeValue::String(text) => Self::Text(text.clone().into_owned()),
            DeValue::Integer(number) => {
                Self::Whole(i128::from_str_radix(number.as_str(), number.radix()).ok())
            }
            DeValue::Float(number) => Self::Real(number.as_str().to_owned()),
            DeValue::Boolean(flag) => Self::Flag(*flag),
            DeValue::Datetime(_) => Self::Moment,
            DeValue::Array(values) => {
                Self::List(values.iter().map(|value| value.get_ref().into()).collect())
            }
            DeValue::Table(table) => Self::Table(
                table
                    .iter()
                    .map(|(key, value)| {
                        (key.get_ref().clone().into_owned(), value.get_ref().into())
                    })
                    .collect(),
            ),
        }
    }
}
