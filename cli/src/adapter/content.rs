//! The blocks of a prompt: text and images go, the rest is dropped and named.

use fountain_core::api::conversations::{Image, Prompt};
use fountain_core::rpc::Error;
use serde::Deserialize;
use serde_json::Value;

use super::refusal;

const MEDIA_TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// A prompt as it is sent on, and what was left out of it.
#[derive(Debug)]
pub(super) struct Content {
    pub prompt: Prompt,
    /// Each block that was dropped, in words.
    pub dropped: Vec<String>,
}

#[derive(Deserialize)]
struct Params {
    #[serde(default)]
    prompt: Value,
    #[serde(default, rename = "_meta")]
    meta: Value,
}

/// Reads the parameters of `session/prompt`.
pub(super) fn read(params: &str) -> Result<Content, Error> {
    let params: Params = serde_json::from_str(params)
        .map_err(|_| refusal::params("the parameters of session/prompt are no object"))?;
    let Value::Array(blocks) = params.prompt else {
        return Err(refusal::params(
            "prompt must be a list of content blocks, such as [{\"type\":\"text\",\"text\":\"hello\"}]",
        ));
    };
    let client_request_id = match params.meta.get("clientRequestId") {
        None | Some(Value::Null) => None,
        // An empty one goes too: whether it is valid is for the instance to say.
        Some(Value::String(id)) => Some(id.clone()),
        Some(_) => {
            return Err(refusal::params(
                "_meta.clientRequestId must be a string of 1 to 200 characters, or null",
            ));
        }
    };
    let mut text: Vec<String> = Vec::new();
    let mut images = Vec::new();
    let mut dropped = Vec::new();
    for block in blocks {
        match block {
            Value::Object(mut block) => match block.get("type").and_then(Value::as_str) {
                Some("text") => match block.remove("text") {
                    Some(Value::String(line)) => text.push(line),
                    _ => dropped.push("text without text".to_owned()),
                },
                Some("image") => match image(&mut block) {
                    Ok(image) => images.push(image),
                    Err(why) => dropped.push(why),
                },
                Some(kind) => dropped.push(kind.to_owned()),
                None => dropped.push("a block without a type".to_owned()),
            },
            _ => dropped.push("a block that is no object".to_owned()),
        }
    }
    let prompt = text.join("\n");
    if prompt.trim().is_empty() && images.is_empty() {
        let left_out = if dropped.is_empty() {
            String::new()
        } else {
            format!(" (left out: {})", dropped.join(", "))
        };
        return Err(refusal::params(format!(
            "the prompt has nothing that can be used{left_out}: send text or an image"
        )));
    }
    Ok(Content {
        prompt: Prompt {
            prompt,
            images,
            client_request_id,
        },
        dropped,
    })
}

fn image(block: &mut serde_json::Map<String, Value>) -> Result<Image, String> {
    let media_type = block
        .get("mimeType")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_ascii_lowercase();
    if !MEDIA_TYPES.contains(&media_type.as_str()) {
        return Err(format!(
            "image of type {media_type:?} (png, jpeg, gif and webp can be sent)"
        ));
    }
    match block.remove("data") {
        Some(Value::String(data)) if is_base64(&data) => Ok(Image { data, media_type }),
        Some(Value::String(data)) if !data.is_empty() => {
            Err("image whose data is no base64".to_owned())
        }
        _ => Err("image without data".to_owned()),
    }
}

/// Whether it is base64 of something, with its padding.
fn is_base64(data: &str) -> bool {
    let plain = data.trim_end_matches('=');
    let padding = data.len() - plain.len();
    !plain.is_empty()
        && padding <= 2
        && data.len().is_multiple_of(4)
        && plain
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(params: Value) -> Result<Content, Error> {
        super::read(&params.to_string())
    }

    #[test]
    fn text_is_joined_images_go_and_the_rest_is_named() {
        let content = read(json!({"sessionId": "s", "prompt": [
            {"type": "text", "text": "one"},
            {"type": "resource_link", "uri": "file:///x", "name": "x"},
            {"type": "image", "mimeType": "image/PNG", "data": "AAAA"},
            {"type": "image", "mimeType": "image/tiff", "data": "AAAA"},
            {"type": "image", "mimeType": "image/png", "data": "not base64!"},
            {"type": "image", "mimeType": "image/png"},
            {"type": "text", "text": "two"},
            {"type": "x_new"}, {}, 5,
        ]}))
        .unwrap();
        assert_eq!(content.prompt.prompt, "one\ntwo");
        assert_eq!(
            content.prompt.images,
            [Image {
                data: "AAAA".into(),
                media_type: "image/png".into()
            }]
        );
        assert_eq!(
            content.dropped.join("; "),
            "resource_link; image of type \"image/tiff\" (png, jpeg, gif and webp can be sent); \
             image whose data is no base64; image without data; x_new; a block without a type; \
             a block that is no object"
        );
    }

    #[test]
    fn nothing_usable_is_refused() {
        for params in [
            json!({}),
            json!({"prompt": "text"}),
            json!({"prompt": []}),
            json!({"prompt": [{"type": "text", "text": " \n"}]}),
            json!({"prompt": [{"type": "resource", "resource": {}}]}),
            json!([]),
        ] {
            assert_eq!(read(params.clone()).unwrap_err().code, -32602, "{params}");
        }
    }

    #[test]
    fn the_label_of_a_prompt_is_passed_on_as_it_is_or_refused() {
        let with =
            |meta: Value| read(json!({"prompt": [{"type": "text", "text": "x"}], "_meta": meta}));
        for (meta, expect) in [
            (json!(null), None),
            (json!({}), None),
            (json!({"clientRequestId": null}), None),
            (json!({"clientRequestId": ""}), Some("")),
            (
                json!({"clientRequestId": "a\u{0}", "other": 1}),
                Some("a\u{0}"),
            ),
        ] {
            assert_eq!(
                with(meta).unwrap().prompt.client_request_id.as_deref(),
                expect
            );
        }
        for odd in [json!(5), json!({}), json!([]), json!(true)] {
            assert_eq!(
                with(json!({"clientRequestId": odd})).unwrap_err().code,
                -32602
            );
        }
    }
}
