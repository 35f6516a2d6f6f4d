import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { createContext } from "../command-context.ts";
import { createProgressView } from "./progress-view.ts";

/** What a view says on stderr when the control plane goes away twice, and comes back. */
async function shown(output: string, isTTY: boolean): Promise<string> {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 80, rows: 24 });
  let text = "";
  stderr.on("data", (chunk) => {
    text += String(chunk);
  });
  const signal = new AbortController().signal;
  const host = { env: {}, cwd: "/", home: "/", stdin: new PassThrough(), stdout: new PassThrough(), stderr, signal };
  const view = await createProgressView(
    createContext(host, () => "", { output }),
    "In Progress...",
  );
  for (const isAway of [true, true, false, false]) {
    view.away(isAway);
    await new Promise((resolve) => setTimeout(resolve, 150)); // a terminal is redrawn ten times a second
  }
  await view.end();
  return text;
}

test("in a log an outage is one line, and so is its end", async () => {
  assert.equal(
    await shown("table", false),
    "The control plane does not answer; waiting for it...\nThe control plane is back.\n",
  );
});

test("with -o json an outage and its end are events", async () => {
  const events = (await shown("json", false)).trimEnd().split("\n");

  assert.deepEqual(
    events.map((line) => (JSON.parse(line) as { event: string; state: string }).state),
    ["Lost", "Restored"],
  );
});

test("on a terminal an outage takes the place of the heading", async () => {
  assert.match(await shown("table", true), /does not answer; waiting for it\.\.\.[^]*In Progress\.\.\./);
});
