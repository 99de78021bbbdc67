"""The protocol's Python SDK as the editor: `run python-sdk [SCENARIO...] -- fountain acp --agent demo`.

The prompts are instructions of the built-in demo agent, one a line. A command that ran is recognised by `42`, which
its text does not hold: the shell works it out.

The SDK gives the agent HOME, LOGNAME, PATH, SHELL, TERM and USER and no other variable. FOUNTAIN_* and XDG_* are passed
on here, unless ACP_CLIENTS_BARE is set, which shows what a user of the SDK's defaults gets.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from collections import Counter
from importlib import metadata

CLIENT = "python-sdk"

try:
    import acp
    from acp import schema
except ImportError as missing:
    print(f"SKIP {CLIENT}: {missing}; run tests/clients/install")
    sys.exit(77)

VERSION = metadata.version("agent-client-protocol")
LIMIT = float(os.environ.get("ACP_CLIENTS_SECONDS", "60"))
UNKNOWN_SESSION = "00000000-0000-7000-8000-000000000000"


class Findings:
    """One scenario's findings: notes for the summary line, and what should not have been."""

    def __init__(self):
        self.surprises, self.notes = [], {}

    def expect(self, holds, what):
        if not holds:
            self.surprises.append(what)

    def equal(self, actual, expected, what):
        self.expect(actual == expected, f"{what}: expected {expected!r}, got {actual!r}")

    def contains(self, text, part, what):
        self.expect(part in text, f"{what}: expected {part!r} in {text[:400]!r}")

    def lacks(self, text, part, what):
        self.expect(part not in text, f"{what}: did not expect {part!r}")


class Person(acp.Client):
    """The client's side: collects typed updates and answers permission requests."""

    def __init__(self, findings, answer):
        self.findings, self.answer = findings, answer
        self.updates, self.asked = [], []

    async def session_update(self, session_id, update, **_):
        self.updates.append((session_id, update))

    async def request_permission(self, session_id, tool_call, options, **_):
        self.asked.append((session_id, tool_call, options))
        answer = await self.answer() if callable(self.answer) else self.answer
        if answer != "cancel":
            for option in options:
                if option.kind == f"{answer}_once":
                    chosen = schema.AllowedOutcome(outcome="selected", option_id=option.option_id)
                    return acp.RequestPermissionResponse(outcome=chosen)
            self.findings.expect(False, f"no option of kind {answer}_once among {options}")
        return acp.RequestPermissionResponse(outcome=schema.DeniedOutcome(outcome="cancelled"))


class Editor:
    """One agent process and the SDK's connection to it; use as `async with`."""

    def __init__(self, findings, command, cwd, answer="reject"):
        self.findings, self.command, self.cwd = findings, command, cwd
        self.person = Person(findings, answer)
        self.wire = []  # every message both ways, parsed, in order: (incoming, message)

    def observe(self, event):
        self.wire.append((event.direction.value == "incoming", event.message))

    async def __aenter__(self):
        passed = {} if "ACP_CLIENTS_BARE" in os.environ else os.environ
        env = {name: value for name, value in passed.items() if name.startswith(("FOUNTAIN_", "XDG_"))}
        self.stderr = tempfile.TemporaryFile()
        self.context = acp.spawn_agent_process(
            self.person,
            *self.command,
            env=env,
            transport_kwargs={"stderr": self.stderr},
            observers=[self.observe],
        )
        self.agent, self.process = await self.context.__aenter__()
        start = time.monotonic()
        # What the SDK sends by default: a version and no capability.
        self.answer = await self.agent.initialize(protocol_version=acp.PROTOCOL_VERSION)
        self.findings.notes["initialize_ms"] = milliseconds(start)
        return self

    async def __aexit__(self, kind, error, trace):
        start = time.monotonic()
        await self.context.__aexit__(None, None, None)
        took = milliseconds(start)
        self.findings.expect(
            self.process.returncode == 0 and took < 1000,
            f"the agent ended with {self.process.returncode} {took} ms after its stdin closed",
        )
        if error or self.findings.surprises:
            self.stderr.seek(0)
            print(f"agent's stderr:\n{self.stderr.read().decode(errors='replace')[-2000:]}", file=sys.stderr)
        self.stderr.close()

    async def new_session(self):
        return (await self.agent.new_session(cwd=self.cwd)).session_id

    async def prompt(self, session, text):
        """Sends a prompt, waits for its end and returns what arrived meanwhile."""
        at, mark, start = len(self.wire), len(self.person.updates), time.monotonic()
        result = await self.agent.prompt(session_id=session, prompt=[acp.text_block(text)])
        took = milliseconds(start)
        await asyncio.sleep(0.15)
        return Turn(result.stop_reason, took, self.raw(session, at), self.typed(session, mark))

    def raw(self, session, start=0, end=None):
        """The updates of a session as they came over the wire."""
        messages = [m["params"] for incoming, m in self.wire[start:end] if incoming and m.get("method") == "session/update"]
        return [params["update"] for params in messages if params["sessionId"] == session]

    def typed(self, session, start=0):
        return [update for owner, update in self.person.updates[start:] if owner == session]

    async def until_said(self, session, text, seconds=10):
        end = time.monotonic() + seconds
        while text not in Turn("", 0, self.raw(session), []).said:
            if time.monotonic() > end:
                raise TimeoutError(f"waited {seconds} s in vain for {text!r}")
            await asyncio.sleep(0.01)


