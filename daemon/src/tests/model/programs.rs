//! What the agents are told to do, by chance: they ask, several things at once, and end in one way or another.

use super::Play;

/// Where the agents' own numbers begin: the daemon's own are small.
pub(super) const FIRST: usize = 1_000;

impl Play {
    /// A prompt that is a program for the scripted agent. Nothing in it is ever asked by another.
    pub(super) fn program(&mut self) -> String {
        self.prompts += 1;
        let mut steps = vec![format!("chunk prompt {}.", self.prompts)];
        let mut asked = Vec::new();
        for _ in 0..self.rng.usize(0..4) {
            let id = self.ask();
            steps.extend((0..self.asks[id].1).map(|_| self.post(id)));
            asked.push(FIRST + id);
        }
        let waits = |ids: &[usize]| {
            ids.iter()
                .map(|id| format!("await {id}"))
                .collect::<Vec<_>>()
        };
        match self.rng.u32(0..16) {
            0..5 => {
                steps.extend(waits(&asked));
                steps.push("respond end_turn".into());
            }
            5..8 => steps.push("respond waiting".into()),
            8 => {
                steps.extend(waits(&asked[..asked.len().min(1)]));
                steps.push("respond waiting".into());
            }
            9 => steps.extend([
                "note stuck".into(),
                "wait".into(),
                "respond cancelled".into(),
            ]),
            10 => steps.extend(["note stuck".into(), "hang".into()]),
            11 => steps.push("exit 3".into()),
            12 => {
                let first = asked.first().copied().unwrap_or(FIRST - 1);
                steps.push(format!(
                    r#"line {{"method":"$/cancel_request","params":{{"requestId":{first}}}}}"#
                ));
                steps.extend(waits(&asked));
                steps.push("respond end_turn".into());
            }
            13 => {
                let reason = ["cancelled", "refusal", "odd", "error"][self.rng.usize(0..4)];
                steps.push(format!("respond {reason}"));
            }
            _ => {
                // It works on when its turn is over.
                let id = self.ask();
                steps.push("respond end_turn".into());
                steps.push(self.post(id));
                self.asks[id].1 = 1;
            }
        }
        steps.join("\n")
    }

    /// Mints a number of the agent's own; now and then it is used twice.
    fn ask(&mut self) -> usize {
        let kind = ["execute", "edit", "execute", "edit", "read", "delete"][self.rng.usize(0..6)];
        let times = if self.rng.u32(0..8) == 0 { 2 } else { 1 };
        self.asks.push((kind, times));
        self.asks.len() - 1
    }

    fn post(&self, id: usize) -> String {
        format!("post {} {} something", FIRST + id, self.asks[id].0)
    }
}
