import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createContext } from "./command-context.ts";
import { confirm } from "./prompts.ts";

/** A terminal at which somebody presses `keys` as soon as a question is shown. */
function terminal(keys: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  let shown = "";
  let asked = false;
  stderr.on("data", (chunk) => {
    shown += String(chunk);
    if (!asked && shown.includes("Yes")) {
      asked = true;
      void press(stdin, keys);
    }
  });
  const context = createContext(
    {
      env: {},
      cwd: "/",
      home: "/",
      stdin,
      stdout: new PassThrough(),
      stderr,
      signal: new AbortController().signal,
    },
    () => "0".repeat(32),
    {},
  );
  return { context, shown: () => shown };
}

/** One key per turn of the event loop, as from fingers; the prompt listens only after it has drawn. */
async function press(stdin: PassThrough, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await nextTurn();
    stdin.write(key);
  }
}

const question = { text: "Delete everything?", assumeYes: false };
const down = "\u001b[B";
const enter = "\r";

test("Enter alone means No", async () => {
  const { context, shown } = terminal([enter]);

  assert.equal(await confirm(context, question), false);
  assert.ok(shown().includes("Delete everything?"));
});

test("Yes has to be chosen", async () => {
  assert.equal(await confirm(terminal([down, enter]).context, question), true);
});

for (const [keys, expected] of [
  [["y"], true],
  [["Y"], true],
  [["n"], false],
  [["N"], false],
  [[down, down, enter], false],
] as const) {
  test(`${JSON.stringify(keys)} means ${expected ? "Yes" : "No"}`, async () => {
    const { context, shown } = terminal(keys);

    assert.equal(await confirm(context, question), expected);
    assert.equal(shown().endsWith("Cancelled; nothing was changed.\n"), !expected);
  });
}

test("Ctrl+C ends the command as the signal does", async () => {
  const { context, shown } = terminal(["\u0003"]);

  await assert.rejects(confirm(context, question), { name: "Interrupted" });
  assert.match(shown(), /Cancelled; nothing was changed\.\n$/);
});

test("--yes asks nothing", async () => {
  const { context, shown } = terminal([]);

  assert.equal(await confirm(context, { ...question, assumeYes: true }), true);
  assert.equal(shown(), "");
});
