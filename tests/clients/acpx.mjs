// acpx, the command-line client that OpenClaw spawns: `run acpx [SCENARIO...] -- fountain acp --agent demo`.
//
// acpx keeps its records under HOME, so it gets a HOME of its own, and the agent its caller's through a small launcher.
// It leaves a process behind that keeps the agent between prompts, for `--ttl` seconds or until `sessions close`.

import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installed, main, nodeAtLeast, sleep } from "./kit.mjs";

const CLIENT = "acpx";
const { folder, manifest } = installed(CLIENT, "acpx");
nodeAtLeast(CLIENT, 22, 13);
const PROGRAM = join(folder, manifest.bin.acpx);

const quoted = (word) => `'${word.replaceAll("'", `'\\''`)}'`;

class Acpx {
  constructor(t, command, ttl = 60) {
    this.t = t;
    this.ttl = `${ttl}`;
    const root = t.folder();
    [this.home, this.cwd] = [join(root, "home"), join(root, "project")];
    mkdirSync(this.home);
    mkdirSync(this.cwd);
    this.launcher = join(root, "agent");
    writeFileSync(this.launcher, `#!/bin/sh\ncd ${quoted(process.cwd())} || exit\nHOME=${quoted(process.env.HOME ?? "/")} exec ${command.map(quoted).join(" ")}\n`);
    chmodSync(this.launcher, 0o755);
    t.later(() => this.close());
  }

  // One run of acpx, with the messages it reports; `printed()` tells what it printed so far.
  run(...args) {
    const start = performance.now();
    const child = spawn(process.execPath, [PROGRAM, "--agent", this.launcher, "--ttl", this.ttl, "--format", "json", ...args], {
      cwd: this.cwd,
      env: { ...process.env, HOME: this.home },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    const ended = new Promise((done, refuse) => {
      child.once("error", refuse);
      child.once("exit", (code, signal) => {
        // What acpx leaves running may hold its pipes open.
        setTimeout(() => {
          const messages = stdout.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
          if (code !== 0 && code !== 5) console.error(`acpx ${args.join(" ")} ended with ${code ?? signal}:\n${stderr.slice(-2000)}`);
          done({ code: code ?? signal, ms: Math.round(performance.now() - start), ...digest(messages), messages, stdout });
        }, 50);
      });
    });
    ended.printed = () => stdout;
    return ended;
  }

  async session() {
    const { code, stdout } = await this.run("sessions", "new");
    this.opened = code === 0;
    this.t.equal(code, 0, "exit code of `sessions new`");
    const [, id] = /"(?:acpxRecordId|acpxSessionId|sessionId|id)":\s*"([^"]+)"/.exec(stdout) ?? [];
    this.t.expect(id !== undefined, `\`sessions new\` printed no id: ${stdout.slice(0, 300)}`);
    return id;
  }

  async close() {
    if (this.opened) await this.run("sessions", "close");
    await this.quiet();
  }

  // Waits until no process of acpx is left, so that the next run starts the agent anew.
  async quiet() {
    for (const end = performance.now() + 15_000; performance.now() < end; await sleep(200)) {
      const { stdout } = await this.run("status");
      if (!/"status":\s*"(alive|running)"/.test(stdout)) return;
    }
    this.t.expect(false, "acpx's process did not end 15 s after its last prompt");
  }
}

function digest(messages) {
  const updates = messages.filter(({ method }) => method === "session/update").map(({ params }) => params.update);
  const counts = {};
  for (const { sessionUpdate } of updates) counts[sessionUpdate] = (counts[sessionUpdate] ?? 0) + 1;
  return {
    updates: counts,
    said: updates.filter((u) => u.sessionUpdate === "agent_message_chunk").map((u) => u.content?.text ?? "").join(""),
    all: JSON.stringify(updates),
    methods: messages.map(({ method }) => method).filter(Boolean),
    stopReason: messages.findLast(({ result }) => result?.stopReason !== undefined)?.result.stopReason,
    sessions: [...new Set(messages.map(({ params }) => params?.sessionId).filter(Boolean))],
  };
}

