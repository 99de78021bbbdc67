//! The command line as a whole: that it parses, and what it says of itself.

use clap::Parser as _;

use super::*;

/// What each command line is read as: fine, or the exit code of its mistake.
fn code(line: &str) -> u8 {
    match Cli::try_parse_from(line.split_whitespace()) {
        Ok(_) => 0,
        Err(error) if error.use_stderr() => Kind::Usage.code(),
        Err(_) => 0,
    }
}

#[test]
fn the_table_of_commands_is_sound() {
    command().debug_assert();
}

#[test]
fn every_command_line_of_the_book_is_read() {
    for line in [
        "fountain --version",
        "fountain --help",
        "fountain run demo -p hello",
        "fountain run demo -p -",
        "fountain run demo -p -x",
        "fountain run demo -p hi -i a.png -i b.png --permission execute=ask,edit=auto_deny --sandbox-mode persistent --title T --client-request-id r1 --wait --timeout 90s --exit-waiting",
        "fountain run demo -p hi --detach --json",
        "fountain --profile work --base-url http://h --color never -q --no-autostart conv list",
        "fountain conv list --agent demo --status running,idle --channel c --limit 5 --json -vv",
        "fountain conv show abc --json",
        "fountain conv stream abc --no-follow --after 7 --json",
        "fountain conv stream abc --turn",
        "fountain conv prompt abc -p more --wait",
        "fountain conv interrupt abc",
        "fountain conv terminate abc",
        "fountain conv rename abc title",
        "fountain conv delete abc --yes",
        "fountain conv turns abc",
        "fountain conv events abc --after 1 --limit 10 --streams acp,stage --blocks --json",
        "fountain requests",
        "fountain requests --conversation abc --watch --json",
        "fountain requests list --json",
        "fountain requests show 0.ab --json",
        "fountain requests answer 0.ab --option allow_once",
        "fountain requests answer 0.ab --deny",
        "fountain agent list --search x --json",
        "fountain agent show demo",
        "fountain agent create a --runtime acp --command x --model p/m --permission ask --ask-timeout 2h --sandbox-mode ephemeral --sandbox-provider bwrap --system f",
        "fountain agent update a --name b --clear model --clear system",
        "fountain agent delete a -y",
        "fountain acp --vault v --environment e --sandbox s --workspace .",
        "fountain run demo -p x --sandbox-mode persistent",
        "fountain acp --agent a --permission nonsense --sandbox-mode nonsense --log-level nonsense",
        "fountain auth login --api-key-stdin --storage file",
        "fountain auth logout --profile work",
        "fountain auth whoami --json",
        "fountain auth list",
        "fountain auth use work",
        "fountain auth token",
        "fountain serve --listen 127.0.0.1:0 --data-dir d --config c --log-level info,x=debug --log-format json --print-config",
        "fountain status --json",
        "fountain completions zsh",
        "fountain man --dir d",
        "fountain help",
        "fountain help policies",
        "fountain help conv list",
    ] {
        assert_eq!(code(line), 0, "{line}");
    }
}

#[test]
fn a_mistake_is_wrong_usage() {
    for line in [
        "fountain",
        "fountain nope",
        "fountain run",
        "fountain run demo --permission execute=maybe",
        "fountain run demo --timeout soon",
        "fountain run demo --timeout 0",
        "fountain run demo --detach --wait",
        "fountain run demo --api-key ftn_x",
        "fountain conv",
        "fountain conv list --limit 0",
        "fountain conv list --limit 501",
        "fountain conv list --status x",
        "fountain conv list --status idle,x",
        "fountain conv events a --streams acp,x",
        "fountain conv events a --after abc",
        "fountain conv stream a --after -1",
        "fountain conv stream a --turn --no-follow",
        "fountain requests answer a --option x --deny",
        "fountain requests --json list",
        "fountain agent create a",
        "fountain agent create a --runtime acp --ask-timeout 1.5h",
        "fountain agent update a --clear name",
        "fountain auth login --api-key ftn_x",
        "fountain serve --listen nowhere",
        "fountain completions tcsh",
        "fountain -q -v status",
        "fountain --color sometimes status",
    ] {
        assert_eq!(code(line), 2, "{line}");
    }
}

#[test]
fn the_help_lists_every_command_on_one_line_with_an_example_each() {
    let help = command().render_long_help().to_string();
    for verb in command().get_subcommands() {
        let lines = help
            .lines()
            .filter(|line| line.split_whitespace().next() == Some(verb.get_name()));
        assert_eq!(lines.count(), 1, "{}", verb.get_name());
    }
    each(&command(), &mut |verb| {
        let help = verb.clone().render_long_help().to_string();
        assert!(
            help.contains("Example: ") || verb.get_name() == "fountain",
            "{} shows no example",
            verb.get_name()
        );
    });
    assert!(help.contains("130  interrupted by the user"));
}

#[test]
fn a_mistake_is_told_with_what_would_be_right() {
    for (line, says) in [
        (
            "conv list --status x",
            "pending, running, idle, failed, terminated",
        ),
        ("conv events a --streams x", "acp, stdout, stderr, stage"),
        (
            "conv events a --after abc",
            "it takes the number of an event",
        ),
        (
            "conv stream a --after abc",
            "it takes the number of an event",
        ),
    ] {
        let line = ["fountain"].into_iter().chain(line.split(' '));
        let Err(error) = Cli::try_parse_from(line) else {
            panic!("{says}: it is read")
        };
        assert!(error.to_string().contains(says), "{error}");
    }
}

#[test]
fn what_is_refused_is_not_in_the_help() {
    each(&command(), &mut |verb| {
        let help = verb.clone().render_long_help().to_string();
        for word in [
            "--vault",
            "--environment",
            "--workspace",
            "--sandbox <",
            "persistent",
            "bwrap",
        ] {
            assert!(!help.contains(word), "{word}: {help}");
        }
    });
}

fn each(command: &clap::Command, check: &mut impl FnMut(&clap::Command)) {
    check(command);
    command.get_subcommands().for_each(|verb| each(verb, check));
}

#[test]
fn serve_carries_plain_values() {
    let read = Cli::try_parse_from(["fountain", "serve", "--listen", "localhost:0"]);
    let Ok(Cli {
        command: Command::Serve(serve),
        ..
    }) = read
    else {
        panic!("it is not read as serve")
    };
    assert_eq!(serve.listen.unwrap().to_string(), "127.0.0.1:0");
    assert!(!serve.background && !serve.print_config && serve.data_dir.is_none());
    assert_eq!(serve.log_format, LogFormat::Text);
}

#[test]
fn the_choice_of_colour_is_found_anywhere() {
    let color = |line: &str| {
        color_of(
            &line
                .split_whitespace()
                .map(OsString::from)
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(color("fountain conv list --color never"), Color::Never);
    assert_eq!(color("fountain --color=always nope"), Color::Always);
    assert_eq!(color("fountain run a -- --color never"), Color::Auto);
    assert_eq!(color("fountain --color"), Color::Auto);
}
