//! No process survives its owner: the tree ends with the program, on demand, and when whoever held it is gone.

use std::io::Write as _;
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::*;

/// Starts what an agent may leave behind, each in another way, and prints their numbers: a child, one in a session
/// of its own, a twice forked one, one that ignores SIGTERM, one without our marker, and one that is stopped.
const BROOD: &str = r#"
    hold() { sh -c 'echo $$; exec sleep 1000'; }
    stubborn() { sh -c 'trap "" TERM; echo $$; while :; do sleep 1000; done'; }
    hold & setsid sh -c 'echo $$; exec sleep 1000' &
    (setsid sh -c '(sh -c "echo \$\$; exec sleep 1000" &)' &)
    stubborn &
    (env -i /usr/bin/setsid /bin/sh -c 'echo $$; exec sleep 1000' &)
    sh -c 'echo $$; kill -STOP $$' &
"#;
const BROOD_SIZE: usize = 6;

/// Waits for the numbers of the brood; each is a process that runs now.
async fn brood(lines: &mut Lines) -> Vec<i32> {
    let mut numbers = Vec::new();
    for _ in 0..BROOD_SIZE {
        numbers.push(lines.number().await);
    }
    assert!(numbers.iter().all(|number| runs(*number)), "{numbers:?}");
    numbers
}

fn runs(number: i32) -> bool {
    tree::read(Pid::from_raw(number).unwrap()).is_some_and(|member| !member.zombie)
}

async fn all_gone(numbers: &[i32]) {
    until("the tree has ended", || {
        !numbers.iter().any(|number| runs(*number))
    })
    .await;
}

fn kill(number: i32) {
    kill_process(Pid::from_raw(number).unwrap(), Signal::KILL).unwrap();
}

#[tokio::test]
async fn the_tree_ends_with_its_program() {
    let home = Home::new();
    let mut process = home.script(&format!("{BROOD} read -r line; exit 3"));
    let mut lines = Lines::of(process.stdout);
    let numbers = brood(&mut lines).await;
    drop(process.stdin);
    assert_eq!(
        within("the exit", process.control.exited()).await,
        Exit::Code(3)
    );
    // The answer comes when nothing is left: no need to wait.
    assert!(!numbers.iter().any(|number| runs(*number)));
    // Nothing holds the streams either.
    assert_eq!(lines.next().await, "");
    all(&mut process.stderr).await;
}

#[tokio::test]
async fn kill_takes_the_whole_tree() {
    let home = Home::new();
    let mut process = home.script(&format!(
        "trap '' TERM; {BROOD} while :; do sleep 1000; done"
    ));
    let numbers = brood(&mut Lines::of(process.stdout)).await;
    process.control.terminate();
    process.control.kill();
    assert_eq!(
        within("the exit", process.control.exited()).await,
        Exit::Signal(9)
    );
    assert!(!numbers.iter().any(|number| runs(*number)));
}

#[tokio::test]
async fn terminate_asks_every_process() {
    let home = Home::new();
    let script = r#"
        (setsid sh -c 'trap "echo asked; exit" TERM; echo ready; while :; do sleep 0.01; done' &)
        trap 'read -r line; exit 5' TERM; echo ready; while :; do sleep 0.01; done"#;
    let mut process = home.script(script);
    let mut lines = Lines::of(process.stdout);
    assert_eq!([lines.next().await, lines.next().await], ["ready", "ready"]);
    process.control.terminate();
    assert_eq!(lines.next().await, "asked");
    drop(process.stdin);
    assert_eq!(
        within("the exit", process.control.exited()).await,
        Exit::Code(5)
    );
}

#[tokio::test]
async fn letting_go_ends_the_tree_and_no_other() {
    let home = Home::new();
    let mut other = home.script("echo $$; read -r line; exit 4");
    let process = home.script(&format!("{BROOD} exec sleep 1000"));
    let numbers = brood(&mut Lines::of(process.stdout)).await;
    drop(process.control);
    all_gone(&numbers).await;
    drop(other.stdin);
    assert_eq!(
        within("the exit", other.control.exited()).await,
        Exit::Code(4)
    );
    all(&mut other.stderr).await;
}

/// Acts as a daemon where this program was started as one: holds one sandbox until it is killed.
#[test]
fn daemon_entry() {
    let mut args = std::env::args_os().skip_while(|arg| arg != "sandbox-daemon");
    if args.next().is_none() {
        return;
    }
    let home = Home::new();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut process = runtime.block_on(async { home.script(&format!("{BROOD} exec sleep 1000")) });
    runtime.block_on(async {
        let numbers = brood(&mut Lines::of(process.stdout)).await;
        let _ = writeln!(std::io::stderr(), "{numbers:?}");
        process.control.exited().await
    });
}

#[tokio::test]
async fn a_daemon_that_is_killed_takes_its_sandboxes_along() {
    let args = [
        "sandbox::tests::trees::daemon_entry",
        "--exact",
        "--nocapture",
        "--",
        "sandbox-daemon",
    ];
    let mut daemon = Command::new(std::env::current_exe().unwrap())
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut said = std::io::BufReader::new(daemon.stderr.take().unwrap());
    std::io::BufRead::read_line(&mut said, &mut line).unwrap();
    let list = line.trim().trim_matches(['[', ']']).split(", ");
    let numbers: Vec<i32> = list.map(|number| number.parse().unwrap()).collect();
    assert_eq!(numbers.len(), BROOD_SIZE);
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    all_gone(&numbers).await;
}

