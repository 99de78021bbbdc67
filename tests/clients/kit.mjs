// What the JavaScript clients share: finding the installed packages, running scenarios, judging what was seen.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// Ends the program as skipped, in a way nobody can read as passed.
export function skip(client, why) {
  console.log(`SKIP ${client}: ${why}`);
  process.exit(77);
}

// The folder of an installed npm package and its manifest.
export function installed(client, name) {
  const root = process.env.ACP_CLIENTS_FOLDER ?? execFileSync(join(here, "install"), ["--where"], { encoding: "utf8" }).trim();
  const folder = join(root, "npm", "node_modules", name);
  if (!existsSync(join(folder, "package.json"))) skip(client, `${name} is missing; run tests/clients/install`);
  return { folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) };
}

export function nodeAtLeast(client, major, minor) {
  const [a, b] = process.versions.node.split(".").map(Number);
  if (a < major || (a === major && b < minor)) skip(client, `needs Node ${major}.${minor}, this is ${process.versions.node}`);
}

// One scenario's findings: notes for the summary line, and what should not have been.
export class Findings {
  surprises = [];
  notes = {};
  cleanups = [];

  expect(holds, what) {
    if (!holds) this.surprises.push(what);
  }

  equal(actual, expected, what) {
    this.expect(actual === expected, `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
  }

  contains(text, part, what) {
    this.expect(text.includes(part), `${what}: expected ${JSON.stringify(part)} in ${JSON.stringify(text.slice(0, 400))}`);
  }

  lacks(text, part, what) {
    this.expect(!text.includes(part), `${what}: did not expect ${JSON.stringify(part)}`);
  }

  note(name, value) {
    this.notes[name] = value;
  }

  // Runs when the scenario is over, the latest first.
  later(cleanup) {
    this.cleanups.unshift(cleanup);
  }

  folder() {
    const path = mkdtempSync(join(tmpdir(), "fountain-client-"));
    this.later(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
    return path;
  }
}

// Runs the scenarios asked for on the command line: `[SCENARIO...] -- COMMAND [ARG...]`.
export async function main(client, version, scenarios) {
  const argv = process.argv.slice(2);
  if (argv.includes("--list")) {
    console.log(Object.keys(scenarios).join("\n"));
    process.exit(0);
  }
  const split = argv.indexOf("--");
  const names = split < 0 ? argv : argv.slice(0, split);
  const command = split < 0 ? [] : argv.slice(split + 1);
  const unknown = names.filter((name) => !(name in scenarios));
  if (command.length === 0 || unknown.length > 0) {
    console.error(`usage: ${client} [${Object.keys(scenarios).join("|")}]... -- COMMAND [ARG...]`);
    process.exit(2);
  }

  const limit = Number(process.env.ACP_CLIENTS_SECONDS ?? 60);
  let failed = false;
  for (const name of names.length > 0 ? names : Object.keys(scenarios)) {
    const findings = new Findings();
    const start = performance.now();
    let timer;
    const tooLong = new Promise((_, refuse) => {
      timer = setTimeout(() => refuse(new Error(`not done after ${limit} s`)), limit * 1000);
    });
    try {
      await Promise.race([scenarios[name](findings, command), tooLong]);
    } catch (error) {
      findings.surprises.push(error.code === undefined ? `${error.message ?? error}` : `error ${error.code}: ${error.message}`);
    }
    clearTimeout(timer);
    for (const cleanup of findings.cleanups) {
      try {
        await cleanup();
      } catch (error) {
        findings.surprises.push(`cleaning up: ${error.message}`);
      }
    }
    const ok = findings.surprises.length === 0;
    failed ||= !ok;
    const ms = Math.round(performance.now() - start);
    console.log(JSON.stringify({ client, version, scenario: name, ok, ms, ...findings.notes, ...(ok ? {} : { surprises: findings.surprises }) }));
  }
  process.exit(failed ? 1 : 0);
}
