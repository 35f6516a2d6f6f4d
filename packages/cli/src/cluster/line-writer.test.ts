import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createContext } from "../command-context.ts";
import { createLineWriter } from "./line-writer.ts";

function writerTo(stdout: PassThrough, env: Readonly<Record<string, string>> = {}, signal?: AbortSignal) {
  const host = {
    env,
    cwd: "/",
    home: "/",
    stdin: Readable.from([]),
    stdout,
    stderr: new PassThrough(),
    signal: signal ?? new AbortController().signal,
  };
  return createLineWriter(createContext(host, () => "0".repeat(32), {}));
}

function terminal(): PassThrough {
  return Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
}

/** Everything that was written so far. */
function text(stream: PassThrough): string {
  let all = "";
  for (let chunk: unknown = stream.read(); chunk !== null; chunk = stream.read()) {
    all += String(chunk);
  }
  return all;
}

test("on a terminal each source has a colour of its own, which it keeps", async () => {
  const screen = terminal();
  const writer = writerTo(screen);

  await writer.write("a", "a ", "1");
  await writer.write("b", "b ", "2");
  await writer.write("a", "a ", "3");

  const [first = "", second = "", third = ""] = text(screen).split("\n");
  assert.equal(first, "\u001b[36ma \u001b[39m1");
  assert.equal(second, "\u001b[32mb \u001b[39m2");
  assert.equal(third, "\u001b[36ma \u001b[39m3");
});

for (const [where, screen, env] of [
  ["into a pipe", new PassThrough(), {}],
  ["with NO_COLOR", terminal(), { NO_COLOR: "1" }],
] as const) {
  test(`${where} there are no colours`, async () => {
    await writerTo(screen, env).write("a", "a ", "1");

    assert.equal(text(screen), "a 1\n");
  });
}

test("what a container prints keeps its colours on a terminal, and can do nothing else to it", async () => {
  const screen = terminal();
  const hostile = "\u001b[31mred\u001b[0m\tplain \u001b[2J\u001b]0;title\u0007\u001b[6n\rover\u0008";

  await writerTo(screen).write("a", "", hostile);

  assert.equal(text(screen), "\u001b[36m\u001b[39m\u001b[31mred\u001b[0m\tplain  over \u001b[0m\n");
});

test("a pipe gets what a container prints as it is", async () => {
  const pipe = new PassThrough();

  await writerTo(pipe).write("a", "", "\u001b[31mred");

  assert.equal(text(pipe), "\u001b[31mred\n");
});

test("a reader that is slow is waited for, and Ctrl+C ends the wait", async () => {
  const stop = new AbortController();
  const pipe = new PassThrough({ highWaterMark: 4 });
  const writer = writerTo(pipe, {}, stop.signal);
  let written = 0;
  const first = writer.write("a", "", "more than four").then(() => (written += 1));

  await nextTurn();
  assert.equal(written, 0);
  pipe.read();
  await first;
  const second = writer.write("a", "", "more than four");
  stop.abort();
  await second;
});
