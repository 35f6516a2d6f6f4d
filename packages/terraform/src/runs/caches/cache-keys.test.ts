import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { CacheKeys } from "./cache-keys.ts";

it("names entries again as soon as the disk takes the key", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "cache-keys-"));
  stack.defer(async () => await rm(folder, { recursive: true }));
  const root = join(folder, "cache");
  await writeFile(root, "no folder can be made here");
  const keys = new CacheKeys(root);

  await assert.rejects(keys.name("module"));
  await rm(root);

  assert.equal(await keys.name("module"), await new CacheKeys(root).name("module"));
});
