import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileRequest, LiteralValue } from "../types/index.ts";
import { createFileLoader } from "./file-loader.ts";
import { createMemoryHost } from "./host.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

function load(request: Partial<FileRequest>, files: Files) {
  const host = createMemoryHost({
    files: new Map(Object.entries(files)),
    parseYaml: (text) => (text === "bad" ? { error: "It is bad." } : { value: `yaml:${text}` }),
  });
  return createFileLoader("/repo", host).load({
    kind: "text",
    path: "x",
    selector: undefined,
    encoding: undefined,
    ...request,
  });
}

function valueOf(request: Partial<FileRequest>, files: Files): LiteralValue {
  const result = load(request, files);
  assert.ok("value" in result, "value" in result ? "" : result.problem.message);
  return result.value;
}

function problemOf(request: Partial<FileRequest>, files: Files) {
  const { problem } = load(request, files);
  return problem === undefined ? undefined : [problem.code, problem.argument];
}

const utf16 = new Uint8Array([0xff, 0xfe, 0xe9, 0x00, 0x41, 0x00]);
const utf16BigEndian = new Uint8Array([0xfe, 0xff, 0x00, 0xe9, 0x00, 0x41]);
const utf8Marked = new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0xa9]);

test("text is decoded as asked, and a byte order mark wins", () => {
  assert.equal(valueOf({}, { "/repo/x": "é\r\nb" }), "é\r\nb");
  assert.equal(valueOf({}, { "/repo/x": utf16 }), "éA");
  assert.equal(valueOf({}, { "/repo/x": utf16BigEndian }), "éA");
  assert.equal(valueOf({ encoding: "utf-16" }, { "/repo/x": utf16.subarray(2) }), "éA");
  assert.equal(valueOf({ encoding: "utf-16BE" }, { "/repo/x": utf16BigEndian.subarray(2) }), "éA");
  assert.equal(valueOf({ encoding: "iso-8859-1" }, { "/repo/x": new Uint8Array([0xe9, 0x80]) }), "é\u0080");
  assert.equal(valueOf({ encoding: "us-ascii" }, { "/repo/x": new Uint8Array([0x41, 0xe9]) }), "A?");
  assert.equal(valueOf({ encoding: "us-ascii" }, { "/repo/x": utf8Marked }), "é");
});

test("an encoding that the file contradicts is remarked on where it is written", () => {
  assert.deepEqual(problemOf({ encoding: "utf-8" }, { "/repo/x": utf16 }), ["BCP185", 1]);
  assert.equal(problemOf({ encoding: "utf-16" }, { "/repo/x": utf16 }), undefined);
  assert.deepEqual(
    problemOf({ kind: "json", encoding: "utf-16" }, { "/repo/x": new TextEncoder().encode("\uFEFF{}") }),
    ["BCP185", 2],
  );
});

test("bytes become base64, whole files of any size up to the limit", () => {
  const bytes = Uint8Array.from({ length: 96 * 1024 }, (_, index) => index % 256);

  assert.equal(valueOf({ kind: "base64" }, { "/repo/x": bytes }), Buffer.from(bytes).toString("base64"));
  assert.deepEqual(problemOf({ kind: "base64" }, { "/repo/x": new Uint8Array(96 * 1024 + 1) }), ["BCP184", 0]);
});

test("text and documents have a largest length", () => {
  assert.deepEqual(problemOf({}, { "/repo/x": "a".repeat(131_073) }), ["BCP184", 0]);
  assert.equal(problemOf({}, { "/repo/x": "a".repeat(131_072) }), undefined);
  assert.deepEqual(problemOf({ kind: "json" }, { "/repo/x": `"${"a".repeat(1_048_576)}"` }), ["BCP184", 0]);
  assert.deepEqual(problemOf({}, { "/repo/x": new Uint8Array(10_000_000) }), ["BCP184", 0]);
});

test("JSON keeps large integers and may be read in part", () => {
  const files = { "/repo/x": `{ "a": { "b": [1, 9007199254740993] } } // end` };

  assert.deepEqual(valueOf({ kind: "json", selector: ".a.b" }, files), [1n, 9007199254740993n]);
  assert.deepEqual(valueOf({ kind: "json", selector: ".a.b[*]" }, files), [1n, 9007199254740993n]);
  assert.deepEqual(problemOf({ kind: "json", selector: ".c" }, files), ["BCP235", 1]);
  assert.deepEqual(problemOf({ kind: "json", selector: "." }, files), ["BCP235", 1]);
  assert.deepEqual(problemOf({ kind: "json" }, { "/repo/x": "{" }), ["BCP186", 0]);
});

test("YAML is read by the host", () => {
  assert.equal(valueOf({ kind: "yaml" }, { "/repo/x": "a" }), "yaml:a");
  assert.deepEqual(problemOf({ kind: "yaml" }, { "/repo/x": "bad" }), ["BCP340", 0]);
});

test("paths are checked before anything is read", () => {
  assert.deepEqual(problemOf({ path: "" }, {}), ["BCP050", 0]);
  assert.deepEqual(problemOf({ path: "/x" }, {}), ["BCP051", 0]);
  assert.deepEqual(problemOf({ path: "file://x" }, {}), ["BCP085", 0]);
  assert.deepEqual(problemOf({ path: "nobody" }, {}), ["BCP091", 0]);
  assert.deepEqual(problemOf({ path: "folder" }, { "/repo/folder/y": "" }), ["BCP275", 0]);
});

test("the files of a folder are listed by name, letter case aside, and can be filtered", () => {
  const files = {
    "/repo/d/b.txt": "",
    "/repo/d/C.txt": "",
    "/repo/d/a": "",
    "/repo/d/sub/z.txt": "",
    "/repo/other": "",
  };
  const relative = (value: LiteralValue) =>
    (value as readonly ReadonlyMap<string, string>[]).map((entry) => Array.from(entry.values()).join(" "));

  assert.deepEqual(relative(valueOf({ kind: "directory", path: "./d" }, files)), [
    "d/a a ",
    "d/b.txt b.txt .txt",
    "d/C.txt C.txt .txt",
  ]);
  assert.deepEqual(relative(valueOf({ kind: "directory", path: "d", selector: "?.txt" }, files)).length, 2);
  assert.deepEqual(relative(valueOf({ kind: "directory", path: "d", selector: "*b*" }, files)), ["d/b.txt b.txt .txt"]);
  assert.deepEqual(problemOf({ kind: "directory", path: "nobody" }, files), ["BCP428", 0]);
  assert.deepEqual(problemOf({ kind: "directory", path: "other" }, files), ["BCP429", 0]);
});

test("a folder that may not be read is told apart from one that does not exist", () => {
  for (const problem of ["denied", "outside"] as const) {
    const host = { ...createMemoryHost({ files: new Map() }), listDirectory: () => ({ problem }) };

    const loaded = createFileLoader("/repo", host).load({
      kind: "directory",
      path: "d",
      selector: undefined,
      encoding: undefined,
    });

    assert.equal(loaded.problem?.code, "BCP430");
  }
});
