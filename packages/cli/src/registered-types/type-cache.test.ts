import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openTypeCache } from "./type-cache.ts";

const types = [{ name: "Contoso.Own/boards", versions: { "2025-01-01": { type: "object" } } }];
const endpoint = "http://127.0.0.1:9000";

async function open() {
  const folder = await mkdtemp(join(tmpdir(), "rad-types-"));
  return {
    cache: openTypeCache(join(folder, "config.yaml")),
    folder: join(folder, "cache", "types"),
    root: folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

test("what is kept for a control plane is read back, for it and for nobody else", async () => {
  await using lab = await open();
  await lab.cache.write(endpoint, types, '"one"');

  const read = await lab.cache.read(endpoint);

  assert.deepEqual([read?.types, read?.etag], [types, '"one"']);
  assert.equal(await lab.cache.read("http://127.0.0.1:9001"), undefined);
  const [name = ""] = await readdir(lab.folder);
  assert.equal((await stat(join(lab.folder, name))).mode & 0o777, 0o600);
});

test("confirming makes it as new", async () => {
  await using lab = await open();
  await lab.cache.write(endpoint, types, undefined);
  const [name = ""] = await readdir(lab.folder);
  const old = new Date("2026-01-01T00:00:00Z");
  await utimes(join(lab.folder, name), old, old);

  const before = await lab.cache.read(endpoint);
  await lab.cache.confirm(endpoint);
  const after = await lab.cache.read(endpoint);

  assert.equal(before?.confirmedAt.getTime(), old.getTime());
  assert.ok((after?.confirmedAt.getTime() ?? 0) > old.getTime());
  await lab.cache.confirm("http://nobody:1"); // nothing to confirm is no failure
});

test("only the control planes asked last are kept, and nothing but their files", async () => {
  await using lab = await open();
  for (let index = 0; index < 20; index += 1) {
    await lab.cache.write(`http://127.0.0.1:${index}`, types, undefined);
  }
  for (const name of await readdir(lab.folder)) {
    await utimes(join(lab.folder, name), new Date("2026-01-02"), new Date("2026-01-02"));
  }
  await lab.cache.confirm("http://127.0.0.1:0");

  await lab.cache.write(endpoint, types, undefined);

  assert.equal((await readdir(lab.folder)).length, 20);
  assert.notEqual(await lab.cache.read(endpoint), undefined);
  assert.notEqual(await lab.cache.read("http://127.0.0.1:0"), undefined);
});

test("a file that is too large is neither written nor read", async () => {
  await using lab = await open();
  const large = [{ name: "Contoso.Own/boards", versions: { v: { description: "x".repeat(33 * 1024 * 1024) } } }];

  await assert.rejects(lab.cache.write(endpoint, large, undefined), { name: "TypeCacheError" });
  await lab.cache.write(endpoint, types, undefined);
  const [name = ""] = await readdir(lab.folder);
  await writeFile(join(lab.folder, name), JSON.stringify({ formatVersion: 1, endpoint, types: large }));

  await assert.rejects(lab.cache.read(endpoint), { name: "TypeCacheError" });
});

test("a folder that cannot be written is told, and nothing is left behind", async () => {
  await using lab = await open();
  await writeFile(join(lab.root, "cache"), "a file, where the folder should be");

  await assert.rejects(lab.cache.write(endpoint, types, undefined), {
    name: "TypeCacheError",
    message: /cannot be written/,
  });
});
