import assert from "node:assert/strict";
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { createKeyFile, readKeyFile } from "./key-file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "radius-key-"));
});
afterEach(() => rm(folder, { recursive: true }));

it("reads back the key it made, from a file that only the owner can read", async () => {
  const path = join(folder, "key");

  const made = await createKeyFile(path);
  const read = await readKeyFile(path);

  assert.deepEqual(plain(read), plain(made));
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ["key"]);
});

it("never replaces a key, and of several makers at once one succeeds", async () => {
  const path = join(folder, "key");

  const makers = await Promise.allSettled([createKeyFile(path), createKeyFile(path), createKeyFile(path)]);
  const late = createKeyFile(path);

  await assert.rejects(late, { code: "CannotOpen" });
  const made = makers.filter((maker) => maker.status === "fulfilled");
  assert.equal(made.length, 1);
  assert.deepEqual(plain(await readKeyFile(path)), made[0] && plain(made[0].value));
  assert.deepEqual(await readdir(folder), ["key"]);
});

it("says NotWritable when the folder is none", async () => {
  await assert.rejects(createKeyFile(join(folder, "none", "key")), { code: "NotWritable" });
});

it("reads the current key first and previous keys after it", async () => {
  const path = join(folder, "key");
  const line = (id: string, fill: number): string => `${id} ${Buffer.alloc(32, fill).toString("base64")}`;
  await writeFile(path, `${line("new", 2)}\n\n${line("old", 1)}\n`, { mode: 0o600 });

  assert.deepEqual(
    (await readKeyFile(path)).keys.map((key) => [key.id, key.secret[0]]),
    [
      ["new", 2],
      ["old", 1],
    ],
  );
});

it("refuses a file that others can read, is missing, empty or malformed, without showing its contents", async () => {
  const path = join(folder, "key");
  await assert.rejects(readKeyFile(path), { code: "CannotOpen" });
  await createKeyFile(path);
  await chmod(path, 0o640);
  await assert.rejects(readKeyFile(path), { code: "CannotOpen" });
  await chmod(path, 0o600);
  for (const text of ["", "\n", "canary", "id canary", `id ${Buffer.alloc(31).toString("base64")}`, "a b canary"]) {
    await writeFile(path, text);
    await assert.rejects(readKeyFile(path), (error: Error & { code: string }) => {
      assert.equal(error.code, "CannotOpen");
      return !error.message.includes("canary");
    });
  }
});

function plain(ring: { keys: readonly { id: string; secret: Uint8Array }[] }): unknown {
  return ring.keys.map((key) => [key.id, Buffer.from(key.secret).toString("hex")]);
}
