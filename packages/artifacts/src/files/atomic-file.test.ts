import assert from "node:assert/strict";
import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { createNewFile, removeLeftovers, writeFileAtomically } from "./atomic-file.ts";

const root = await mkdtemp(join(tmpdir(), "rad-atomic-file-"));
after(() => rm(root, { recursive: true }));
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(root, "case-"));
});

test("a reader sees the old content or the new, never a part", async () => {
  const path = join(folder, "file");
  const contents = ["a", "b"].map((letter) => letter.repeat(200_000));
  await writeFileAtomically(path, contents[0] ?? "", { mode: 0o600 });
  const writer = { isDone: false };

  const writing = (async () => {
    for (let count = 1; count < 20; count += 1) {
      await writeFileAtomically(path, contents[count % 2] ?? "", { mode: 0o600 });
    }
    writer.isDone = true;
  })();
  while (!writer.isDone) {
    assert.ok(contents.includes(await readFile(path, "utf8")));
  }
  await writing;

  assert.deepEqual(await readdir(folder), ["file"]);
});

test("permissions are those asked for, an existing file keeps its own unless told otherwise", async () => {
  const path = join(folder, "new", "file");
  const modeOf = async () => (await stat(path)).mode & 0o777;

  await writeFileAtomically(path, "1", { mode: 0o666 });
  assert.equal(await modeOf(), 0o666);
  await chmod(path, 0o640);
  await writeFileAtomically(path, "2", { mode: 0o600 });
  assert.equal(await modeOf(), 0o640);
  await writeFileAtomically(path, "3", { mode: 0o600, forceMode: true });
  assert.equal(await modeOf(), 0o600);
});

test("a symbolic link stays one", async () => {
  await writeFile(join(folder, "target"), "old");
  await symlink("target", join(folder, "link"));

  await writeFileAtomically(join(folder, "link"), "new", { mode: 0o600 });

  assert.ok((await lstat(join(folder, "link"))).isSymbolicLink());
  assert.equal(await readFile(join(folder, "target"), "utf8"), "new");
});

test("a new file that is not committed never was", async () => {
  {
    await using file = await createNewFile(join(folder, "file"), 0o600);
    await file.handle.writeFile("half");
    assert.equal((await readdir(folder)).length, 1);
  }

  assert.deepEqual(await readdir(folder), []);
});

test("what a killed writer left is removed, and nothing else", async () => {
  for (const name of ["file", ".file.new-abc", ".other.new-abc", ".file.newer"]) {
    await writeFile(join(folder, name), "");
  }

  await removeLeftovers(join(folder, "file"));

  assert.deepEqual((await readdir(folder)).sort(), [".file.newer", ".other.new-abc", "file"]);
});