async function oneCommand(t, command, flag, code, runs) {
  const acpx = new Acpx(t, command);
  const session = await acpx.session();
  const turn = await acpx.run(flag, "prompt", "run touch marker && echo ran-$((40+2))");
  t.note("updates", turn.updates);
  t.equal(turn.code, code, "exit code");
  t.equal(turn.stopReason, "end_turn", "stop reason");
  t.equal(turn.sessions.join(), session, "sessions used");
  t.equal(turn.methods.filter((method) => method === "session/request_permission").length, 1, "permission requests");
  if (runs) t.contains(turn.all, "ran-42", "output of the command");
  else t.lacks(turn.all, "ran-42", "output of a command that was not allowed");
  const after = await acpx.run("--approve-all", "prompt", "run if test -e marker; then echo there-$((40+2)); else echo missing-$((40+2)); fi");
  t.contains(after.all, runs ? "there-42" : "missing-42", "marker file in the sandbox");
}

await main(CLIENT, manifest.version, {
  async say(t, command) {
    const acpx = new Acpx(t, command);
    const session = await acpx.session();
    const turn = await acpx.run("prompt", "say hello over there, 你好 🌍\ntalk 20");
    t.note("updates", turn.updates);
    t.equal(turn.code, 0, "exit code");
    t.equal(turn.stopReason, "end_turn", "stop reason");
    t.equal(turn.sessions.join(), session, "sessions used");
    t.contains(turn.said, "hello over there, 你好 🌍", "text");
    const warm = await acpx.run("prompt", "say again");
    t.note("warm_ms", warm.ms);
    t.contains(warm.said, "again", "text of the second prompt");
  },

  // A later acpx with a new agent process goes on in the same conversation, with the same sandbox.
  async resume(t, command) {
    const acpx = new Acpx(t, command, 1);
    const session = await acpx.session();
    const first = await acpx.run("--approve-all", "prompt", "run touch kept && echo ran-$((40+2))");
    t.contains(first.all, "ran-42", "output of the first command");
    await acpx.quiet();
    const second = await acpx.run("--approve-all", "prompt", "run test -e kept && echo kept-$((40+2))");
    const took = second.methods.find((method) => /^session\/(resume|load|new)$/.test(method));
    t.note("reopened_with", took);
    t.expect(second.methods.includes("initialize"), "no new agent process");
    t.expect(took === "session/resume" || took === "session/load", `the conversation was not taken up, but ${took}`);
    t.equal(second.code, 0, "exit code");
    t.equal(second.sessions.join(), session, "sessions used");
    t.contains(second.all, "kept-42", "the file of the first process");
  },

  allow: (t, command) => oneCommand(t, command, "--approve-all", 0, true),
  reject: (t, command) => oneCommand(t, command, "--deny-all", 5, false),

  async cancel(t, command) {
    const acpx = new Acpx(t, command);
    await acpx.session();
    const turn = acpx.run("prompt", "say begun\nslow 40");
    // Before the agent speaks, acpx would cancel on its own side.
    for (let i = 0; i < 300 && !turn.printed().includes('"begun'); i++) await sleep(50);
    const { stdout } = await acpx.run("cancel");
    t.contains(stdout, '"cancelled":true', "what `cancel` printed");
    const { stopReason, ms, said } = await turn;
    t.note("turn_ms", ms);
    t.equal(stopReason, "cancelled", "stop reason");
    t.expect(ms < 20_000, `the turn took ${ms} ms`);
    t.contains(said, "begun", "text before the cancel");
    const after = await acpx.run("prompt", "say still here");
    t.equal(after.stopReason, "end_turn", "stop reason of the next prompt");
    t.contains(after.said, "still here", "text of the next prompt");
  },

  // One shot, without a record.
  async exec(t, command) {
    const turn = await new Acpx(t, command).run("--approve-all", "exec", "run echo ran-$((40+2))");
    t.note("methods", turn.methods.filter((method) => method !== "session/update"));
    t.equal(turn.code, 0, "exit code");
    t.equal(turn.stopReason, "end_turn", "stop reason");
    t.contains(turn.all, "ran-42", "output of the command");
    t.note("exec_ms", turn.ms);
  },
});
