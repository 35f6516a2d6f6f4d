import assert from "node:assert/strict";
import { it } from "node:test";
import { linesOf } from "./lines.ts";

const table: readonly (readonly [name: string, chunks: readonly string[], lines: readonly string[]])[] = [
  ["whole lines", ["a\nb\n"], ["a", "b"]],
  ["lines across chunks", ["a", "b\nc", "d", "e\n"], ["ab", "cde"]],
  ["a last line without an end", ["a\nb"], ["a", "b"]],
  ["carriage returns", ["a\r\nb\r\n"], ["a", "b"]],
  ["empty lines", ["\n\na\n"], ["", "", "a"]],
  ["nothing", [], []],
];

for (const [name, chunks, lines] of table) {
  it(`divides ${name}`, async () => {
    assert.deepEqual(await Array.fromAsync(linesOf(bytesOf(...chunks.map((chunk) => Buffer.from(chunk))))), lines);
  });
}

it("puts characters together that chunks divide", async () => {
  const bytes = Buffer.from("größe\n");

  const lines = await Array.fromAsync(linesOf(bytesOf(bytes.subarray(0, 3), bytes.subarray(3))));

  assert.deepEqual(lines, ["größe"]);
});

it("cuts a line that does not end", async () => {
  const chunks = Array.from({ length: 10 }, () => Buffer.alloc(100, "x"));

  const lines = await Array.fromAsync(linesOf(bytesOf(...chunks), 250));

  assert.deepEqual(
    lines.map(({ length }) => length),
    [300, 300, 300, 100],
  );
});

it("says that a connection was cut off, and leaves out the line that it cut", async () => {
  const lines: string[] = [];
  const reading = (async () => {
    for await (const line of linesOf(cut())) {
      lines.push(line);
    }
  })();

  await assert.rejects(reading, { code: "ServiceUnavailable", transient: true });
  assert.deepEqual(lines, ["whole"]);
});

async function* bytesOf(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

async function* cut(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("whole\nhal");
  throw new Error("read ECONNRESET");
}
