import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Worker } from "node:worker_threads";
import { confinedFiles } from "./confined-files.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "rad-confined-"));
  for (const name of ["root", "root/sub", "root-beside", "outside"]) {
    await mkdir(join(folder, name));
  }
  await writeFile(join(folder, "root/file"), "inside");
  await writeFile(join(folder, "root/sub/deep"), "inside");
  await writeFile(join(folder, "root-beside/file"), "outside");
  await writeFile(join(folder, "outside/file"), "outside");
  await writeFile(join(folder, "outside/secret"), "outside");
  await symlink("file", join(folder, "root/link"));
  await symlink("sub", join(folder, "root/sub-link"));
  await symlink("../outside/file", join(folder, "root/out"));
  await symlink(join(folder, "outside"), join(folder, "root/out-folder"));
  await symlink("out", join(folder, "root/out-twice"));
  await symlink("../outside/nothing", join(folder, "root/dangling"));
  await symlink("circle", join(folder, "root/circle"));
  await symlink("/dev/zero", join(folder, "root/device"));
  await symlink("/proc/self/environ", join(folder, "root/environment"));
  execFileSync("/usr/bin/env", ["mkfifo", join(folder, "root/pipe")]);
});
after(() => rm(folder, { recursive: true, force: true }));

function read(path: string, roots = ["root"]): string {
  const files = confinedFiles(roots.map((root) => join(folder, root)));
  const result = files.readFile(path.startsWith("/") ? path : `${folder}/${path}`, 100);
  return "bytes" in result ? new TextDecoder().decode(result.bytes) : result.problem;
}

for (const [path, expected] of [
  ["root/file", "inside"],
  ["root/./sub/../file", "inside"],
  ["root//file", "inside"],
  ["root/link", "inside"],
  ["root/sub-link/deep", "inside"],
  ["root", "directory"],
  ["root/sub", "directory"],
  ["root/nothing", "missing"],
  ["root/file/below", "missing"],
  ["root/FILE", "missing"],
  ["ROOT/file", "outside"],
  [`root/${"x".repeat(300)}`, "missing"],
  ["root/nul\0", "denied"],
  ["root/pipe", "denied"],
  ["root/circle", "outside"],
  ["root/../outside/file", "outside"],
  ["root/sub/../../outside/file", "outside"],
  ["outside/file", "outside"],
  ["outside/nothing", "outside"],
  ["root-beside/file", "outside"],
  ["root/out", "outside"],
  ["root/out-twice", "outside"],
  ["root/out-folder/file", "outside"],
  ["root/out-folder/nothing", "outside"],
  ["root/out-folder", "outside"],
  ["root/dangling", "outside"],
  ["root/device", "outside"],
  ["root/environment", "outside"],
  ["/etc/passwd", "outside"],
  ["/proc/self/environ", "outside"],
  ["/proc/self/root/etc/passwd", "outside"],
  ["", "outside"],
  ["/", "outside"],
] as const) {
  test(`${JSON.stringify(path.slice(0, 60))} gives ${expected}`, () => {
    assert.equal(read(path), expected);
  });
}

test("several folders may be read, and one that does not exist holds nothing", () => {
  assert.equal(read("outside/file", ["root", "outside"]), "outside");
  assert.equal(read("root/out", ["root", "outside"]), "outside"); // the text of the file, which may be read now
  assert.equal(read("nowhere/file", ["nowhere"]), "missing");
  assert.equal(read("root/file", []), "outside");
});

test("what is no ordinary file is left alone, without waiting for it", async () => {
  const path = join(folder, "root/socket");
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(path, resolve);
  });

  assert.equal(read("root/socket"), "denied");
  assert.equal(read("/dev/zero", ["/../../../../../../../../dev"]), "denied");
  await new Promise((resolve) => server.close(resolve));
});

test("a hard link is a file like any other: whoever made it could read it", async () => {
  await link(join(folder, "outside/file"), join(folder, "root/hard"));

  assert.equal(read("root/hard"), "outside");
});

test("folders are listed like files are read", () => {
  const files = confinedFiles([join(folder, "root")]);
  const list = (path: string) => files.listFolder(join(folder, path));

  assert.deepEqual(list("root/sub"), { files: ["deep"] });
  assert.deepEqual(list("root/sub-link"), { files: ["deep"] });
  assert.deepEqual(list("root/file"), { problem: "file" });
  assert.deepEqual(list("root/pipe"), { problem: "denied" });
  assert.deepEqual(list("root/nothing"), { problem: "missing" });
  for (const path of ["root/out-folder", "root/..", "outside", "outside/nothing"]) {
    assert.deepEqual(list(path), { problem: "outside" });
  }
  assert.equal(files.hasFile(join(folder, "root/file")), true);
  for (const path of ["root/sub", "root/nothing", "root/out", "outside/file", "root/pipe"]) {
    assert.equal(files.hasFile(join(folder, path)), false);
  }
});

test("a folder that turns into a link while it is read gives nothing from outside", async () => {
  const place = join(folder, "root/turning");
  const aside = join(folder, "root/aside");
  await mkdir(place);
  await writeFile(join(place, "file"), "inside");
  await symlink(join(folder, "outside"), join(folder, "root/lure"));
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(turner, { eval: true, workerData: { folder: join(folder, "root"), stop } });
  await new Promise((resolve) => worker.once("message", resolve));
  const files = confinedFiles([join(folder, "root")]);
  const seen = new Set<string>();

  for (let count = 0; count < 20_000; count += 1) {
    const content = files.readFile(join(place, "file"), 100);
    seen.add("bytes" in content ? new TextDecoder().decode(content.bytes) : `problem ${content.problem}`);
    const listed = files.listFolder(place);
    assert.ok(!("files" in listed) || listed.files.every((name) => name === "file"), JSON.stringify(listed));
  }
  Atomics.store(stop, 0, 1);
  await new Promise((resolve) => worker.once("exit", resolve));

  assert.ok(seen.has("inside"), [...seen].join());
  assert.equal(seen.has("outside"), false);
  rmSync(place, { recursive: true, force: true });
  rmSync(aside, { recursive: true, force: true });
});

/** Swaps a folder for a link to another one and back, as fast as it can. */
const turner = `
const { renameSync, symlinkSync } = require("node:fs");
const { parentPort, workerData: { folder, stop } } = require("node:worker_threads");
parentPort.postMessage("ready");
while (Atomics.load(stop, 0) === 0) {
  renameSync(folder + "/turning", folder + "/aside");
  renameSync(folder + "/lure", folder + "/turning");
  renameSync(folder + "/turning", folder + "/lure");
  renameSync(folder + "/aside", folder + "/turning");
}
`;
