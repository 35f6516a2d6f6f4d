import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readTar } from "./tar-reader.ts";
import { entry, tarOf } from "./testing/tar-of.ts";

function names(archive: Uint8Array): string[] {
  return Array.from(readTar(archive), ({ path, content }) => `${path}=${new TextDecoder().decode(content)}`);
}

test("files are read with their content, and a leading ./ is left out", () => {
  assert.deepEqual(names(tarOf({ "./a": "1", "b/c.json": "x".repeat(600), empty: "" })), [
    "a=1",
    `b/c.json=${"x".repeat(600)}`,
    "empty=",
  ]);
});

test("long names come from extended headers, POSIX's and GNU's", () => {
  const long = `${"folder/".repeat(30)}name`;
  const value = ` path=${long}\n`;
  const record = `${value.length + 3}${value}`;
  const end = Buffer.alloc(1024);

  const posix = [...entry("PaxHeader", Buffer.from(record), "x"), ...entry("cut", Buffer.from("1"), "0"), end];
  const gnu = [...entry("././@LongLink", Buffer.from(`${long}\0`), "L"), ...entry("cut", Buffer.from("2"), "0"), end];

  assert.deepEqual(names(Buffer.concat(posix)), [`${long}=1`]);
  assert.deepEqual(names(Buffer.concat(gnu)), [`${long}=2`]);
});

test("links, folders and devices are left out", () => {
  const parts = ["1", "2", "3", "5"].flatMap((kind) => entry("x", Buffer.alloc(0), kind));

  assert.deepEqual(names(Buffer.concat([...parts, ...entry("a", Buffer.from("1"), "0")])), ["a=1"]);
});

test("an archive that is cut off, or any other bytes, gives what is whole and never throws", () => {
  const archive = tarOf({ a: "1", b: "x".repeat(2000) });

  assert.deepEqual(names(archive.subarray(0, 2000)), ["a=1"]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
      Array.from(readTar(bytes));
    }),
  );
});
