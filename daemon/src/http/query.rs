//! Query strings. What is not known is passed over; no key is ever read from one.

use std::convert::Infallible;
use std::fmt::Display;
use std::str::FromStr;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use fountain_core::time::Timestamp;

use super::error::{Answer, Refused};
use crate::app::App;

/// The pairs of a query string.
pub(super) struct Queries(Vec<(String, String)>);

impl FromRequestParts<App> for Queries {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Infallible> {
        let pairs = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
        Ok(Self(pairs.map(|pairs| pairs.0).unwrap_or_default()))
    }
}

impl Queries {
    /// The text of a parameter; an empty one is there.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.0
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.clone())
    }

    /// A switch: `true` or `1`, `false` or `0`.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        match self.text(name)?.as_str() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        }
    }

    /// A moment, in ISO-8601.
    pub(super) fn time(&self, name: &str) -> Answer<Option<Timestamp>> {
        let read = |text: String| {
            text.parse().map_err(|_| {
                Refused::new(
                    StatusCode::BAD_REQUEST,
                    "invalid_time",
                    format!("`{name}` is a time such as `2026-09-07T09:14:02Z`."),
                )
            })
        };
        self.text(name).map(read).transpose()
    }

    /// A whole number; `code` is what a wrong one is refused with.
    pub(super) fn number(&self, name: &str, code: &str) -> Answer<Option<i64>> {
        let read = |text: String| {
            text.parse().map_err(|_| {
                Refused::new(
                    StatusCode::BAD_REQUEST,
                    code,
                    format!("`{name}` is a whole number."),
                )
            })
        };
        self.text(name).map(read).transpose()
    }

    /// A comma list of known words, each read by `parse`; `known` are all of them.
    pub(super) fn words<T>(
        &self,
        name: &str,
        known: &[&str],
        parse: impl Fn(&str) -> Option<T>,
    ) -> Answer<Vec<T>> {
        let text = self.text(name).unwrap_or_default();
        let words = text.split(',').map(str::trim);
        words
            .filter(|word| !word.is_empty())
            .map(|word| {
                parse(word).ok_or_else(|| {
                    Refused::new(
                        StatusCode::BAD_REQUEST,
                        &format!("invalid_{name}"),
                        format!("`{name}` is a comma list of {}.", known.join(", ")),
                    )
                })
            })
            .collect()
    }

    /// Where the page before ended: a moment and what tells its last row from others of that moment.
    pub(super) fn after<T: FromStr>(&self) -> Answer<Option<(Timestamp, T)>> {
        let read = |text: String| {
            let (at, id) = text.split_once('~')?;
            Some((Timestamp(at.parse().ok()?), id.parse().ok()?))
        };
        let Some(text) = self.text("after") else {
            return Ok(None);
        };
        read(text).map(Some).ok_or_else(|| {
            Refused::new(
                StatusCode::BAD_REQUEST,
                "invalid_cursor",
                "`after` is the `next_cursor` of the page before.",
            )
        })
    }

    /// A limit between 1 and `most`.
    pub(super) fn limit(&self, default: i64, most: i64) -> Answer<i64> {
        let Some(text) = self.text("limit") else {
            return Ok(default);
        };
        match text.parse::<i64>() {
            Ok(limit) if (1..=most).contains(&limit) => Ok(limit),
            _ => Err(Refused::new(
                StatusCode::BAD_REQUEST,
                "invalid_limit",
                format!("`limit` is a whole number from 1 to {most}."),
            )),
        }
    }
}

/// Where a page ends, as [`Queries::after`] reads it.
pub(super) fn cursor(at: Timestamp, id: impl Display) -> String {
    format!("{}~{id}", at.0)
}
