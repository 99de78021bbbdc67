// The protocol's TypeScript SDK as the editor: `run typescript-sdk [SCENARIO...] -- fountain acp --agent demo`.
//
// The prompts are instructions of the built-in demo agent, one a line. A command that ran is recognised by `42`, which
// its text does not hold: the shell works it out.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { installed, main, nodeAtLeast, skip, sleep } from "./kit.mjs";

const CLIENT = "typescript-sdk";
nodeAtLeast(CLIENT, 20, 0);
const { folder, manifest } = installed(CLIENT, "@agentclientprotocol/sdk");
const acp = await import(pathToFileURL(join(folder, manifest.exports["."].import))).catch((error) => skip(CLIENT, error.message));
const { agent: METHOD, client: ASKED } = acp.methods;

// One agent process and the SDK's connection to it, with everything the agent wrote kept as it came.
class Editor {
  wire = []; // every message from the agent, parsed, in order
  sent = []; // every message to the agent
  asked = []; // permission requests, in order
  answer = "reject"; // allow, reject, cancel, or a function of the request
  stderr = "";

  constructor(t, command, cwd) {
    this.t = t;
    this.cwd = cwd;
    this.child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "pipe"] });
    this.gone = new Promise((done) => {
      this.child.once("error", (error) => done({ error: error.message }));
      this.child.once("exit", (code, signal) => done({ code, signal }));
    });
    this.child.stderr.setEncoding("utf8").on("data", (text) => (this.stderr = (this.stderr + text).slice(-2000)));
    this.child.stdin.on("error", () => {});

    const tap = new TransformStream({ transform: (chunk, to) => (this.read(chunk), to.enqueue(chunk)) });
    const input = Readable.toWeb(this.child.stdout).pipeThrough(tap);
    const { readable, writable } = acp.ndJsonStream(Writable.toWeb(this.child.stdin), input);
    const note = new TransformStream({ transform: (message, to) => (this.sent.push(message), to.enqueue(message)) });
    note.readable.pipeTo(writable).catch(() => {});
    this.connection = acp
      .client({ name: "fountain-tests" })
      .onNotification(ASKED.session.update, () => {})
      .onRequest(ASKED.session.requestPermission, ({ params }) => this.decide(params))
      .connect({ readable, writable: note.writable });
    this.agent = this.connection.agent;
    t.later(() => this.close());
  }

  // stdout is protocol only: one JSON object a line.
  read(chunk) {
    this.rest = (this.rest ?? "") + Buffer.from(chunk).toString("latin1");
    const lines = this.rest.split("\n");
    this.rest = lines.pop();
    for (const line of lines) {
      try {
        this.wire.push(JSON.parse(Buffer.from(line, "latin1").toString("utf8")));
      } catch {
        this.t.expect(false, `stdout holds a line that is no JSON: ${line.slice(0, 200)}`);
      }
    }
  }

  async decide(request) {
    this.asked.push(request);
    const answer = typeof this.answer === "function" ? await this.answer(request) : this.answer;
    if (answer === "cancel") return { outcome: { outcome: "cancelled" } };
    const option = request.options.find(({ kind }) => kind === `${answer}_once`);
    this.t.expect(option !== undefined, `no option of kind ${answer}_once among ${JSON.stringify(request.options)}`);
    return { outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" } };
  }

  async initialize(protocolVersion = acp.PROTOCOL_VERSION) {
    const start = performance.now();
    const result = await this.agent.request(METHOD.initialize, {
      protocolVersion,
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
      clientInfo: { name: "fountain-tests", version: "1" },
    });
    this.initializeMs = Math.round(performance.now() - start);
    return result;
  }

  async newSession() {
    const { sessionId } = await this.agent.request(METHOD.session.new, { cwd: this.cwd, mcpServers: [] });
    this.t.expect(typeof sessionId === "string" && sessionId.length > 0, "session/new gave no session id");
    return sessionId;
  }

  // Sends a prompt, waits for its end and returns what arrived meanwhile.
  async prompt(sessionId, text) {
    const from = this.wire.length;
    const start = performance.now();
    const { stopReason } = await this.agent.request(METHOD.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
    const ms = Math.round(performance.now() - start);
    // Nothing of the turn may come after its response.
    const { id } = this.sent.findLast(({ method, params }) => method === METHOD.session.prompt && params.sessionId === sessionId);
    await sleep(150);
    const late = this.updates(sessionId, this.answered(id) + 1).filter(({ sessionUpdate }) => /chunk|tool_call/.test(sessionUpdate));
    this.t.expect(late.length === 0, `${late.length} updates after the prompt's response`);
    return { stopReason, ms, ...summary(this.updates(sessionId, from)) };
  }

  // Where in what the agent wrote the answer to a request stands.
  answered(id) {
    return this.wire.findIndex((message) => message.id === id && message.method === undefined);
  }

  updates(sessionId, from = 0) {
    const notifications = this.wire.slice(from).filter(({ method }) => method === ASKED.session.update);
    return notifications.filter(({ params }) => params.sessionId === sessionId).map(({ params }) => params.update);
  }

  async until(what, holds, seconds = 10) {
    for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(10)) if (holds()) return;
    throw new Error(`waited ${seconds} s in vain for ${what}`);
  }

  // Closing stdin ends the agent: exit 0, within a second.
  async close() {
    if (this.closed) return;
    this.closed = true;
    const start = performance.now();
    this.child.stdin.end();
    const end = await Promise.race([this.gone, sleep(5000)]);
    if (end === undefined) this.child.kill("SIGKILL");
    const ms = performance.now() - start;
    this.t.expect(end?.code === 0 && ms < 1000, `the agent ended with ${JSON.stringify(end ?? "SIGKILL")} ${Math.round(ms)} ms after its stdin closed`);
    // Paths in the sandbox are no paths here.
    const paths = this.wire.flatMap(({ params }) => [params?.update, params?.toolCall]).filter((item) => item?.locations?.length > 0);
    this.t.expect(paths.length === 0, `${paths.length} messages hold locations`);
    if (this.t.surprises.length > 0 && this.stderr !== "") console.error(`agent's stderr:\n${this.stderr}`);
    this.connection.close();
  }
}

