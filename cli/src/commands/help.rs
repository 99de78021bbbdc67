//! `fountain help`: its flags, its help and what it does.

use crate::context::Context;
use crate::failure::Failure;
use crate::guides::{self, GUIDES};
use crate::resolve::nearest;
use crate::ui::{Paint, style};

/// Lines for a person are no longer than this, and as long where there is no terminal.
const LONG: usize = 100;
const USUAL: usize = 80;

/// Show a guide, or the help of a command
///
/// Without a topic it lists the guides.
///
/// Example: fountain help policies
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// A guide, or a command as it is typed, such as `conv list`
    topic: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, cx: &Context) -> Result<(), Failure> {
    let width = cx.ui.width().map_or(USUAL, |width| width.min(LONG));
    let text = about(&args.topic, width, cx.ui.out_paint())?;
    cx.ui.painted(&text)
}

/// What is shown about a topic.
fn about(topic: &[String], width: usize, paint: Paint) -> Result<String, Failure> {
    match topic {
        [] => return Ok(list(paint)),
        [name] => {
            if let Some(guide) = guides::find(name) {
                return Ok(guide.text(width, paint));
            }
        }
        _ => {}
    }
    of_command(topic, paint)
}

fn list(paint: Paint) -> String {
    let wide = GUIDES.iter().map(|guide| guide.name.len()).max();
    let wide = wide.unwrap_or(0);
    let mut text = format!("{}\n", paint.with(style::BOLD, "Guides:"));
    for guide in &GUIDES {
        let name = paint.with(style::PICK, &format!("{:wide$}", guide.name));
        text.push_str(&format!("  {name}  {}\n", guide.summary));
    }
    text.push_str(
        "\n`fountain help TOPIC` shows a guide, `fountain help COMMAND` explains a command.\n\
         `fountain --help` lists the commands.\n",
    );
    text
}

/// The same as the command's own `--help`.
fn of_command(words: &[String], paint: Paint) -> Result<String, Failure> {
    let root = crate::command();
    let mut at = &root;
    for (depth, word) in words.iter().enumerate() {
        at = at
            .find_subcommand(word)
            .filter(|verb| !verb.is_hide_set())
            .ok_or_else(|| unknown(words, depth, at))?;
    }
    let line = [root.get_name()]
        .into_iter()
        .chain(words.iter().map(String::as_str))
        .chain(["--help"]);
    match crate::command().try_get_matches_from(line) {
        Err(help) if !help.use_stderr() => {
            let help = help.render();
            Ok(match paint.on {
                true => help.ansi().to_string(),
                false => help.to_string(),
            })
        }
        // A command that takes `--help` for something else would end here; a test looks at each.
        _ => Err(Failure::failed(format!(
            "`{}` has no help",
            words.join(" ")
        ))),
    }
}

/// The word at that place means nothing: `at` is the command that the words before it name.
fn unknown(words: &[String], depth: usize, at: &clap::Command) -> Failure {
    let verbs = at.get_subcommands().filter(|verb| !verb.is_hide_set());
    // Deeper than the first word there are only commands.
    let guides = GUIDES.iter().filter(|_| depth == 0);
    let known = guides
        .map(|guide| guide.name)
        .chain(verbs.map(clap::Command::get_name));
    let near = nearest(&words[depth], known);
    let mut failure = Failure::usage(format!(
        "there is no guide and no command `{}`",
        words.join(" ")
    ));
    if !near.is_empty() {
        failure = failure.hint(format!("did you mean {}?", near.join(" or ")));
    }
    let names: Vec<&str> = GUIDES.iter().map(|guide| guide.name).collect();
    failure.hint(format!(
        "the guides are: {}; `fountain --help` lists the commands",
        names.join(", ")
    ))
}

#[cfg(test)]
mod tests;
