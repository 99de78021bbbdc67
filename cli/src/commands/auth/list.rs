//! `fountain auth list`: its flags, its help and what it does.

use serde::Serialize;

use crate::context::Context;
use crate::credentials::{self, file};
use crate::failure::Failure;
use crate::ui::Table;

/// List the profiles; never a key
///
/// Example: fountain auth list --json
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    profile: String,
    base_url: String,
    storage: &'static str,
    current: bool,
}

pub(crate) fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let file = file::read(&cx.credentials_file()?)?;
    let current = credentials::named_profile(&cx.flags, &cx.environment)
        .map_or_else(|| file.selected(), |(name, _)| name);
    let rows: Vec<Row> = file
        .names()
        .into_iter()
        .filter_map(|name| {
            let profile = file.get(name)?;
            Some(Row {
                profile: name.to_owned(),
                storage: match (&profile.api_key, profile.in_keyring()) {
                    (_, true) => "keyring",
                    (Some(_), false) => "file",
                    (None, false) => "none",
                },
                current: name == current,
                // One that cannot be read is shown as it is, so that it can be found.
                base_url: credentials::saved_for(&profile)
                    .unwrap_or_else(|_| profile.base_url.unwrap_or_default()),
            })
        })
        .collect();
    if args.json {
        return cx.ui.json(&rows);
    }
    let mut table = Table::new(&["", "PROFILE", "INSTANCE", "KEY"], &[1, 2]);
    for row in rows {
        let mark = if row.current { "*" } else { "" };
        table.row([
            mark.to_owned(),
            row.profile,
            row.base_url,
            row.storage.to_owned(),
        ]);
    }
    cx.ui
        .table(table, "no profiles: `fountain auth login` saves one")
}
