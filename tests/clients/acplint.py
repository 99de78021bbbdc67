"""Lets `acplint` loose on an ACP agent: `acplint.py -- COMMAND [ARG...]`.

It is no oracle: some of what it sends is no ACP, and it expects words that the schema does not have. What counts here
is that the agent answers everything and goes on; `validate.mjs` judges the answers.
"""

import importlib.util
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

# By its module: the script that pip makes names the folder in which it was installed. It waits for what never comes,
# 10 to 20 s each time, written into it; what does come is there in milliseconds.
LINT_MAIN = """
import asyncio, sys
wait_for = asyncio.wait_for
asyncio.wait_for = lambda what, timeout=None: wait_for(what, None if timeout is None else min(timeout, 5))
from acplint.cli import main
sys.exit(main())
"""
LINT = [sys.executable, "-c", LINT_MAIN]


def main(arguments):
    if "--" not in arguments or not arguments[arguments.index("--") + 1 :]:
        print("usage: acplint.py -- COMMAND [ARG...]", file=sys.stderr)
        return 2
    if importlib.util.find_spec("acplint") is None:
        print("SKIP acplint: acplint is missing; run tests/clients/install")
        return 77
    command, *rest = arguments[arguments.index("--") + 1 :]
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        lint = [*LINT, "--agent", command, "--agent-args", shlex.join(rest), "--cwd", folder]
        lint += ["--timeout", "2", "--output", "json", "--output-file", report]
        limit = int(os.environ.get("ACP_CLIENTS_SECONDS", "60")) * 3
        done = subprocess.run(lint, capture_output=True, text=True, timeout=limit)
        # It ends with 1 as soon as it is not content; without a report it got nowhere.
        found = json.loads(report.read_text()) if report.exists() else None
    line = {"client": "acplint", "ok": found is not None, "ms": round((time.monotonic() - start) * 1000)}
    if found is None:
        line["surprises"] = [done.stdout[-500:] + done.stderr[-500:]]
    else:
        line["level"] = found["conformance_level"]
        errored = sum(part["errored"] for part in found["summary"].values() if isinstance(part, dict) and "errored" in part)
        line["errored"] = errored
    print(json.dumps(line))
    return 0 if line["ok"] else 1


sys.exit(main(sys.argv[1:]))
