//! `fountain verify`: its flags, its help and what it does.

use std::time::Instant;

use serde_json::{Value, json};

use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::signals::Signals;
use crate::verify::{Checked, End, Private, Profile, Target};

/// Check an instance from end to end, with the built-in agent
///
/// Without --base-url it starts a private instance and removes it afterwards. A test instance has to offer the
/// runtime fountain-fixture to its owner (fixture.enabled, fixture.user_id); do not use it on one that works for
/// people. The first difference ends it with 1; whatever ends it, what it made is removed.
///
/// Example: fountain verify --json
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Print JSON: a list of checks
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) async fn run(args: Args, cx: &Context) -> Result<(), Failure> {
    let mut checks = Vec::new();
    let mut tell = |checked: Checked| {
        if args.json {
            checks.push(row(&checked));
            return Ok(());
        }
        cx.ui.data(&line(&checked))
    };
    let mut printed = Ok(());
    let mut take = |checked: Checked| {
        let told = tell(checked);
        if printed.is_ok() {
            printed = told;
        }
    };
    let mut signals = Signals::listen()?;
    let end = if cx.names_instance() {
        let (client, key) = cx.client_and_key().await?;
        let target = Target { client, key };
        Profile::new(&target).run(&mut signals, &mut take).await
    } else {
        let began = Instant::now();
        let private = Private::start().await.map_err(Failure::failed)?;
        take(Checked::of("a private instance starts", began, Ok(())));
        let profile = Profile::new(&private.target);
        let end = profile.run(&mut signals, &mut take).await;
        let began = Instant::now();
        let stopped = private.stop().await;
        let ended = stopped.is_ok();
        take(Checked::of(
            "it stops and leaves no process",
            began,
            stopped,
        ));
        end.and(ended)
    };
    printed?;
    if args.json {
        cx.ui.json(&checks)?;
    }
    match end {
        End::Good => Ok(()),
        End::Different => Err(Failure::new(
            Kind::Failed,
            "the instance is not as it should be",
        )),
        End::Stopped(signal) => Err(signal.failure()),
    }
}

fn row(checked: &Checked) -> Value {
    json!({
        "check": checked.check, "ok": checked.difference.is_none(),
        "ms": u64::try_from(checked.took.as_millis()).unwrap_or(u64::MAX), "difference": checked.difference,
    })
}

fn line(checked: &Checked) -> String {
    let took = checked.took.as_millis();
    match &checked.difference {
        None => format!("✓ {} ({took} ms)", checked.check),
        Some(difference) => format!("✗ {} ({took} ms): {difference}", checked.check),
    }
}