class Turn:
    def __init__(self, stop_reason, ms, raw, typed):
        self.stop_reason, self.ms = stop_reason, ms
        self.updates = dict(Counter(update["sessionUpdate"] for update in raw))
        # The SDK drops what it cannot read.
        self.dropped = len(raw) - len(typed)
        self.said = self.text(raw, "agent_message_chunk")
        self.heard = self.text(raw, "user_message_chunk")
        self.all = json.dumps(raw, ensure_ascii=False)

    @staticmethod
    def text(raw, kind):
        return "".join(u.get("content", {}).get("text", "") for u in raw if u["sessionUpdate"] == kind)


def milliseconds(start):
    return round((time.monotonic() - start) * 1000)


async def one_command(t, command, cwd, answer, runs):
    """Asks for one command; then asks the sandbox, with permission, whether it ran."""
    async with Editor(t, command, cwd, answer) as editor:
        session = await editor.new_session()
        turn = await editor.prompt(session, "run touch marker && echo ran-$((40+2))")
        t.notes["updates"] = turn.updates
        t.equal(turn.stop_reason, "end_turn", "stop reason")
        t.equal(turn.dropped, 0, "updates the SDK could not read")
        t.equal([(owner, call.kind) for owner, call, _ in editor.person.asked], [(session, "execute")], "permission requests")
        if runs:
            t.contains(turn.all, "ran-42", "output of the command")
        else:
            t.lacks(turn.all, "ran-42", "output of a command that was not allowed")
        editor.person.answer = "allow"
        after = await editor.prompt(
            session, "run if test -e marker; then echo there-$((40+2)); else echo missing-$((40+2)); fi"
        )
        t.contains(after.all, "there-42" if runs else "missing-42", "marker file in the sandbox")


async def initialize(t, command, cwd):
    async with Editor(t, command, cwd) as editor:
        answer = editor.answer
        t.notes["agent"] = answer.agent_info.model_dump(exclude_none=True) if answer.agent_info else None
        t.equal(answer.protocol_version, 1, "version")
        t.expect(answer.agent_capabilities and answer.agent_capabilities.load_session, "loadSession is not offered")


async def say(t, command, cwd):
    async with Editor(t, command, cwd) as editor:
        session = await editor.new_session()
        turn = await editor.prompt(session, "say hello over there, 你好 🌍\ntalk 20\ntitle A fine title")
        t.notes.update(prompt_ms=turn.ms, updates=turn.updates)
        t.equal(turn.stop_reason, "end_turn", "stop reason")
        t.equal(turn.dropped, 0, "updates the SDK could not read")
        t.contains(turn.said, "hello over there, 你好 🌍", "text")
        t.contains(turn.all, "A fine title", "title")
        t.equal(len(editor.person.asked), 0, "permission requests")
        t.notes["warm_ms"] = (await editor.prompt(session, "say again")).ms


async def allow(t, command, cwd):
    await one_command(t, command, cwd, "allow", True)


async def reject(t, command, cwd):
    await one_command(t, command, cwd, "reject", False)


async def dismiss(t, command, cwd):
    await one_command(t, command, cwd, "cancel", False)


