import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { createEventParser, type ServerEvent } from "./event-parser.ts";

function parse(...chunks: readonly (string | Uint8Array)[]): ServerEvent[] {
  const parser = createEventParser(1_000);
  return chunks.flatMap((chunk) => parser.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk));
}

const message = (data: string, more: Partial<ServerEvent> = {}): ServerEvent => ({
  type: "message",
  data,
  lastEventId: "",
  ...more,
});

for (const [what, text, expected] of [
  ["an event", "data: a\n\n", [message("a")]],
  ["CR", "data: a\r\rdata: b\r\r", [message("a"), message("b")]],
  ["CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", [message("a"), message("b")]],
  ["a mixture of line ends", "data: a\r\ndata: b\n\rdata: c\r\n\n", [message("a\nb"), message("c")]],
  ["several lines of data", "data: a\ndata\ndata:\ndata:  b\n\n", [message("a\n\n\n b")]],
  ["only the first space as no part of the value", "data:a\n\ndata:  a \n\n", [message("a"), message(" a ")]],
  ["comments", ": x\n\ndata: a\n:data: b\n\n", [message("a")]],
  ["a byte order mark", "\uFEFFdata: a\n\n", [message("a")]],
  ["a second byte order mark as part of a name", "\uFEFF\uFEFFdata: a\n\ndata: b\n\n", [message("b")]],
  ["types, each for one event", "event: t\ndata: a\n\ndata: b\n\n", [message("a", { type: "t" }), message("b")]],
  ["an event without data as none", "event: t\nid: 1\n\ndata: b\n\n", [message("b", { lastEventId: "1" })]],
  [
    "ids, each until the next",
    "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
    [message("a", { lastEventId: "1" }), message("b", { lastEventId: "1" }), message("c")],
  ],
  ["an id with a NUL as none", "id: 1\nid: 2\0\ndata: a\n\n", [message("a", { lastEventId: "1" })]],
  ["unknown fields as comments", "x: y\ndata: a\nDATA: b\n\n", [message("a")]],
  ["what is cut off as nothing", "data: a\n\ndata: b\n", [message("a")]],
] as const) {
  it(`reads ${what}`, () => {
    assert.deepEqual(parse(text), expected);
  });
}

it("reads how long to wait, if that is a number", () => {
  const parser = createEventParser(100);
  parser.push(Buffer.from("retry: 1000\nretry: 1e9\nretry: -1\nretry:\n"));

  assert.equal(parser.retryMs, 1_000);
});

it("finds the same events however the bytes are split", () => {
  const line = fc.oneof(
    fc.constantFrom("", "", "data", "data: ä€😀", "id: 7", "event: x", ": c", "retry: 5", "\uFEFF"),
    fc.string({ unit: "binary", maxLength: 8 }),
  );
  const stream = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r", "\r\n")), { maxLength: 40 });
  fc.assert(
    fc.property(stream, fc.array(fc.nat({ max: 400 }), { maxLength: 20 }), (lines, cuts) => {
      const bytes = Buffer.from(lines.flat().join(""));
      const places = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));

      assert.deepEqual(parse(...chunks), parse(bytes));
      assert.deepEqual(parse(...[...bytes].map((byte) => Uint8Array.of(byte))), parse(bytes));
    }),
    { numRuns: 500 },
  );
});

for (const [what, text] of [
  ["a line", `data: ${"x".repeat(2_000)}`],
  ["an event", "data: x\n".repeat(1_000)],
  ["a comment", `:${"x".repeat(2_000)}`],
] as const) {
  it(`refuses ${what} that does not end`, () => {
    assert.throws(() => parse(...text.split("")), RangeError);
  });
}
