//! `fountain man`: its flags, its help and what it does.

use std::path::PathBuf;

use crate::context::Context;
use crate::failure::Failure;
use crate::generate;

/// Print the manual page, or write the pages of every command and guide into a directory
///
/// Commands are section 1, guides section 7.
///
/// Example: fountain man --dir ~/.local/share/man/man1
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Write them here
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
    std::fs::create_dir_all(dir).map_err(failed)?;
    for (name, page) in &pages {
        std::fs::write(dir.join(name), page).map_err(failed)?;
    }
    cx.ui
        .status(&format!("{} pages are in {}", pages.len(), dir.display()));
    Ok(())
}
