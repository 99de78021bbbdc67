//! What may happen to a conversation, by chance. It says nothing of what must follow.

use proptest::prelude::*;

use crate::policy::Verdict;
use crate::request::Pick;
use crate::turn::Finish;

/// What agents offer, the odd ones too.
pub(super) const OFFERED: [&[(&str, &str)]; 6] = [
    &[("yes", "allow_once"), ("no", "reject_once")],
    &[],
    &[("yes", "allow_always"), ("maybe", "quantum")],
    &[("no", "reject_always"), ("no", "reject_always")],
    &[("yes", "allow_once"), ("yes", "reject_once")],
    &[("no", "reject_once"), ("no", "allow_always")],
];

/// Something that happens.
#[derive(Clone, Debug)]
pub(super) enum Happens {
    /// The agent's policy is edited.
    Edit(Verdict, Option<u32>),
    Prompt,
    Start,
    Ask {
        rpc: usize,
        offered: usize,
        timeout: Option<u32>,
    },
    /// To the request of this number, open or not.
    Answer(usize, Pick),
    Due(usize),
    /// Every deadline of what outlived its turn is looked at.
    Sweep,
    Withdraw(usize),
    Interrupt,
    Finish(Finish),
    /// The daemon dies, and another one finds what was stored.
    Restart,
    Pass(i64),
}

pub(super) fn happens() -> impl Strategy<Value = Happens> {
    let pick = prop_oneof![
        3 => prop::sample::select(vec!["yes", "no", "maybe", ""]).prop_map(|id| Pick::Option(id.into())),
        1 => Just(Pick::Deny),
    ];
    let timeout = || prop::option::of(1u32..700);
    let reasons = vec!["end_turn", "cancelled", "refusal", "", "Waiting", "odd"];
    let stopped = |reason: &str| Finish::Stopped {
        reason: reason.into(),
        usage: None,
    };
    let gone = Finish::Exited {
        code: Some(1),
        reason: "gone".into(),
    };
    let error = Finish::Error {
        code: -32_603,
        message: "no".into(),
    };
    prop_oneof![
        2 => (prop::sample::select(Verdict::ALL.to_vec()), timeout()).prop_map(|(verdict, timeout)| Happens::Edit(verdict, timeout)),
        4 => Just(Happens::Prompt),
        6 => Just(Happens::Start),
        12 => (0usize..3, 0..OFFERED.len(), timeout()).prop_map(|(rpc, offered, timeout)| Happens::Ask { rpc, offered, timeout }),
        9 => (any::<usize>(), pick).prop_map(|(at, pick)| Happens::Answer(at, pick)),
        4 => any::<usize>().prop_map(Happens::Due),
        2 => Just(Happens::Sweep),
        3 => (0usize..3).prop_map(Happens::Withdraw),
        1 => Just(Happens::Interrupt),
        2 => Just(Happens::Finish(stopped("waiting"))),
        1 => prop::sample::select(reasons).prop_map(move |reason| Happens::Finish(stopped(reason))),
        1 => prop::sample::select(vec![gone, error, Finish::GraceOver, Finish::Quiet]).prop_map(Happens::Finish),
        1 => Just(Happens::Restart),
        4 => (0i64..200_000).prop_map(Happens::Pass),
    ]
}
