//! The prompt a command sends: its text from a flag, from stdin or from a person, and its images from files.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fountain_core::api::conversations::Image;

use crate::context::Context;
use crate::failure::Failure;

/// The largest image the instance takes.
const IMAGE_LIMIT: u64 = 10 * 1024 * 1024;
/// More text is no prompt.
const TEXT_LIMIT: u64 = 32 * 1024 * 1024;

/// Where the prompt comes from.
#[derive(clap::Args, Clone, Debug, Default)]
#[group(skip)]
pub(crate) struct Args {
    /// The prompt; `-` reads it from stdin, as does leaving it out when stdin is no terminal
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    prompt: Option<String>,
    /// An image to send with it: PNG, JPEG, GIF or WebP; repeatable
    #[arg(short, long = "image", value_name = "FILE")]
    images: Vec<PathBuf>,
}

impl Args {
    /// The text. A person at a terminal is asked for it.
    pub(crate) fn text(&self, cx: &Context) -> Result<String, Failure> {
        let text = match self.prompt.as_deref() {
            Some("-") => from(io::stdin().lock())?,
            Some(text) => text.to_owned(),
            None if !io::stdin().is_terminal() => from(io::stdin().lock())?,
            None if cx.ui.asks() => cx.ui.line("prompt: ")?,
            None => return Err(missing()),
        };
        if text.trim().is_empty() {
            return Err(missing());
        }
        Ok(text)
    }

    /// The images, read.
    pub(crate) fn images(&self) -> Result<Vec<Image>, Failure> {
        self.images.iter().map(|path| image(path)).collect()
    }
}

fn missing() -> Failure {
    Failure::usage("there is no prompt").hint("-p TEXT, or -p - and the text on stdin")
}

/// The whole text, without the newline that ends its last line.
fn from(input: impl Read) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    input
        .take(TEXT_LIMIT + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::failed(format!("cannot read the prompt from stdin: {error}")))?;
    if bytes.len() as u64 > TEXT_LIMIT {
        return Err(Failure::usage(format!(
            "the prompt on stdin is longer than {} MiB",
            TEXT_LIMIT >> 20
        )));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::usage("the prompt on stdin is no UTF-8 text"))?;
    let text = text
        .strip_suffix('\n')
        .map(|text| text.strip_suffix('\r').unwrap_or(text))
        .unwrap_or(&text);
    Ok(text.to_owned())
}

fn image(path: &Path) -> Result<Image, Failure> {
    let told = |why: &str| Failure::usage(format!("the image {}: {why}", path.display()));
    let file = File::open(path).map_err(|error| told(&error.to_string()))?;
    let mut bytes = Vec::new();
    file.take(IMAGE_LIMIT + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| told(&error.to_string()))?;
    if bytes.len() as u64 > IMAGE_LIMIT {
        return Err(told(&format!(
            "it is larger than {} MiB",
            IMAGE_LIMIT >> 20
        )));
    }
    let media_type = media_type(&bytes).ok_or_else(|| told("it is no PNG, JPEG, GIF or WebP"))?;
    Ok(Image {
        data: STANDARD.encode(&bytes),
        media_type: media_type.to_owned(),
    })
}

/// What the first bytes say; a file's name says nothing.
fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let magic: [(&str, &[u8]); 4] = [
        ("image/png", b"\x89PNG\r\n\x1a\n"),
        ("image/jpeg", b"\xff\xd8\xff"),
        ("image/gif", b"GIF87a"),
        ("image/gif", b"GIF89a"),
    ];
    let webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    let known = magic
        .into_iter()
        .find(|(_, magic)| bytes.starts_with(magic))
        .map(|(media, _)| media);
    known.or(webp.then_some("image/webp"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_on_stdin_loses_only_its_last_newline() {
        for (given, expect) in [
            ("a\n", "a"),
            ("a\r\n", "a"),
            ("a\n\n", "a\n"),
            (" a ", " a "),
            ("", ""),
        ] {
            assert_eq!(from(given.as_bytes()).unwrap(), expect, "{given:?}");
        }
        assert_eq!(from(&b"\xff"[..]).unwrap_err().kind.code(), 2);
    }

    #[test]
    fn an_image_is_known_by_its_bytes() {
        for (bytes, expect) in [
            (&b"\x89PNG\r\n\x1a\nrest"[..], Some("image/png")),
            (b"\xff\xd8\xff\xe0", Some("image/jpeg")),
            (b"GIF89a..", Some("image/gif")),
            (b"RIFF\x01\x02\x03\x04WEBPVP8 ", Some("image/webp")),
            (b"RIFF\x01\x02\x03\x04WAVE", None),
            (b"<svg", None),
            (b"", None),
        ] {
            assert_eq!(media_type(bytes), expect);
        }
    }

    #[test]
    fn a_file_becomes_base64_or_a_sentence() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.png");
        std::fs::write(&path, b"GIF89a").unwrap();
        let read = image(&path).unwrap();
        assert_eq!(
            (read.media_type.as_str(), read.data.as_str()),
            ("image/gif", "R0lGODlh")
        );
        std::fs::write(&path, b"text").unwrap();
        assert!(
            image(&path)
                .unwrap_err()
                .message
                .ends_with("it is no PNG, JPEG, GIF or WebP")
        );
        assert_eq!(image(&dir.path().join("none")).unwrap_err().kind.code(), 2);
    }
}
