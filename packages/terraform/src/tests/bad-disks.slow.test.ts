import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import type { ExecFileOptions } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { zipOf } from "@rad/artifacts/testing";
import type { ProcessOrder } from "./install-process.ts";
import { ca, startMirror } from "./mirror.ts";
import { standIn } from "./stand-in.ts";
import { install, snapshot, testFolder, testVolume } from "./volume-kit.ts";

const installProcess = fileURLToPath(new URL("install-process.ts", import.meta.url));
const nobody = 65_534;

/** A volume with version 1.0.0 active. */
async function start() {
  const stack = new AsyncDisposableStack();
  const mirror = stack.use(await startMirror());
  const folder = stack.use(await testFolder());
  mirror.files.set("/first", standIn("1.0.0"));
  const volume = testVolume(folder.root);
  await volume.activate(await install(volume, { url: `${mirror.url}/first` }));
  return { mirror, folder, volume, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** @param limit in blocks of 512 bytes that a file may have, which the kernel enforces like a full disk */
async function installLimited(order: ProcessOrder, limit: string, options: ExecFileOptions = {}): Promise<string> {
  const args = ["-c", `ulimit -f ${limit}; exec "$0" "$@"`, process.execPath, installProcess, JSON.stringify(order)];
  return (await promisify(execFile)("/bin/sh", args, { ...options, encoding: "utf8" })).stdout;
}

const padded = standIn("2.0.0").concat("#".repeat(400_000));
const tooLarge: readonly (readonly [when: string, content: Buffer])[] = [
  ["during the download", Buffer.from(`${standIn("2.0.0")}# ${randomBytes(200_000).toString("hex")}\n`)],
  ["while the archive is unpacked", zipOf([["terraform", padded]])],
];
for (const [when, content] of tooLarge) {
  test(`a disk that is full ${when} fails the install with that reason, and nothing is left`, async () => {
    await using at = await start();
    at.mirror.files.set("/large", content);
    const order = { root: at.folder.root, caBundle: ca.cert, url: `${at.mirror.url}/large` };
    const untouched = await snapshot(at.folder.path);

    const said = await installLimited(order, "256");

    assert.match(said, /^VolumeFull: The volume .*\/root has no room for the binary \(EFBIG\)\. Make room/);
    assert.deepEqual(await snapshot(at.folder.path), untouched);
    assert.equal(await installLimited(order, "unlimited"), "installed");
    assert.deepEqual(await readdir(join(at.folder.root, ".temporary")), []);
  });
}

test("a root that may not be written fails the install with that reason", async () => {
  await using at = await start();
  const { path, root } = at.folder;
  const untouched = await snapshot(path);
  // Root may write everywhere, so somebody else tries.
  const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  await chmod(path, 0o755);
  for (const folder of [root, join(root, ".temporary")]) {
    await chmod(folder, 0o555);
  }

  const said = await installLimited({ root, caBundle: ca.cert, url: `${at.mirror.url}/first` }, "unlimited", {
    ...user,
    cwd: "/",
  });

  for (const folder of [root, join(root, ".temporary")]) {
    await chmod(folder, 0o755);
  }
  assert.match(said, /^VolumeUnusable: The volume .*\/root cannot be used \(EACCES\)/);
  assert.deepEqual(await snapshot(path), untouched);
  assert.equal(await at.volume.isHealthy((await at.volume.current()) ?? assert.fail()), true);
});
