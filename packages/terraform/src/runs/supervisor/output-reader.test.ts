import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { it } from "node:test";
import { secretPatterns } from "../redaction/stream-redactor.ts";
import type { RunEvent, RunLine } from "../run-event.ts";
import { readOutput } from "./output-reader.ts";

interface Read {
  readonly lines: RunLine[];
  readonly events: RunEvent[];
  workingAfter: number | undefined;
}

async function read(pieces: readonly string[], isJson: boolean, secrets: readonly string[] = []): Promise<Read> {
  const result: Read = { lines: [], events: [], workingAfter: undefined };
  await readOutput(Readable.from(pieces.map((piece) => new TextEncoder().encode(piece))), {
    stream: isJson ? "stdout" : "stderr",
    isJson,
    patterns: secretPatterns(secrets),
    onWorking: () => {
      result.workingAfter ??= result.lines.length;
    },
    onOutput: async (lines, events) => {
      result.lines.push(...lines);
      result.events.push(...events);
    },
  });
  return result;
}

const started = {
  "@level": "info",
  "@message": 'x["true"]: Creating...',
  type: "apply_start",
  hook: { resource: { addr: 'x["true"]', resource_type: "x", resource_key: true }, action: "create" },
};

it("reads events although a secret is a word of JSON, and hides it in their texts", async () => {
  const { lines, events } = await read([JSON.stringify(started), "\n"], true, ["true", "1234"]);

  assert.deepEqual(
    lines.map(({ text }) => text),
    ['x["[redacted]"]: Creating...'],
  );
  assert.deepEqual(events, [
    { kind: "resource", address: 'x["[redacted]"]', type: "x", action: "create", state: "started", elapsedSeconds: 0 },
  ]);
});

it("divides text into lines wherever it arrives in pieces, without secrets of several lines", async () => {
  const { lines } = await read(["a li", "ne\r\nkey: fir", "st line\nsec", "ond line\n\nend"], false, [
    "first line\nsecond line",
  ]);

  assert.deepEqual(
    lines.map(({ text }) => text),
    ["a line", "key: [redacted]", "end"],
  );
});

it("takes lines that are no JSON for text, and hides secrets there", async () => {
  const { lines, events } = await read(["panic: hunter2222\n", "{not json}\n"], true, ["hunter2222"]);

  assert.deepEqual([lines.map(({ text }) => text), events], [["panic: [redacted]", "{not json}"], []]);
});

it("tells levels of Terraform's own log", async () => {
  const { lines } = await read(
    ["2026-01-01T00:00:00Z [TRACE] a\n2026-01-01T00:00:00Z [WARN]  b\n2026-01-01T00:00:00Z [ERROR] c\nError: d\n"],
    false,
  );

  assert.deepEqual(
    lines.map(({ level }) => level),
    ["info", "warn", "warn", "error"],
  );
});

it("tells levels of Terraform's own log where it is one of objects", async () => {
  const { lines } = await read(
    [
      '{"@level":"trace","@message":"a"}\n{"@caller":"x.go:1","@level":"warn","@message":"b"}\n',
      '{"@level":"error","@message":"c"}\n{"level":"error"}\n',
    ],
    false,
  );

  assert.deepEqual(
    lines.map(({ level }) => level),
    ["info", "warn", "warn", "error"],
  );
});

it("leaves out lines of extraordinary length", async () => {
  const { lines } = await read(["x".repeat(10_000_000), "y".repeat(10_000_000), "\nshort\n"], true);

  assert.deepEqual(
    lines.map(({ text }) => text),
    ["(a line of 20000000 characters)", "short"],
  );
});

it("of a text that is very long, the beginning and the end are told", async () => {
  const long = `first ${"x".repeat(1_000_000)} last`;
  const diagnostic = { severity: "error", summary: "s", detail: long };
  const event = { "@level": "error", "@message": long, type: "diagnostic", diagnostic };

  const { lines, events } = await read([`${JSON.stringify(event)}\n`], true);
  const [plain] = (await read([`${long}\n`], false)).lines;

  const found = events[0]?.kind === "diagnostic" ? events[0].diagnostic.detail : "";
  for (const text of [lines[0]?.text ?? "", plain?.text ?? "", found]) {
    assert.match(text, /^first x+ \(… 934475 characters …\) x+ last$/u);
    assert.ok(text.length < 70_000);
  }
});