#[tokio::test]
async fn a_killed_first_process_is_noticed_and_the_tree_is_ended_by_its_marker() {
    let home = Home::new();
    let process = home.script("echo $PPID; (setsid sh -c '(sh -c \"echo \\$\\$; exec sleep 1000\" &)' &); echo $$; exec sleep 1000");
    let mut bystander = home.script("read -r line; exit 4");
    let mut lines = Lines::of(process.stdout);
    let init = lines.number().await;
    let numbers = [lines.number().await, lines.number().await];
    kill(init);
    let mut control = process.control;
    assert_eq!(within("the exit", control.exited()).await, Exit::Lost);
    assert!(!numbers.iter().any(|number| runs(*number)));
    drop(bystander.stdin);
    assert_eq!(
        within("the exit", bystander.control.exited()).await,
        Exit::Code(4)
    );
    all(&mut bystander.stderr).await;
}

#[tokio::test]
async fn a_process_that_becomes_another_all_the_time_is_found() {
    let home = Home::new();
    std::fs::write(home.disk.workspace().join("again"), "exec sh ./again").unwrap();
    for _ in 0..10 {
        let process = home.script("echo $$; kill -9 $PPID; exec sh ./again");
        let number = Lines::of(process.stdout).number().await;
        let mut control = process.control;
        assert_eq!(within("the exit", control.exited()).await, Exit::Lost);
        assert!(!runs(number));
    }
}

#[tokio::test]
async fn a_first_process_that_its_agent_keeps_stopped_is_helped() {
    let home = Home::new();
    let script = format!("{BROOD} while :; do kill -STOP $PPID; sleep 0.01; done");
    let process = home.script(&script);
    let numbers = brood(&mut Lines::of(process.stdout)).await;
    let mut control = process.control;
    control.kill();
    assert_eq!(within("the exit", control.exited()).await, Exit::Signal(9));
    assert!(!numbers.iter().any(|number| runs(*number)));
}

#[tokio::test]
async fn a_sweep_by_prefix_ends_what_a_daemon_left_behind() {
    let home = Home::new();
    let process = home.script("echo $PPID; echo $$; exec sleep 1000");
    let mut lines = Lines::of(process.stdout);
    let (init, number) = (lines.number().await, lines.number().await);
    assert_eq!(sweep(""), 0);
    assert_eq!(sweep(&format!("{}x", home.disk.marker_prefix())), 0);
    assert!(runs(number));
    let prefix = home.disk.marker_prefix();
    let ended = tokio::task::spawn_blocking(move || sweep(&prefix))
        .await
        .unwrap();
    assert_eq!(ended, 2);
    all_gone(&[init, number]).await;
}

#[tokio::test]
async fn many_short_children_leave_no_zombie() {
    let home = Home::new();
    let script = "echo $PPID; i=0; while [ $i -lt 50 ]; do (true &); i=$((i+1)); done; echo done; read -r line";
    let mut process = home.script(script);
    let mut lines = Lines::of(process.stdout);
    let init = lines.number().await;
    assert_eq!(lines.next().await, "done");
    until("only the program is left", || {
        tree::below(&[init], &tree::all()).len() == 1
    })
    .await;
    drop(process.stdin);
    assert_eq!(
        within("the exit", process.control.exited()).await,
        Exit::Code(1)
    );
    all(&mut process.stderr).await;
}

#[tokio::test]
async fn many_starts_leave_no_zombie_of_ours() {
    let home = Home::new();
    let (mut inits, mut lost) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        for script in ["exit 0", "kill -9 $$", "exec sleep 1000"] {
            let process = home.script(&format!("echo $PPID; {script}"));
            inits.push(Lines::of(process.stdout).number().await);
        }
        let process = home.script("echo $PPID; kill -9 $PPID; exec sleep 1000");
        inits.push(Lines::of(process.stdout).number().await);
        lost.push(process.control);
    }
    for control in &mut lost {
        assert_eq!(within("the exit", control.exited()).await, Exit::Lost);
    }
    let gone = |number: &i32| tree::read(Pid::from_raw(*number).unwrap()).is_none();
    until("every first process is reaped", || inits.iter().all(gone)).await;
}

#[tokio::test]
async fn a_tree_that_keeps_forking_ends() {
    let home = Home::new();
    let script = "grow() { while :; do (setsid sleep 1000 &); (sleep 0.001 &); sleep 0.01; done; }
        echo go; grow & grow & grow";
    let mut process = home.script(script);
    let mut launched = Lines::of(process.stdout);
    assert_eq!(launched.next().await, "go");
    until("it has grown", || {
        sweep::holders(&tree::all(), &ours(&home)).len() > 30
    })
    .await;
    process.control.kill();
    assert_eq!(
        within("the exit", process.control.exited()).await,
        Exit::Signal(9)
    );
    assert_eq!(sweep::holders(&tree::all(), &ours(&home)).len(), 0);
    all(&mut process.stderr).await;
}

fn ours(home: &Home) -> impl Fn(&[u8]) -> bool {
    let prefix = home.disk.marker_prefix();
    move |marker| marker.starts_with(prefix.as_bytes())
}