// Updates, counted and put together.
function summary(updates) {
  const counts = {};
  for (const { sessionUpdate } of updates) counts[sessionUpdate] = (counts[sessionUpdate] ?? 0) + 1;
  const text = (kind) => updates.filter((u) => u.sessionUpdate === kind).map((u) => u.content?.text ?? "").join("");
  return { updates: counts, said: text("agent_message_chunk"), heard: text("user_message_chunk"), all: JSON.stringify(updates) };
}

async function open(t, command, answer) {
  const editor = new Editor(t, command, t.folder());
  editor.answer = answer ?? editor.answer;
  const { agentCapabilities } = await editor.initialize();
  editor.capabilities = agentCapabilities ?? {};
  t.note("initialize_ms", editor.initializeMs);
  return editor;
}

// Asks for one command; then asks the sandbox, with permission, whether it ran.
async function oneCommand(t, command, answer, runs) {
  const editor = await open(t, command, answer);
  const session = await editor.newSession();
  const turn = await editor.prompt(session, "run touch marker && echo ran-$((40+2))");
  t.note("updates", turn.updates);
  t.equal(turn.stopReason, "end_turn", "stop reason");
  t.equal(editor.asked.length, 1, "permission requests");
  t.equal(editor.asked[0]?.sessionId, session, "session of the permission request");
  t.equal(editor.asked[0]?.toolCall.kind, "execute", "kind of the tool call");
  if (runs) t.contains(turn.all, "ran-42", "output of the command");
  else t.lacks(turn.all, "ran-42", "output of a command that was not allowed");
  editor.answer = "allow";
  const after = await editor.prompt(session, "run if test -e marker; then echo there-$((40+2)); else echo missing-$((40+2)); fi");
  t.contains(after.all, runs ? "there-42" : "missing-42", "marker file in the sandbox");
}

