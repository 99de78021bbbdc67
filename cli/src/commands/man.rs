//! `fountain man`: its flags, its help and what it does.

use std::path::PathBuf;

use crate::context::Context;
use crate::failure::Failure;
use crate::generate;

/// Print the manual page, or write the pages of every command and guide below a directory
///
/// Commands go to man1 in it, guides to man7.
///
/// Example: fountain man --dir ~/.local/share/man
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Write them below this directory of manual pages
    #[arg(long)]
    dir: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, cx: &Context) -> Result<(), Failure> {
    let pages = generate::manual()
        .map_err(|error| Failure::failed(format!("the manual cannot be made: {error}")))?;
    let Some(dir) = &args.dir else {
        let root = pages
            .into_iter()
            .next()
            .map(|(_, page)| page)
            .unwrap_or_default();
        return cx.ui.bytes(&root);
    };
    let failed = |error| Failure::failed(format!("cannot write to {}: {error}", dir.display()));
    for (name, page) in &pages {
        let section = name.rsplit('.').next().unwrap_or_default();
        let section = dir.join(format!("man{section}"));
        std::fs::create_dir_all(&section).map_err(failed)?;
        std::fs::write(section.join(name), page).map_err(failed)?;
    }
    cx.ui
        .status(&format!("{} pages are in {}", pages.len(), dir.display()));
    Ok(())
}
