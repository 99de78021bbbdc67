//! A title that a harness gives: redacted, one line, at most 120 characters, never cut inside one.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::redact::Redactor;

/// The most characters (grapheme clusters) of a title.
pub const LONGEST: usize = 120;
/// The most code points: combined emoji and accents may shorten a title further.
const LONGEST_STORED: usize = 255;

/// Who gave a conversation its title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A person, or nobody knows: the harness never changes it.
    Explicit,
    /// The harness: a later notification may revise or clear it.
    Harness,
}

/// Redacts first, then removes NUL, collapses white space and cuts. Blank is no title.
pub fn normalise(text: &str, redactor: &Redactor) -> Option<String> {
    let clean = redactor.text(text).replace('\0', "");
    let line = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = String::new();
    let mut points = 0;
    for cluster in line.graphemes(true).take(LONGEST) {
        points += cluster.chars().count();
        if points > LONGEST_STORED {
            break;
        }
        out.push_str(cluster);
    }
    let out = out.trim_end();
    (!out.is_empty()).then(|| out.to_owned())
}

/// What a harness's title does to the one there is: the new value, or nothing to change.
///
/// `offered` is `None` for an explicit null, which clears.
pub fn revise(
    current: Option<(&str, Origin)>,
    offered: Option<&str>,
    redactor: &Redactor,
) -> Option<Option<String>> {
    if matches!(current, Some((_, Origin::Explicit))) {
        return None;
    }
    let title = match offered.map(|text| (text, normalise(text, redactor))) {
        // One character alone is longer than a title may be: that names nothing, and takes nothing away.
        Some((text, None)) if !is_blank(text) => return None,
        Some((_, title)) => title,
        None => None,
    };
    (title.as_deref() != current.map(|(text, _)| text)).then_some(title)
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c == '\0' || c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(text: &str) -> Option<String> {
        normalise(text, &Redactor::new(["topsecret1"]))
    }

    #[test]
    fn cut_between_clusters_only() {
        let family = "👨‍👩‍👧‍👦";
        for (text, expect) in [
            ("a".repeat(121), Some("a".repeat(120))),
            (
                format!("{}{family}", "a".repeat(119)),
                Some(format!("{}{family}", "a".repeat(119))),
            ),
            (
                format!("{}{family}b", "a".repeat(119)),
                Some(format!("{}{family}", "a".repeat(119))),
            ),
            (format!("x{}", "\u{301}".repeat(500)), None),
            (format!("ok x{}", "\u{301}".repeat(500)), Some("ok".into())),
            (" \n\t ".repeat(50), None),
            (String::new(), None),
            ("x\0y".into(), Some("xy".into())),
            (
                " Fix \r\n login\u{2028}redirect ".into(),
                Some("Fix login redirect".into()),
            ),
            (
                "key topsecret1 here".into(),
                Some("key [REDACTED] here".into()),
            ),
        ] {
            assert_eq!(normal(&text), expect, "{text:?}");
        }
    }

    #[test]
    fn a_secret_is_gone_before_the_cut() {
        let text = format!("{}topsecret1", "a".repeat(115));
        assert!(!normal(&text).unwrap().contains("tops"));
    }

    #[test]
    fn an_explicit_title_is_never_touched() {
        let none = Redactor::default();
        assert_eq!(
            revise(Some(("mine", Origin::Explicit)), Some("new"), &none),
            None
        );
        assert_eq!(revise(Some(("mine", Origin::Explicit)), None, &none), None);
        assert_eq!(
            revise(Some(("old", Origin::Harness)), Some("new"), &none),
            Some(Some("new".into()))
        );
        assert_eq!(
            revise(Some(("old", Origin::Harness)), None, &none),
            Some(None)
        );
        assert_eq!(
            revise(Some(("old", Origin::Harness)), Some(" "), &none),
            Some(None)
        );
        assert_eq!(
            revise(Some(("old", Origin::Harness)), Some("old"), &none),
            None
        );
        let accents = format!("x{}", "\u{301}".repeat(500));
        assert_eq!(
            revise(Some(("old", Origin::Harness)), Some(&accents), &none),
            None
        );
        assert_eq!(revise(None, Some(&accents), &none), None);
        assert_eq!(
            revise(Some(("old", Origin::Harness)), Some("\0 \n"), &none),
            Some(None)
        );
        assert_eq!(revise(None, Some("new"), &none), Some(Some("new".into())));
        assert_eq!(revise(None, None, &none), None);
    }

    proptest::proptest! {
        #[test]
        fn any_title_is_short_and_on_one_line(text in "\\PC*|[\\s\\x00a]{0,300}") {
            if let Some(title) = normalise(&text, &Redactor::default()) {
                proptest::prop_assert!(title.graphemes(true).count() <= LONGEST);
                proptest::prop_assert!(!title.contains(['\n', '\r', '\0']));
                proptest::prop_assert!(!title.trim().is_empty());
            }
        }
    }
}
