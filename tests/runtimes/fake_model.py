#!/usr/bin/env python3
"""A model server on loopback that does what the prompt says, for tests with real agents.

usage: fake_model.py [PORT [LOG]]

PORT 0, the default, picks one; the first line on stdout is `PORT n`. LOG gets one JSON line a request. It speaks what
the agents really send: Gemini's generateContent and streamGenerateContent, and Anthropic's Messages.

The newest message of a person that holds instructions, one a line, decides; they are followed in order:

    SAY: text           says it, word by word
    SLOW: seconds       says a word a second
    RUN: command        calls the agent's tool for commands
    WRITE: file: text   calls the agent's tool for writing files

After a tool call it says what the result was, then goes on with the next instruction.
"""

import itertools
import json
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple, Optional

INSTRUCTION = re.compile(r"^\s*(SAY|SLOW|RUN|WRITE):[ \t]*(.*?)\s*$", re.MULTILINE)
SECONDS_A_WORD = 0.02


class Call(NamedTuple):
    tool: str
    arguments: dict


class Reply(NamedTuple):
    words: list  # (seconds to wait before, text)
    call: Optional[Call]

    @property
    def text(self):
        return "".join(text for _, text in self.words)


def reply_to(history, tools):
    """The next step, for a history of ("person" | "result", text)."""
    steps, results = [], []
    for who, text in history:
        found = INSTRUCTION.findall(text) if who == "person" else []
        if found:
            steps, results = found, []
        elif who == "result":
            results.append(text)

    words = spoken("The result was: " + " ".join(results[-1].split())[:400]) if results else []
    calls = 0
    for name, rest in steps:
        if name in ("RUN", "WRITE"):
            calls += 1
            if calls > len(results):
                call = call_for(name, rest, tools)
                return Reply(words, call) if call else Reply(words + spoken(f"No tool is offered for {name}."), None)
        elif calls == len(results):
            words += spoken(rest) if name == "SAY" else [(1, f"tick{n} ") for n in range(int(rest))]
    return Reply(words or spoken("There is nothing to do."), None)


def spoken(text):
    return [(SECONDS_A_WORD, word) for word in re.findall(r"\S+\s*", text + " ")]


def call_for(name, rest, tools):
    """The instruction as a call of a tool that the agent offers, by that agent's name for it."""
    if name == "RUN":
        arguments = {"command": rest, "description": "A command of the test"}
        known = ("run_shell_command", "Bash")
    else:
        file, _, text = rest.partition(":")
        arguments = {"file_path": file.strip(), "content": text.strip() + "\n"}
        known = ("write_file", "Write")
    return next((Call(tool, arguments) for tool in known if tool in tools), None)


