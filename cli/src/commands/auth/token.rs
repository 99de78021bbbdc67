//! `fountain auth token`: its flags, its help and what it does.

use crate::context::Context;
use crate::failure::Failure;

/// Print the key, for programs that take it from the environment
///
/// Example: export FOUNTAIN_API_KEY=$(fountain auth token)
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {}

pub(crate) async fn run(_: Args, cx: &Context) -> Result<(), Failure> {
    let resolved = cx.resolve()?;
    let key = cx.key(&resolved).await?;
    cx.ui.data(key.expose())
}
