//! `fountain auth use`: its flags, its help and what it does.

use crate::context::Context;
use crate::credentials::{self, Source, file};
use crate::failure::{Failure, Kind};

/// Choose the profile that is used when none is named
///
/// Example: fountain auth use work
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The profile
    name: String,
}

pub(crate) fn run(args: &Args, cx: &Context) -> Result<(), Failure> {
    let name = args.name.trim();
    let path = cx.credentials_file()?;
    let saved = file::read(&path)?;
    if saved.get(name).is_none() {
        let unknown = credentials::unknown_profile(name, Source::Flag, &saved);
        return Err(Failure {
            kind: Kind::NotFound,
            ..unknown
        });
    }
    file::change(&path, |file| {
        file.select(name);
        Ok(())
    })?;
    cx.ui
        .status(&format!("profile `{name}` is used from now on"));
    if let Some((other, _)) =
        credentials::named_profile(&cx.flags, &cx.environment).filter(|(other, _)| *other != name)
    {
        cx.ui.warning(&format!(
            "FOUNTAIN_PROFILE or --profile still names `{other}`"
        ));
    }
    Ok(())
}
