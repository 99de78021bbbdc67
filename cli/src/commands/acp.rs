//! `fountain acp`: the flags, and how the adapter finds its instance.

use std::io;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use crate::adapter::{self, Connect, Editor, Instance, Log, NoWay, Options};
use crate::client::Client;
use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::permission;
use crate::signals::Signals;

/// Be an ACP agent on stdio, for an editor
///
/// An editor starts it. Each session is a conversation of the instance; standard output belongs to the protocol,
/// and standard error says what happens. Nothing that is wrong with the flags ends it: the editor is told when it
/// opens a session.
///
/// Example: fountain acp --agent demo --permission execute=ask
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The agent that every session runs, by name or id
    #[arg(long)]
    agent: Option<String>,
    /// A vault that every conversation gets, by name or id
    #[arg(long, hide = true)]
    vault: Option<String>,
    /// An environment in place of the agent's own, by name or id
    #[arg(long, hide = true)]
    environment: Option<String>,
    /// Where the sandboxes live: ephemeral, one for each conversation
    #[arg(long, value_name = "MODE")]
    sandbox_mode: Option<String>,
    /// A sandbox that every conversation uses
    #[arg(long, value_name = "ID", hide = true)]
    sandbox: Option<String>,
    /// A directory of this machine to work on
    #[arg(long, value_name = "DIR[:MODE]", hide = true)]
    workspace: Option<String>,
    /// What happens before a tool runs: a verdict (ask), or pairs (execute=ask,edit=auto_deny)
    #[arg(long, value_name = "POLICY")]
    permission: Option<String>,
    /// What is told on standard error: debug, info, warn or error
    #[arg(long, value_name = "LEVEL")]
    log_level: Option<String>,
}

/// Serves the editor until it goes away.
pub(crate) async fn run(args: Args, cx: &Arc<Context>) -> Result<(), Failure> {
    let policy = args.permission.as_deref().map(permission::parse);
    if let Some(Ok(policy)) = &policy {
        permission::warn(Some(policy), &cx.ui);
    }
    let options = Options {
        agent: args.agent,
        vault: args.vault,
        environment: args.environment,
        sandbox_mode: args.sandbox_mode,
        sandbox: args.sandbox,
        workspace: args.workspace,
        permission: policy.transpose(),
    };
    let level = args
        .log_level
        .as_deref()
        .or((cx.ui.verbose > 0).then_some("debug"));
    let log = Log::new(level, Box::new(io::stderr()));
    let mut signals = Signals::listen()?;
    let stop = Box::pin(async move {
        signals.next().await;
    });
    let editor = Editor {
        input: tokio::io::stdin(),
        output: tokio::io::stdout(),
        stop,
    };
    adapter::run(options, Way(Arc::clone(cx)), editor, log).await;
    Ok(())
}

/// The way to the instance, by the same rules as for every other command.
struct Way(Arc<Context>);

impl Connect for Way {
    fn instance(&self) -> Instance {
        match self.0.resolve() {
            Ok(resolved) => Instance {
                key_source: resolved.key_source(),
                base_url: resolved.base_url,
                profile: resolved.profile,
            },
            // What is wrong is told with the first method that needs the instance.
            Err(failure) => Instance {
                base_url: "unknown".into(),
                profile: failure.message,
                key_source: None,
            },
        }
    }

    fn connect(&self) -> BoxFuture<'_, Result<Client, NoWay>> {
        Box::pin(async {
            self.0.client().await.map_err(|failure| {
                let mut sentence = failure.message;
                for hint in failure.hints {
                    sentence.push_str("; ");
                    sentence.push_str(&hint);
                }
                NoWay {
                    needs_login: failure.kind == Kind::Credentials,
                    sentence,
                }
            })
        })
    }
}
