import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { it } from "node:test";
import { nodeBinary, setUp, SetupError } from "./setup.mjs";

const quiet = () => {};

async function fakeRepository() {
  const root = await mkdtemp(path.join(tmpdir(), "setup-"));
  await mkdir(path.join(root, "packages", "a"), { recursive: true });
  await writeFile(path.join(root, "package-lock.json"), "{}");
  await writeFile(path.join(root, "package.json"), '{ "workspaces": ["packages/*"], "scripts": {} }');
  await writeFile(path.join(root, "packages", "a", "package.json"), '{ "name": "a", "dependencies": {} }');
  return root;
}

/** Stands in for npm: puts down a Node binary and a marker, and counts how often it was needed. */
function fakeNpm(marker = "complete") {
  const npm = async (folder) => {
    npm.calls += 1;
    await npm.before(folder);
    await mkdir(path.dirname(nodeBinary(folder)), { recursive: true });
    await writeFile(nodeBinary(folder), "");
    await writeFile(path.join(folder, "node_modules", "marker"), marker);
  };
  npm.calls = 0;
  npm.before = async () => {};
  return npm;
}

function marker(root) {
  return readFile(path.join(root, "node_modules", "marker"), "utf8");
}

it("installs once and then does nothing", async () => {
  const root = await fakeRepository();
  const install = fakeNpm();

  assert.equal(await setUp(root, { install, report: quiet }), true);
  assert.equal(await setUp(root, { install, report: quiet }), false);

  assert.equal(install.calls, 1);
  assert.equal(await marker(root), "complete");
  assert.deepEqual(await readdir(path.join(root, ".cache")), []);
});

it("writes the Node binary's path where the launcher reads it", async () => {
  const root = await fakeRepository();

  await setUp(root, { install: fakeNpm(), report: quiet });

  const [, binary] = (await readFile(path.join(root, "node_modules", ".setup-stamp"), "utf8")).split("\n");
  assert.equal(path.join(root, binary), nodeBinary(root));
});

it("installs again when the lock file or a workspace's dependencies change, and not for a changed script", async () => {
  const root = await fakeRepository();
  const install = fakeNpm();
  await setUp(root, { install, report: quiet });

  await writeFile(path.join(root, "package.json"), '{ "workspaces": ["packages/*"], "scripts": { "x": "y" } }');
  await setUp(root, { install, report: quiet });
  assert.equal(install.calls, 1);

  await writeFile(path.join(root, "packages", "a", "package.json"), '{ "dependencies": { "b": "1.0.0" } }');
  await setUp(root, { install, report: quiet });
  assert.equal(install.calls, 2);

  await writeFile(path.join(root, "package-lock.json"), '{ "changed": true }');
  await setUp(root, { install, report: quiet });
  assert.equal(install.calls, 3);
});

it("replaces a node_modules that was left half-written", async () => {
  const root = await fakeRepository();
  await mkdir(path.join(root, "node_modules", "half"), { recursive: true });

  await setUp(root, { install: fakeNpm(), report: quiet });

  assert.equal(existsSync(path.join(root, "node_modules", "half")), false);
  assert.equal(await marker(root), "complete");
});

it("keeps the old node_modules while the new one is not complete, and sweeps what a failure left", async () => {
  const root = await fakeRepository();
  await setUp(root, { install: fakeNpm("old"), report: quiet });
  await writeFile(path.join(root, "package-lock.json"), '{ "changed": true }');
  const broken = fakeNpm("new");
  broken.before = async (folder) => {
    await mkdir(path.join(folder, "node_modules"));
    throw new SetupError("no network");
  };

  await assert.rejects(setUp(root, { install: broken, report: quiet }), { name: "SetupError" });

  assert.equal(await marker(root), "old");
  assert.deepEqual(await readdir(path.join(root, ".cache")), []);
});

it("fails when npm brought no Node for this platform", async () => {
  const root = await fakeRepository();
  const install = (folder) => mkdir(path.join(folder, "node_modules"));

  await assert.rejects(setUp(root, { install, report: quiet }), { name: "SetupError" });

  assert.equal(existsSync(path.join(root, "node_modules")), false);
});

it("lets a second set-up wait for the first and install nothing itself", async () => {
  const root = await fakeRepository();
  const install = fakeNpm();
  const lines = [];

  const outcomes = await Promise.all([
    setUp(root, { install, report: (line) => lines.push(line) }),
    setUp(root, { install, report: (line) => lines.push(line) }),
  ]);

  assert.equal(install.calls, 1);
  assert.deepEqual(outcomes.sort(), [false, true]);
  assert.equal(lines.length, 2);
});

it("takes the lock over from a dead owner and sweeps its staging folder", async () => {
  const root = await fakeRepository();
  const { pid, host } = await deadProcess();
  await mkdir(path.join(root, ".cache", `setup-${pid}-abc`), { recursive: true });
  await writeFile(path.join(root, ".cache", "setup.lock"), JSON.stringify({ pid, host }));

  await setUp(root, { install: fakeNpm(), report: quiet });

  assert.equal(await marker(root), "complete");
  assert.deepEqual(await readdir(path.join(root, ".cache")), []);
});

it("takes the lock over from an owner on another machine that has stopped stirring", async () => {
  const root = await fakeRepository();
  await mkdir(path.join(root, ".cache"));
  const lock = path.join(root, ".cache", "setup.lock");
  await writeFile(lock, JSON.stringify({ pid: process.pid, host: "elsewhere" }));
  await utimes(lock, new Date(0), new Date(0));

  await setUp(root, { install: fakeNpm(), report: quiet });

  assert.equal(await marker(root), "complete");
});

it("survives another set-up that finishes first in spite of the lock", async () => {
  const root = await fakeRepository();
  const slow = fakeNpm("slow");
  slow.before = async () => {
    await rm(path.join(root, ".cache", "setup.lock"));
    await setUp(root, { install: fakeNpm("fast"), report: quiet });
  };

  await setUp(root, { install: slow, report: quiet });

  assert.ok(["slow", "fast"].includes(await marker(root)));
  assert.equal(await setUp(root, { install: slow, report: quiet }), false);
});

async function deadProcess() {
  const child = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => child.on("exit", resolve));
  return { pid: child.pid, host: hostname() };
}
