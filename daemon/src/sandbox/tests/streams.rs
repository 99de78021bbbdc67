//! Streams, arguments, environment and the exit of one program.

use std::collections::BTreeSet;

use tokio::io::AsyncWriteExt as _;

use super::*;

#[tokio::test]
async fn a_mebibyte_passes_unchanged_both_ways() {
    let home = Home::new();
    let mut process = home.script("tee /dev/stderr");
    let sent: Vec<u8> = (0..1 << 20_u32)
        .map(|at: u32| (at.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut stdin = process.stdin;
    let write = async {
        stdin.write_all(&sent).await.unwrap();
        drop(stdin);
    };
    let read = async {
        let (read_out, read_err) = tokio::join!(
            process.stdout.read_to_end(&mut out),
            process.stderr.read_to_end(&mut err)
        );
        read_out.unwrap();
        read_err.unwrap();
    };
    within("the echo", async { tokio::join!(write, read) }).await;
    assert!(out == sent, "stdout differs");
    assert!(err == sent, "stderr differs");
    assert_eq!(
        within("the exit", process.control.exited()).await,
        Exit::Code(0)
    );
}

#[tokio::test]
async fn the_environment_is_what_was_given_and_the_marker() {
    let home = Home::new();
    let mut launch = home.launch(&["cat", "/proc/self/environ"]);
    launch.env.push(("ODD".into(), "a=b\n\"c\" $HOME".into()));
    launch.env.push(("EMPTY".into(), "".into()));
    launch.env.push((MARKER.into(), "forged".into()));
    let mut process = home.kind.start(&home.disk, &launch).unwrap();
    let text = all(&mut process.stdout).await;
    let found: BTreeSet<&str> = text.split_terminator('\0').collect();
    let marker = format!("{MARKER}={}", launch.marker);
    let expected = [
        "PATH=/usr/local/bin:/usr/bin:/bin",
        "ODD=a=b\n\"c\" $HOME",
        "EMPTY=",
        &marker,
    ];
    assert_eq!(found, BTreeSet::from(expected));
}

#[tokio::test]
async fn what_cannot_be_an_environment_is_refused_without_its_value() {
    let home = Home::new();
    for (name, value) in [
        ("", "secret"),
        ("A=B", "secret"),
        ("A\0", "secret"),
        ("A", "secret\0"),
    ] {
        let mut launch = home.launch(&["true"]);
        launch.env.push((name.into(), value.into()));
        let error = home
            .kind
            .start(&home.disk, &launch)
            .err()
            .expect("it is refused");
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}

#[tokio::test]
async fn arguments_arrive_exactly() {
    let home = Home::new();
    let args = ["a b", "c\"d", "$HOME", "\\x", "", "--help", "--", "ü\n"];
    let mut process = home.start(&[&["printf", "%s|"], &args[..]].concat());
    assert_eq!(
        all(&mut process.stdout).await,
        format!("{}|", args.join("|"))
    );
}

#[tokio::test]
async fn the_exit_is_told_and_kept() {
    let home = Home::new();
    for (script, expected) in [
        ("exit 0", Exit::Code(0)),
        ("exit 255", Exit::Code(255)),
        ("kill -KILL $$", Exit::Signal(9)),
        ("kill -TERM $$", Exit::Signal(15)),
    ] {
        let mut process = home.script(script);
        // Giving up on the wait loses nothing.
        let _ = tokio::time::timeout(Duration::from_millis(1), process.control.exited()).await;
        assert_eq!(exited(&mut process).await, expected, "{script}");
        assert_eq!(exited(&mut process).await, expected, "{script}");
    }
}

#[tokio::test]
async fn a_program_that_cannot_start_says_why() {
    let home = Home::new();
    let plain = home.disk.workspace().join("plain");
    std::fs::write(&plain, "text").unwrap();
    for (program, reason) in [
        ("no-such-program", "No such file or directory (os error 2)"),
        ("./plain", "Permission denied (os error 13)"),
        ("", "No such file or directory (os error 2)"),
    ] {
        let mut process = home.start(&[program]);
        assert_eq!(
            exited(&mut process).await,
            Exit::NotStarted(reason.to_owned())
        );
        assert_eq!(all(&mut process.stdout).await, "");
    }
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_named() {
    let home = Home::new();
    let mut launch = home.launch(&["true"]);
    launch.cwd = home.disk.workspace().join("gone");
    let error = home
        .kind
        .start(&home.disk, &launch)
        .err()
        .expect("it is refused");
    assert!(error.to_string().contains("workspace/gone"), "{error}");
}

#[tokio::test]
async fn the_agent_holds_its_streams_and_nothing_else() {
    let home = Home::new();
    let _other = home.script("sleep 1000");
    let leaked = std::fs::File::open("/etc/passwd").unwrap();
    rustix::io::fcntl_setfd(&leaked, rustix::io::FdFlags::empty()).unwrap();
    let mut process = home.script("for fd in /proc/$$/fd/*; do readlink $fd; done");
    let text = all(&mut process.stdout).await;
    let (pipes, rest): (Vec<_>, Vec<_>) = text.lines().partition(|line| line.starts_with("pipe:"));
    assert_eq!(pipes.len(), 3, "{text}");
    assert!(rest.iter().all(|line| *line == "/dev/null"), "{text}");
}

#[tokio::test]
async fn the_agent_has_its_own_group_no_terminal_and_leaves_no_core() {
    let home = Home::new();
    let script = "read -r stat </proc/self/stat; set -- ${stat##*) }
        [ $3 = $$ ] && echo group; [ $4 = $PPID ] && echo session; [ $5 = 0 ] && echo no terminal
        ulimit -Hc; ulimit -Sc; kill -USR1 0";
    let mut process = home.script(script);
    assert_eq!(
        all(&mut process.stdout).await,
        "group\nsession\nno terminal\n0\n0\n"
    );
    // The signal to its own group met the agent alone.
    assert_eq!(exited(&mut process).await, Exit::Signal(10));
}

#[tokio::test]
async fn a_stream_the_agent_closes_is_closed() {
    let home = Home::new();
    let mut process = home.script("exec >&-; read -r line; exit 7");
    assert_eq!(all(&mut process.stdout).await, "");
    process.stdin.write_all(b"go\n").await.unwrap();
    assert_eq!(exited(&mut process).await, Exit::Code(7));
}
