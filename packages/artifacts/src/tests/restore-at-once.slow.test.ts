import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { moduleLayer, startRegistry } from "@rad/artifacts/testing";

const content = JSON.stringify({ resources: [] });
const processes = 4;

test("several processes restore the same artifact at once, and one that was killed leaves nothing in the way", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rad-restore-at-once-"));
  await using registry = await startRegistry();
  registry.publish("team/net", "v1", { mediaType: moduleLayer, content: Buffer.from(content) });
  const cacheFolder = join(folder, "cache");
  const source = `module net 'br:${registry.host}/team/net:v1' = {\n  name: 'net'\n}\n`;
  const place = join(cacheFolder, "br", registry.host.replace(":", "$"), "team$net", "v1$");
  await mkdir(place, { recursive: true });
  await writeFile(join(place, ".main.json.new-killed"), "half");
  await writeFile(join(folder, "target"), "not to be replaced");
  await symlink("../../../../../target", join(place, "main.json"));

  const children = Array.from({ length: processes }, () =>
    fork(join(import.meta.dirname, "restore-process.ts"), [cacheFolder, source]),
  );
  const outcomes = await Promise.all(children.map((child) => once(child, "message")));

  assert.deepEqual(
    outcomes.flat().filter((value) => typeof value === "string"),
    Array.from({ length: processes }, () => "restored"),
  );
  assert.deepEqual((await readdir(place)).sort(), ["lock", "main.json", "manifest", "metadata"]);
  assert.equal(await readFile(join(place, "main.json"), "utf8"), content);
  assert.equal(await readFile(join(folder, "target"), "utf8"), "not to be replaced");
  await rm(folder, { recursive: true });
});