await main(CLIENT, manifest.version, {
  async initialize(t, command) {
    for (const [asks, gets] of [[1, 1], [99, 1]]) {
      const editor = new Editor(t, command, t.folder());
      const result = await editor.initialize(asks);
      t.note("initialize_ms", editor.initializeMs);
      t.note("agent", result.agentInfo);
      t.equal(result.protocolVersion, gets, `version for a client of version ${asks}`);
      t.equal(result.agentInfo?.name, "fountain", "name of the agent");
      t.equal(result.agentCapabilities?.loadSession, true, "loadSession");
      t.equal(result.agentCapabilities?.promptCapabilities?.image, true, "images");
      await editor.close();
    }
  },

  async say(t, command) {
    const editor = await open(t, command);
    const session = await editor.newSession();
    const turn = await editor.prompt(session, "say hello over there, 你好 🌍\ntalk 20\ntitle A fine title");
    t.note("prompt_ms", turn.ms);
    t.note("updates", turn.updates);
    t.equal(turn.stopReason, "end_turn", "stop reason");
    t.contains(turn.said, "hello over there, 你好 🌍", "text");
    t.expect(turn.updates.agent_message_chunk >= 21, `expected 21 chunks or more, got ${turn.updates.agent_message_chunk}`);
    t.contains(turn.all, '"title":"A fine title"', "title");
    t.equal(editor.asked.length, 0, "permission requests");
    t.note("warm_ms", (await editor.prompt(session, "say again")).ms);
  },

  allow: (t, command) => oneCommand(t, command, "allow", true),
  reject: (t, command) => oneCommand(t, command, "reject", false),
  dismiss: (t, command) => oneCommand(t, command, "cancel", false),

  async write(t, command) {
    const editor = await open(t, command, "allow");
    const session = await editor.newSession();
    const turn = await editor.prompt(session, "write note.txt: forty-two\nrun echo $(wc -c <note.txt)-$((40+2))");
    t.equal(turn.stopReason, "end_turn", "stop reason");
    t.equal(editor.asked.map(({ toolCall }) => toolCall.kind).join(), "edit,execute", "kinds asked for");
    t.expect(/(9|10)-42/.test(turn.all), "the file has not the length it should have");
    t.note("moved_locations", turn.all.split("fountain.sandboxLocations").length - 1);
  },

  async cancel(t, command) {
    const editor = await open(t, command);
    const session = await editor.newSession();
    const turn = editor.prompt(session, "say begun\nslow 40");
    await editor.until("the first words", () => summary(editor.updates(session)).said.includes("begun"));
    await sleep(300);
    const start = performance.now();
    await editor.agent.notify(METHOD.session.cancel, { sessionId: session });
    t.equal((await turn).stopReason, "cancelled", "stop reason");
    t.note("cancel_ms", Math.round(performance.now() - start) - 150);
    t.expect(performance.now() - start < 5000, "the cancel took more than 5 s");
    const next = await editor.prompt(session, "say still here");
    t.equal(next.stopReason, "end_turn", "stop reason of the next prompt");
    t.contains(next.said, "still here", "text of the next prompt");
  },

  // What editors do: a cancel, and every open permission prompt answered `cancelled`.
  async "cancel-asked"(t, command) {
    const editor = await open(t, command);
    const session = await editor.newSession();
    editor.answer = async () => {
      await editor.agent.notify(METHOD.session.cancel, { sessionId: session });
      return "cancel";
    };
    const turn = await editor.prompt(session, "run touch marker && echo ran-$((40+2))");
    t.equal(turn.stopReason, "cancelled", "stop reason");
    t.lacks(turn.all, "ran-42", "output of a cancelled command");
    t.equal((await editor.prompt(session, "say still here")).stopReason, "end_turn", "stop reason of the next prompt");
  },

  async "side-by-side"(t, command) {
    const editor = await open(t, command);
    const [slow, quick] = [await editor.newSession(), await editor.newSession()];
    t.expect(slow !== quick, "two sessions have one id");
    const turn = editor.prompt(slow, "say begun\nslow 40");
    await editor.until("the slow session's first words", () => summary(editor.updates(slow)).said.includes("begun"));
    const other = await editor.prompt(quick, "say meanwhile");
    t.note("other_ms", other.ms);
    t.contains(other.said, "meanwhile", "text of the quick session");
    await editor.agent.notify(METHOD.session.cancel, { sessionId: slow });
    t.equal((await turn).stopReason, "cancelled", "stop reason of the slow session");
  },

  // Another process takes the conversation up: the whole of it, before the response.
  async load(t, command) {
    const first = await open(t, command, "allow");
    const session = await first.newSession();
    await first.prompt(session, "say remember the fountain\nrun touch kept && echo ran-$((40+2))");
    await first.close();

    const second = await open(t, command, "allow");
    const start = performance.now();
    const result = await second.agent.request(METHOD.session.load, { sessionId: session, cwd: second.cwd, mcpServers: [] });
    t.note("load_ms", Math.round(performance.now() - start));
    t.expect(result !== null && typeof result === "object", "the result of session/load is no object");
    const response = second.answered(second.sent.find(({ method }) => method === METHOD.session.load).id);
    const replay = summary(second.wire.slice(0, response).filter(({ params }) => params?.sessionId === session).map(({ params }) => params.update));
    t.note("replay", replay.updates);
    t.contains(replay.heard, "say remember the fountain", "the person's own prompt in the replay");
    t.contains(replay.said, "remember the fountain", "the agent's words in the replay");
    t.contains(replay.all, "ran-42", "the command's output in the replay");
    t.equal(second.asked.length, 0, "permission requests in the replay");
    const next = await second.prompt(session, "run test -e kept && echo kept-$((40+2))");
    t.equal(next.stopReason, "end_turn", "stop reason after the load");
    t.contains(next.all, "kept-42", "the file of the first process");
    t.lacks(next.said, "remember the fountain", "the next turn");

    const missing = await second.agent
      .request(METHOD.session.load, { sessionId: "00000000-0000-7000-8000-000000000000", cwd: second.cwd, mcpServers: [] })
      .then(() => "a result", (error) => error.code);
    t.equal(missing, -32602, "session/load of an unknown id");
  },

  // Offered only where advertised.
  async "list-resume"(t, command) {
    const first = await open(t, command);
    const session = await first.newSession();
    await first.prompt(session, "say remember the fountain");
    await first.close();
    const second = await open(t, command);
    const { list, resume } = second.capabilities.sessionCapabilities ?? {};
    t.note("list", list !== undefined);
    t.note("resume", resume !== undefined);
    if (list !== undefined) {
      const found = [];
      for (let cursor; ; ) {
        const page = await second.agent.request(METHOD.session.list, cursor ? { cursor } : {});
        found.push(...page.sessions);
        cursor = page.nextCursor;
        if (!cursor) break;
      }
      t.note("listed", found.length);
      t.expect(found.some(({ sessionId }) => sessionId === session), "session/list lacks the session");
    }
    if (resume !== undefined) {
      const from = second.wire.length;
      await second.agent.request(METHOD.session.resume, { sessionId: session, cwd: second.cwd, mcpServers: [] });
      t.equal(summary(second.updates(session, from)).said, "", "replay by session/resume");
      t.contains((await second.prompt(session, "say resumed")).said, "resumed", "text after the resume");
    }
  },
});
