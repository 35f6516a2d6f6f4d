import assert from "node:assert/strict";
import { chmod, chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { fileExposure, folderExposure } from "./private-path.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "it's-"));
});
afterEach(() => rm(folder, { recursive: true }));

it("is content with what is ours alone, and with what is not there", async () => {
  await writeFile(join(folder, "file"), "", { mode: 0o600 });
  assert.equal(folderExposure(folder), undefined);
  assert.equal(fileExposure(join(folder, "file")), undefined);
  assert.equal(fileExposure(join(folder, "nothing")), undefined);
  assert.equal(folderExposure(join(folder, "nothing")), undefined);
});

for (const mode of [0o640, 0o604, 0o666, 0o601]) {
  it(`tells of a file with mode ${mode.toString(8)}, in a form that a shell takes`, async () => {
    const file = join(folder, "file");
    await writeFile(file, "");
    await chmod(file, mode);
    assert.match(fileExposure(file) ?? "", /run: chmod 600 '.*it'\\''s-.*\/file'$/);
  });
}

it("closes a folder that others can look into, and leaves one alone in which they can write", async () => {
  await chmod(folder, 0o755);
  assert.equal(folderExposure(folder), undefined);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  await chmod(folder, 0o777);
  assert.match(folderExposure(folder) ?? "", /run: chmod 700 /);
  assert.equal((await stat(folder)).mode & 0o777, 0o777);
});

if (process.getuid?.() === 0) {
  it("tells of another owner", async () => {
    const file = join(folder, "file");
    await writeFile(file, "", { mode: 0o600 });
    await chown(file, 12_345, 12_345);
    await chown(folder, 12_345, 12_345);
    assert.match(fileExposure(file) ?? "", /belongs to another user.*run: chown "\$\(id -u\)" /);
    assert.match(folderExposure(folder) ?? "", /belongs to another user/);
  });
}