async def cancel(t, command, cwd):
    async with Editor(t, command, cwd) as editor:
        session = await editor.new_session()
        turn = asyncio.create_task(editor.prompt(session, "say begun\nslow 40"))
        await editor.until_said(session, "begun")
        await asyncio.sleep(0.3)
        start = time.monotonic()
        await editor.agent.cancel(session_id=session)
        t.equal((await turn).stop_reason, "cancelled", "stop reason")
        t.notes["cancel_ms"] = milliseconds(start) - 150
        t.expect(time.monotonic() - start < 5, "the cancel took more than 5 s")
        after = await editor.prompt(session, "say still here")
        t.equal(after.stop_reason, "end_turn", "stop reason of the next prompt")
        t.contains(after.said, "still here", "text of the next prompt")


async def cancel_asked(t, command, cwd):
    """What editors do: a cancel, and every open permission prompt answered `cancelled`."""
    async with Editor(t, command, cwd) as editor:
        session = await editor.new_session()

        async def answer():
            await editor.agent.cancel(session_id=session)
            return "cancel"

        editor.person.answer = answer
        turn = await editor.prompt(session, "run touch marker && echo ran-$((40+2))")
        t.equal(turn.stop_reason, "cancelled", "stop reason")
        t.lacks(turn.all, "ran-42", "output of a cancelled command")
        t.equal((await editor.prompt(session, "say still here")).stop_reason, "end_turn", "stop reason of the next prompt")


async def load(t, command, cwd):
    """Another process takes the conversation up: the whole of it, before the response."""
    async with Editor(t, command, cwd, "allow") as first:
        session = await first.new_session()
        await first.prompt(session, "say remember the fountain\nrun touch kept && echo ran-$((40+2))")

    async with Editor(t, command, cwd, "allow") as second:
        start = time.monotonic()
        await second.agent.load_session(cwd=cwd, session_id=session)
        t.notes["load_ms"] = milliseconds(start)
        [asked] = [m["id"] for incoming, m in second.wire if not incoming and m.get("method") == "session/load"]
        [answered] = [
            at for at, (incoming, m) in enumerate(second.wire) if incoming and "method" not in m and m["id"] == asked
        ]
        replay = Turn("", 0, second.raw(session, 0, answered), [])
        t.notes["replay"] = replay.updates
        t.contains(replay.heard, "say remember the fountain", "the person's own prompt in the replay")
        t.contains(replay.said, "remember the fountain", "the agent's words in the replay")
        t.contains(replay.all, "ran-42", "the command's output in the replay")
        t.equal(len(second.person.asked), 0, "permission requests in the replay")
        turn = await second.prompt(session, "run test -e kept && echo kept-$((40+2))")
        t.equal(turn.stop_reason, "end_turn", "stop reason after the load")
        t.contains(turn.all, "kept-42", "the file of the first process")
        try:
            await second.agent.load_session(cwd=cwd, session_id=UNKNOWN_SESSION)
            t.expect(False, "session/load of an unknown id succeeded")
        except acp.RequestError as error:
            t.equal(error.code, -32602, "session/load of an unknown id")


SCENARIOS = {
    "initialize": initialize,
    "say": say,
    "allow": allow,
    "reject": reject,
    "dismiss": dismiss,
    "cancel": cancel,
    "cancel-asked": cancel_asked,
    "load": load,
}


async def run(name, command):
    t, start = Findings(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fountain-client-") as cwd:
        try:
            await asyncio.wait_for(SCENARIOS[name](t, command, cwd), LIMIT)
        except asyncio.TimeoutError:
            t.surprises.append(f"not done after {LIMIT:g} s")
        except acp.RequestError as error:
            t.surprises.append(f"error {error.code}: {error}")
        except Exception as error:
            t.surprises.append(f"{type(error).__name__}: {error}")
    ok = not t.surprises
    line = {"client": CLIENT, "version": VERSION, "scenario": name, "ok": ok, "ms": milliseconds(start), **t.notes}
    print(json.dumps(line if ok else {**line, "surprises": t.surprises}, ensure_ascii=False), flush=True)
    return ok


def main(argv):
    if "--list" in argv:
        print("\n".join(SCENARIOS))
        return 0
    split = argv.index("--") if "--" in argv else len(argv)
    names, command = argv[:split] or list(SCENARIOS), argv[split + 1 :]
    if not command or any(name not in SCENARIOS for name in names):
        print(f"usage: {CLIENT} [{'|'.join(SCENARIOS)}]... -- COMMAND [ARG...]", file=sys.stderr)
        return 2
    results = [asyncio.run(run(name, command)) for name in names]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
