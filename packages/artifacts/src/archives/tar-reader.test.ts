import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { ArtifactError } from "../artifact-error.ts";
import { entry, tarOf } from "../testing/tar-of.ts";
import { readTarGzip } from "./tar-reader.ts";

const limits = { maxEntries: 100, maxEntryBytes: 10_000, maxTotalBytes: 100_000, maxRatio: 1000 };
const end = Buffer.alloc(1024);

function names(archive: Uint8Array, more: Partial<typeof limits> = {}): string[] {
  const entries = readTarGzip(gzipSync(archive), { ...limits, ...more });
  return entries.map(({ path, content }) => `${path}=${new TextDecoder().decode(content)}`);
}

function file(path: string, content = ""): Buffer {
  return Buffer.concat(entry(path, Buffer.from(content), "0"));
}

function pax(...records: readonly string[]): Buffer {
  const lines = records.map((record) => {
    const length = record.length + 2;
    return `${length + String(length + 2).length} ${record}\n`;
  });
  return Buffer.concat(entry("PaxHeader", Buffer.from(lines.join("")), "x"));
}

test("files are read with their content, and a leading ./ is left out", () => {
  assert.deepEqual(names(tarOf({ "./a": "1", "b/c.json": "x".repeat(600), empty: "", "././d": "2" })), [
    "a=1",
    `b/c.json=${"x".repeat(600)}`,
    "empty=",
    "d=2",
  ]);
});

test("long names come from extended headers, POSIX's and GNU's", () => {
  const long = `${"folder/".repeat(30)}name`;
  const gnu = Buffer.concat(entry("././@LongLink", Buffer.from(`${long}\0`), "L"));

  assert.deepEqual(names(Buffer.concat([pax(`path=${long}`, "mtime=1.5"), file("cut", "1"), end])), [`${long}=1`]);
  assert.deepEqual(names(Buffer.concat([gnu, file("cut", "2"), file("b", "3"), end])), [`${long}=2`, "b=3"]);
});

test("folders and headers for all files are left out", () => {
  const global = Buffer.concat(entry("pax_global_header", Buffer.from("20 comment=abcdefgh\n"), "g"));
  const folder = Buffer.concat(["./", "a/"].flatMap((name) => entry(name, Buffer.alloc(0), "5")));

  assert.deepEqual(names(Buffer.concat([global, folder, file("a/b", "1"), end])), ["a/b=1"]);
});

/** Every one of these stands after a file that is in order, which must not come out either. */
const refusals: readonly (readonly [what: string, code: string, bytes: Buffer, name?: string])[] = [
  ...["1", "2", "3", "4", "6", "7", "S", "K"].map(
    (kind) =>
      [`an entry of kind ${kind}`, "EntryRefused", Buffer.concat(entry("odd", Buffer.alloc(0), kind)), "odd"] as const,
  ),
  ...[
    "../up",
    "a/../../up",
    "a/..",
    "/etc/passwd",
    "//host/x",
    "C:/x",
    "a\\b",
    "a//b",
    "a/./b",
    "new\nline",
    "..",
    ".",
  ].map((path) => [`the name ${JSON.stringify(path)}`, "EntryRefused", file(path), JSON.stringify(path)] as const),
  ["a folder outside", "EntryRefused", Buffer.concat(entry("../up/", Buffer.alloc(0), "5")), "../up/"],
  ["a name that is empty", "EntryRefused", file("")],
  ["a name of 256 letters", "EntryRefused", Buffer.concat([pax(`path=${"x".repeat(256)}`), file("a")])],
  ["a name of 258 bytes", "EntryRefused", Buffer.concat([...entry("l", Buffer.from("漢".repeat(86)), "L"), file("a")])],
  ["a path of 30001 letters", "EntryRefused", Buffer.concat([pax(`path=${"a/".repeat(15_000)}a`), file("a")])],
  [
    "an extended header of 101 lines",
    "ArchiveInvalid",
    Buffer.concat(entry("x", Buffer.from("5 a=\n".repeat(101)), "x")),
  ],
  ["a way out in an extended header", "EntryRefused", Buffer.concat([pax("path=../up"), file("a")]), "../up"],
  [
    "a way out in GNU's header",
    "EntryRefused",
    Buffer.concat([...entry("l", Buffer.from("/etc/x\0"), "L"), file("a")]),
  ],
  ["a second file of the same name", "EntryRefused", Buffer.concat([file("a"), file("a")]), "a"],
  ["a second spelling of the same name", "EntryRefused", Buffer.concat([file("a"), file("./a")])],
  ["another letter case of a name", "EntryRefused", Buffer.concat([file("Readme"), file("README")]), "README"],
  ["two ways to write an accent", "EntryRefused", Buffer.concat([file("\u00e9"), file("e\u0301")])],
  ["a file below a file", "EntryRefused", Buffer.concat([file("a"), file("A/b")]), "A/b"],
  ["a file where a folder is", "EntryRefused", Buffer.concat([file("a/b"), file("a")])],
  ["a size in an extended header", "EntryRefused", Buffer.concat([pax("size=9"), file("a", "123456789")])],
  ["one name for all that follows", "EntryRefused", Buffer.concat(entry("g", Buffer.from("10 path=a\n"), "g"))],
  ["a sparse file", "EntryRefused", Buffer.concat([pax("GNU.sparse.major=1"), file("a")])],
  [
    "a broken extended header",
    "ArchiveInvalid",
    Buffer.concat([...entry("x", Buffer.from("99 path=a\n"), "x"), file("a")]),
  ],
  ["an extended header without length", "ArchiveInvalid", Buffer.concat([...entry("x", Buffer.from("path=a\n"), "x")])],
  ["a changed header", "ArchiveInvalid", withByte(file("a"), 3, 0x41)],
  ["a size that is no number", "ArchiveInvalid", withByte(file("a"), 124, 0x39)],
  ["a size in the binary form", "ArchiveInvalid", withByte(file("a"), 124, 0x80)],
  ["a size beyond the end", "ArchiveInvalid", resized(file("a"), 0o77777)],
  ["too large a file", "ArchiveTooLarge", file("a", "x".repeat(10_001)), "a"],
];

