//! What is generated from the table of commands: completions and manual pages. They are kept in the repository,
//! and a test compares.

use std::io;

use clap_complete::Shell;
use clap_mangen::Man;

use crate::failure::EXIT_CODES;
use crate::guides::GUIDES;

/// The program's name.
const NAME: &str = "fountain";

/// A generated file: its name and its bytes.
pub type Generated = (String, Vec<u8>);

/// The completion script of each shell.
pub fn completions() -> Vec<Generated> {
    let files = [
        (Shell::Bash, "fountain.bash"),
        (Shell::Zsh, "_fountain"),
        (Shell::Fish, "fountain.fish"),
        (Shell::PowerShell, "fountain.ps1"),
        (Shell::Elvish, "fountain.elv"),
    ];
    files
        .into_iter()
        .map(|(shell, name)| (name.to_owned(), completion(shell)))
        .collect()
}

/// The completion script of one shell.
pub fn completion(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_topics(), NAME, &mut script);
    script
}

/// The command line where the topics of `help` are commands below it: every shell completes those, and not every
/// shell the values of an argument.
fn with_topics() -> clap::Command {
    let command = crate::command();
    let guides = GUIDES
        .iter()
        .map(|guide| clap::Command::new(guide.name).about(guide.summary));
    let commands = command
        .get_subcommands()
        .filter(|verb| !verb.is_hide_set())
        .map(|verb| {
            let about = verb.get_about().cloned().unwrap_or_default();
            clap::Command::new(verb.get_name().to_owned()).about(about)
        });
    let topics: Vec<clap::Command> = guides.chain(commands).collect();
    command.mut_subcommand("help", |help| help.subcommands(topics))
}

/// The manual pages: one for the program, one for each command and each of its verbs, one for each guide.
///
/// # Errors
/// Never: a vector takes everything.
pub fn manual() -> io::Result<Vec<Generated>> {
    let mut root = crate::command();
    root.build();
    let mut pages = Vec::new();
    page(&root, NAME, &mut pages)?;
    pages.extend(GUIDES.iter().map(|guide| {
        let name = format!("{}.7", guide.title());
        (name, guide.page().into_bytes())
    }));
    Ok(pages)
}

fn page(command: &clap::Command, name: &str, pages: &mut Vec<Generated>) -> io::Result<()> {
    let mut text = Vec::new();
    // The date would make each build another one.
    let man = Man::new(
        command
            .clone()
            .name(name.to_owned())
            .bin_name(name.replace('-', " ")),
    )
    .date("");
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.get_subcommands().any(|verb| !verb.is_hide_set()) {
        man.render_subcommands_section(&mut text)?;
    }
    if name == NAME {
        text.extend_from_slice(b".SH \"EXIT STATUS\"\n");
        for (code, meaning) in EXIT_CODES {
            text.extend_from_slice(format!(".TP\n{code}\n{meaning}\n").as_bytes());
        }
        text.extend_from_slice(b".SH \"SEE ALSO\"\n");
        for guide in &GUIDES {
            text.extend_from_slice(format!("{}(7)\n", guide.title()).as_bytes());
        }
    }
    pages.push((format!("{name}.1"), text));
    for verb in command
        .get_subcommands()
        .filter(|verb| !verb.is_hide_set() && (name == NAME || verb.get_name() != "help"))
    {
        page(verb, &format!("{name}-{}", verb.get_name()), pages)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shell_gets_a_script() {
        for (name, script) in completions() {
            let script = String::from_utf8(script).unwrap();
            assert!(
                script.contains("requests")
                    && script.contains("no-autostart")
                    && script.contains("policies"),
                "{name}"
            );
            assert!(
                !script.contains("background"),
                "{name} shows what is hidden"
            );
        }
    }

    #[test]
    fn every_command_has_a_page() {
        let pages = manual().unwrap();
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        for name in [
            "fountain.1",
            "fountain-run.1",
            "fountain-conv-list.1",
            "fountain-requests-answer.1",
            "fountain-help.1",
            "fountain-policies.7",
        ] {
            assert!(names.contains(&name), "{names:?}");
        }
        let (_, root) = &pages[0];
        let root = String::from_utf8(root.clone()).unwrap();
        assert!(root.contains("EXIT STATUS") && root.contains("130"));
        assert_eq!(pages, manual().unwrap());
    }
}
