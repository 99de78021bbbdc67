//! Images of prompts: checked on the way in, served as they were on the way out.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use fountain_core::api::conversations::Image;
use fountain_core::id::{ConversationId, TurnId};

use super::auth::Reader;
use super::body::{Ids, id};
use super::error::{Answer, Refused};
use crate::app::App;
use crate::store::turns::{self, Picture};

/// The largest image, in decoded bytes.
const LARGEST: usize = 10 * 1024 * 1024;

/// Checks and decodes the images of a prompt.
pub(super) fn decode(images: &[Image]) -> Answer<Vec<Picture>> {
    let invalid = |at: usize, what: &str| {
        Refused::unprocessable("invalid_images", format!("Image {}: {what}.", at + 1))
    };
    let decoded = images.iter().enumerate().map(|(at, image)| {
        let data = base64::engine::general_purpose::STANDARD
            .decode(image.data.trim())
            .map_err(|_| invalid(at, "its data is no base64"))?;
        if data.len() > LARGEST {
            return Err(invalid(at, "it is larger than 10 MB"));
        }
        match is(&image.media_type, &data) {
            Some(true) => Ok(Picture {
                media_type: image.media_type.clone(),
                data,
            }),
            Some(false) => Err(invalid(at, "its data is no image of that media type")),
            None => Err(invalid(
                at,
                "its media type must be image/png, image/jpeg, image/gif or image/webp",
            )),
        }
    });
    decoded.collect()
}

/// Whether the bytes begin as that media type does; nothing for one that is not taken.
fn is(media_type: &str, data: &[u8]) -> Option<bool> {
    Some(match media_type {
        "image/png" => data.starts_with(b"\x89PNG\r\n\x1a\n"),
        "image/jpeg" => data.starts_with(b"\xff\xd8\xff"),
        "image/gif" => data.starts_with(b"GIF87a") || data.starts_with(b"GIF89a"),
        "image/webp" => data.starts_with(b"RIFF") && data.get(8..12) == Some(b"WEBP"),
        _ => return None,
    })
}

/// `GET /api/conversations/{id}/turns/{turn}/images/{position}`.
pub(super) async fn show(
    State(app): State<App>,
    reader: Reader,
    Ids([conversation, turn, position]): Ids<3>,
) -> Answer<Response> {
    let conversation: ConversationId = id(&conversation, "image")?;
    reader.may_read(&app, conversation).await?;
    let turn: TurnId = id(&turn, "image")?;
    let position: i64 = id(&position, "image")?;
    let found = app
        .store
        .read(move |db| turns::image(db, conversation, turn, position))
        .await?;
    let picture = found.ok_or_else(|| Refused::not_found("image"))?;
    let headers = [
        (header::CONTENT_TYPE, picture.media_type),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    Ok((headers, picture.data).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(media_type: &str, bytes: &[u8]) -> Image {
        Image {
            media_type: media_type.into(),
            data: base64::engine::general_purpose::STANDARD.encode(bytes),
        }
    }

    #[test]
    fn only_images_that_are_what_they_say() {
        assert_eq!(
            decode(&[image("image/png", b"\x89PNG\r\n\x1a\nrest")])
                .unwrap()
                .len(),
            1
        );
        assert_eq!(
            decode(&[image("image/webp", b"RIFF....WEBP")])
                .unwrap()
                .len(),
            1
        );
        for bad in [
            image("image/png", b"GIF89a"),
            image("image/svg+xml", b"<svg/>"),
            image("image/png", b""),
            Image {
                media_type: "image/png".into(),
                data: "***".into(),
            },
        ] {
            assert!(decode(&[bad]).is_err());
        }
    }
}
