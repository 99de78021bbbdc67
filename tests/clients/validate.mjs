// Judges recorded lines of an ACP agent by the protocol's own JSON schema: `validate.mjs FOLDER`. One JSON line on
// stdout with the counts; exit 1 and a line for each that does not fit. A request that was answered twice is wrong too.

import { createRequire } from "node:module";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { installed } from "./kit.mjs";

const { folder } = installed("validate", "@agentclientprotocol/sdk");
const { folder: ajv } = installed("validate", "ajv");
const Ajv = createRequire(import.meta.url)(join(ajv, "dist", "2020.js")).default;
const schema = JSON.parse(readFileSync(join(folder, "schema", "v1", "schema.json"), "utf8"));

// Its own annotations say which definition belongs to which method; what they say of formats is for other languages.
const judge = new Ajv({ strict: false, allErrors: true, validateFormats: false, discriminator: false });
judge.addSchema(schema, "acp");

const definitions = { params: new Map(), result: new Map() };
for (const [name, definition] of Object.entries(schema.$defs)) {
  const method = definition["x-method"];
  if (method === undefined) continue;
  const part = name.endsWith("Response") ? "result" : "params";
  definitions[part].set(method, judge.getSchema(`acp#/$defs/${name}`));
}

const errorObject = judge.getSchema("acp#/$defs/Error");

// Answered without its list on purpose: some clients would send nothing but what is on it.
const EXCEPTIONS = new Set(["session/set_config_option"]);

const counts = { processes: 0, lines: 0, results: 0, errors: 0, notifications: 0, requests: 0, excepted: 0, unanswered: 0 };
const wrong = [];

function lines(path) {
  return readFileSync(path, "utf8").split("\n").filter((line) => line !== "");
}

function parsed(line) {
  try {
    const message = JSON.parse(line);
    return message?.method === undefined ? message : undefined;
  } catch {
    return undefined;
  }
}

function fits(check, value, line, what) {
  if (check === undefined) return wrong.push(`no definition for ${what}: ${line}`);
  if (!check(value)) wrong.push(`${what}: ${judge.errorsText(check.errors)}: ${line}`);
}

function judgeLine(line, asked) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return wrong.push(`no JSON: ${line}`);
  }
  if (message === null || Array.isArray(message) || typeof message !== "object" || message.jsonrpc !== "2.0")
    return wrong.push(`no message of JSON-RPC 2.0: ${line}`);
  if (typeof message.method === "string") {
    counts["id" in message ? "requests" : "notifications"] += 1;
    return fits(definitions.params.get(message.method), message.params, line, message.method);
  }
  const both = ["result", "error"].filter((part) => part in message);
  if (!("id" in message) || both.length !== 1) return wrong.push(`no answer: ${line}`);
  if ("error" in message) {
    counts.errors += 1;
    return fits(errorObject, message.error, line, "an error");
  }
  counts.results += 1;
  const method = asked.get(JSON.stringify(message.id));
  if (method === undefined) return wrong.push(`an answer that nobody asked for: ${line}`);
  if (EXCEPTIONS.has(method)) return void (counts.excepted += 1);
  fits(definitions.result.get(method), message.result, line, `the answer to ${method}`);
}

const record = process.argv[2];
for (const name of readdirSync(record).filter((name) => name.endsWith(".out"))) {
  counts.processes += 1;
  const asked = new Map();
  const uses = new Map();
  for (const line of lines(join(record, name.replace(/\.out$/, ".in")))) {
    try {
      const { id, method } = JSON.parse(line);
      if (id === undefined || typeof method !== "string") continue;
      asked.set(JSON.stringify(id), method);
      uses.set(JSON.stringify(id), (uses.get(JSON.stringify(id)) ?? 0) + 1);
    } catch {
      // What a client writes is not what is judged here.
    }
  }
  const out = lines(join(record, name));
  counts.lines += out.length;
  for (const line of out) judgeLine(line, asked);
  const answers = out.map((line) => JSON.stringify(parsed(line)?.id));
  for (const id of asked.keys()) if (!answers.includes(id)) counts.unanswered += 1;
  for (const [id, times] of uses) {
    if (answers.filter((answer) => answer === id).length > times) wrong.push(`more answers than requests with the id ${id}`);
  }
}

console.log(JSON.stringify({ validated: counts, wrong: wrong.length }));
for (const line of wrong.slice(0, 50)) console.log(`WRONG ${line.slice(0, 1000)}`);
process.exit(wrong.length > 0 || counts.lines === 0 ? 1 : 0);
