import assert from "node:assert/strict";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder } from "./make-folder.ts";

test("folders are made as deep as needed, for their owner alone, and twice at once", async () => {
  const root = await mkdtemp(join(tmpdir(), "make-folder-"));
  try {
    const deep = join(root, "a", "b", "c");

    await Promise.all([makeFolder(deep), makeFolder(deep)]);
    await makeFolder(deep);

    for (const path of [join(root, "a"), deep]) {
      assert.equal((await stat(path)).mode & 0o777, 0o700);
    }
  } finally {
    await rm(root, { recursive: true });
  }
});

test("where no folder can be, it says so instead of trying for ever", async () => {
  const root = await mkdtemp(join(tmpdir(), "make-folder-"));
  try {
    await writeFile(join(root, "file"), "");

    await assert.rejects(makeFolder(join(root, "file", "below")), { code: "EEXIST" });
    await assert.rejects(makeFolder("/proc/1/radius/server"));
  } finally {
    await rm(root, { recursive: true });
  }
});
