import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { promisify } from "node:util";
import { cachedTool } from "./tools-cache.ts";

const run = promisify(execFile);
const silent = (): void => {};

let home: string;
let cache: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "rad-tools-"));
  cache = path.join(home, "radius-ts");
  process.env["XDG_CACHE_HOME"] = home;
});
afterEach(async () => {
  delete process.env["XDG_CACHE_HOME"];
  await rm(home, { recursive: true });
});

it("makes a tool once", async () => {
  let made = 0;
  const make = async (folder: string): Promise<void> => {
    made += 1;
    await writeFile(path.join(folder, "tool"), "content");
  };

  const folders = [await cachedTool({ name: "once", make }, silent), await cachedTool({ name: "once", make }, silent)];

  assert.deepEqual(folders, [path.join(cache, "once"), path.join(cache, "once")]);
  assert.equal(made, 1);
  assert.equal(await readFile(path.join(cache, "once", "tool"), "utf8"), "content");
});

it("lets other processes wait for the one that makes the tool", async () => {
  const script = `
    const { cachedTool } = await import(${JSON.stringify(path.join(import.meta.dirname, "tools-cache.ts"))});
    const { appendFile } = await import("node:fs/promises");
    await cachedTool({ name: "shared", make: async () => await appendFile(process.argv[1], "made\\n") });
  `;
  const record = path.join(home, "record");

  await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, ["--eval", script, record])));

  assert.equal(await readFile(record, "utf8"), "made\n");
});

it("leaves nothing of a tool that could not be made, and tries again", async () => {
  const fail = async (folder: string): Promise<void> => {
    await writeFile(path.join(folder, "half"), "");
    throw new Error("no network");
  };
  await assert.rejects(cachedTool({ name: "flaky", make: fail }, silent), /no network/);
  assert.deepEqual(await readdir(cache), ["flaky.lock"]);

  await cachedTool({ name: "flaky", make: async () => {} }, silent);

  assert.deepEqual((await readdir(cache)).sort(), ["flaky", "flaky.lock"]);
});

it("removes tools that nobody has used for two months when it makes another one", async () => {
  await cachedTool({ name: "old", make: async () => {} }, silent);
  await cachedTool({ name: "used", make: async () => {} }, silent);
  const longAgo = new Date(Date.now() - 100 * 24 * 60 * 60 * 1000);
  await utimes(path.join(cache, "old"), longAgo, longAgo);
  await utimes(path.join(cache, "used"), longAgo, longAgo);
  await cachedTool({ name: "used", make: async () => {} }, silent);

  await cachedTool({ name: "new", make: async () => {} }, silent);

  assert.deepEqual((await readdir(cache)).filter((name) => !name.endsWith(".lock")).sort(), ["new", "used"]);
});