for (const [what, code, bytes, name] of refusals) {
  test(`an archive with ${what} gives nothing`, () => {
    assert.throws(
      () => names(Buffer.concat([file("fine", "1"), bytes, end])),
      (error) => {
        assert.ok(error instanceof ArtifactError);
        assert.equal(error.code, code);
        assert.ok(name === undefined || error.message.includes(name), error.message);
        return true;
      },
    );
  });
}

test("too many entries, too much in all and a bomb are refused", () => {
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`f${index}`, "x".repeat(1000)]));

  assert.equal(names(tarOf(many)).length, 11);
  assert.throws(() => names(tarOf(many), { maxEntries: 10 }), { code: "ArchiveTooLarge" });
  assert.throws(() => names(tarOf(many), { maxTotalBytes: 10_999 }), { code: "ArchiveTooLarge" });
  const bomb = gzipSync(tarOf({ zeros: "\0".repeat(3 << 20) }));
  const generous = { maxEntries: 10, maxEntryBytes: 1e9, maxTotalBytes: 1e9 };
  assert.throws(() => readTarGzip(bomb, { ...generous, maxRatio: 10 }), { code: "ArchiveTooLarge" });
  assert.equal(readTarGzip(bomb, { ...generous, maxRatio: 2000 }).length, 1);
});

test("folders count like entries, each of them once", () => {
  const deep = tarOf({ "a/b/c/one": "", "a/b/c/two": "", "A/B/d/three": "" });

  assert.equal(names(deep, { maxEntries: 7 }).length, 3);
  assert.throws(() => names(deep, { maxEntries: 6 }), { code: "ArchiveTooLarge" });
});

test("an archive that is cut off anywhere gives nothing, and other bytes neither", () => {
  const archive = tarOf({ a: "1", b: "x".repeat(2000) });
  const gzipped = gzipSync(archive);

  for (const length of [0, 1, 511, 512, 1000, 1024, 1536, 2000, archive.length - 1024]) {
    assert.throws(() => names(archive.subarray(0, length)), { code: "ArchiveInvalid" }, String(length));
  }
  for (const length of [0, 5, 20, gzipped.length - 1]) {
    assert.throws(() => readTarGzip(gzipped.subarray(0, length), limits), { code: "ArchiveInvalid" });
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
      for (const read of [() => names(bytes), () => readTarGzip(bytes, limits)]) {
        try {
          read();
        } catch (error) {
          assert.ok(error instanceof ArtifactError);
        }
      }
    }),
  );
});

/** Changes one byte and leaves the checksum as it is, unless it is part of the size. */
function withByte(bytes: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = value;
  return at >= 124 ? rechecked(changed) : changed;
}

function resized(bytes: Buffer, size: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  return rechecked(changed);
}

function rechecked(bytes: Buffer): Buffer {
  bytes.fill(" ", 148, 156);
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return bytes;
}
