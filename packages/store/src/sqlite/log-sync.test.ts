import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { LogSync } from "./log-sync.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "radius-log-sync-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function openFiles(): Promise<Set<string>> {
  return new Set(await readdir("/proc/self/fd").catch(() => []));
}

it("may be asked any number of times, and leaves no file open", async () => {
  await writeFile(join(folder, "x.db-wal"), "log");
  const before = await openFiles();
  {
    await using sync = new LogSync(join(folder, "x.db"));
    for (let count = 0; count < 1000; count += 1) {
      sync.start();
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    sync.start();
  }

  assert.deepEqual(await openFiles(), before);
});

it("leaves it to the next commit to tell that the log is gone", async () => {
  await using sync = new LogSync(join(folder, "missing.db"));
  sync.start();
});