def example_of(schema):
    """A value that a JSON schema takes; agents ask for one to route or to name a conversation."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = str(schema.get("type", "string")).lower()
    if kind == "object":
        return {name: example_of(inner) for name, inner in schema.get("properties", {}).items()}
    return {"integer": 1, "number": 1, "boolean": False, "array": []}.get(kind, "example")


# What the two wires call the same things.


def gemini_history(request):
    for message in request.get("contents", []):
        for part in message.get("parts", []):
            if "functionResponse" in part:
                response = part["functionResponse"].get("response", {})
                yield "result", str(response.get("output") or response.get("error") or response)
            elif "text" in part and message.get("role", "user") == "user":
                yield "person", part["text"]


def gemini_tools(request):
    return {f["name"] for tool in request.get("tools", []) for f in tool.get("functionDeclarations", [])}


def gemini_chunk(part, finish=None):
    candidate = {"index": 0, "content": {"role": "model", "parts": [part]}}
    if finish:
        candidate["finishReason"] = finish
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "fake"}


def anthropic_history(request):
    for message in request.get("messages", []):
        content = message["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if block["type"] == "tool_result":
                inner = block.get("content", "")
                yield "result", inner if isinstance(inner, str) else "\n".join(b.get("text", "") for b in inner)
            elif block["type"] == "text" and message["role"] == "user":
                yield "person", block["text"]


class Model(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    log_file = None
    lock = threading.Lock()
    numbers = itertools.count(1)

    def do_HEAD(self):
        self.send_json(200, None)

    def do_GET(self):
        self.send_json(404, {"error": {"type": "not_found_error", "message": f"no {self.path}"}})

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        path, self.number = self.path.partition("?")[0], next(self.numbers)
        try:
            if path.endswith(":countTokens"):
                self.send_json(200, {"totalTokens": 10})
            elif path.endswith((":generateContent", ":streamGenerateContent")):
                self.gemini(request, stream=path.endswith(":streamGenerateContent"))
            elif path.endswith("/messages/count_tokens"):
                self.send_json(200, {"input_tokens": 10})
            elif path.endswith("/messages"):
                self.anthropic(request)
            else:
                self.send_json(404, {"error": {"type": "not_found_error", "message": f"no {path}"}})
        except (BrokenPipeError, ConnectionResetError):
            self.note(gone=True)
            self.close_connection = True

    def gemini(self, request, stream):
        settings = request.get("generationConfig", {})
        schema = settings.get("responseJsonSchema") or settings.get("responseSchema")
        reply = self.decide(list(gemini_history(request)), gemini_tools(request), schema)
        end = {"text": ""}
        if reply.call:
            end = {"functionCall": {"id": f"call{self.number}", "name": reply.call.tool, "args": reply.call.arguments}}
        if not stream:
            return self.send_json(200, gemini_chunk(end if reply.call else {"text": reply.text}, "STOP"))
        self.start_stream()
        for text in self.paced(reply):
            self.event(gemini_chunk({"text": text}))
        self.event(gemini_chunk(end, "STOP"))

    def anthropic(self, request):
        tools = {tool["name"] for tool in request.get("tools", [])}
        schema = request.get("output_config", {}).get("format", {}).get("schema")
        reply = self.decide(list(anthropic_history(request)), tools, schema)
        blocks, use = [], None
        if reply.words:
            blocks.append({"type": "text", "text": reply.text})
        if reply.call:
            use = {"type": "tool_use", "id": f"toolu_{self.number:06}", "name": reply.call.tool, "input": reply.call.arguments}
            blocks.append(use)
        message = {
            "id": f"msg_{self.number:06}",
            "type": "message",
            "role": "assistant",
            "model": request.get("model"),
            "content": blocks,
            "stop_reason": "tool_use" if use else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 5},
        }
        if not request.get("stream"):
            return self.send_json(200, message)

        self.start_stream()
        self.typed_event("message_start", message={**message, "content": [], "stop_reason": None})
        if reply.words:
            self.typed_event("content_block_start", index=0, content_block={"type": "text", "text": ""})
            for text in self.paced(reply):
                self.typed_event("content_block_delta", index=0, delta={"type": "text_delta", "text": text})
            self.typed_event("content_block_stop", index=0)
        if use:
            at = len(blocks) - 1
            delta = {"type": "input_json_delta", "partial_json": json.dumps(use["input"])}
            self.typed_event("content_block_start", index=at, content_block={**use, "input": {}})
            self.typed_event("content_block_delta", index=at, delta=delta)
            self.typed_event("content_block_stop", index=at)
        end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
        self.typed_event("message_delta", delta=end, usage={"output_tokens": 5})
        self.typed_event("message_stop")

    def decide(self, history, tools, schema):
        if schema:
            reply = Reply([(0, json.dumps(example_of(schema)))], None)
        elif not tools:
            reply = Reply(spoken("A side request"), None)  # a title, a summary
        else:
            reply = reply_to(history, tools)
        self.note(last=[[who, text[-300:]] for who, text in history[-1:]], says=reply.text[:300], calls=reply.call)
        return reply

    def paced(self, reply):
        for seconds, text in reply.words:
            time.sleep(seconds)
            yield text

    def send_json(self, status, body):
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def start_stream(self):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()

    def event(self, data, name=None):
        head = f"event: {name}\n" if name else ""
        self.wfile.write(f"{head}data: {json.dumps(data)}\n\n".encode())
        self.wfile.flush()

    def typed_event(self, name, **data):
        self.event({"type": name, **data}, name)

    def note(self, **facts):
        if self.log_file:
            with self.lock:
                print(json.dumps({"number": self.number, "path": self.path, **facts}), file=self.log_file, flush=True)

    def log_message(self, *_):
        pass


def main(argv):
    port = int(argv[0]) if argv else 0
    if len(argv) > 1:
        Model.log_file = open(argv[1], "a", encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", port), Model)
    server.daemon_threads = True
    print("PORT", server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        pass
