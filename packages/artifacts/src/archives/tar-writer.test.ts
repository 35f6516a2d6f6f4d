import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { readTarGzip } from "./tar-reader.ts";
import { writeTarGzip } from "./tar-writer.ts";

const long = `${"a".repeat(63)}/${"b".repeat(63)}/2025-01-01-preview/types.json`;
const files = new Map([
  ["index.json", "{}"],
  [long, "x".repeat(513)],
  ["empty.json", ""],
]);

test("an archive is read back as it was written, long paths and empty files included", () => {
  const limits = { maxEntries: 10, maxTotalBytes: 10_000, maxEntryBytes: 10_000, maxRatio: 500 };

  const entries = readTarGzip(writeTarGzip(files), limits);

  assert.deepEqual(new Map(entries.map(({ path, content }) => [path, Buffer.from(content).toString()])), files);
});

test("the system's tar reads it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rad-tar-"));
  try {
    await writeFile(join(folder, "types.tgz"), writeTarGzip(files));

    await promisify(execFile)("tar", ["-xzf", "types.tgz"], { cwd: folder });

    assert.equal(await readFile(join(folder, long), "utf8"), "x".repeat(513));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("equal files give equal bytes", () => {
  assert.deepEqual(writeTarGzip(files), writeTarGzip(new Map(files)));
});

test("a path that no header has room for is refused", () => {
  assert.throws(() => writeTarGzip(new Map([["c".repeat(101), ""]])), { code: "ArchiveInvalid" });
});
