import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createSandbox } from "../testing/sandbox.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

test("the demo shows a type and an application, before and after it is deployed, and leaves nothing behind", async () => {
  await using sandbox = await createSandbox();

  const { code, stdout, stderr } = await sandbox.rad(["demo"]);

  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\$ rad resource-type create .*\nRadius\.Demo\/queues created$/m);
  assert.match(stdout, /^System\.Resources\/resourceGroups\/demo created$/m);
  assert.match(stdout, /^Resource changes: 3 to create\.$/m);
  assert.match(stdout, /^Deployment Complete$/m);
  assert.match(stdout, /^ {4}orders +Radius\.Demo\/queues +created$/m);
  assert.match(stdout, /^orders +Radius\.Demo\/queues +demo +Succeeded$/m);
  assert.match(stdout, /"accessKey": null/);
  assert.match(stdout, /^Resource changes: 1 to create, 3 without change\.$/m);
  assert.match(stdout, /^System\.Resources\/resourceGroups\/demo deleted$/m);
  const folder = /control plane in (\S+),/.exec(stdout)?.[1] ?? "";
  await assert.rejects(readdir(folder), { code: "ENOENT" });
  assert.deepEqual(await readdir(sandbox.home), []);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`${signal} in the middle of the demo leaves nothing behind either`, async () => {
    const temporary = await mkdtemp(join(tmpdir(), "rad-demo-test-"));
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, "demo"], {
      env: { PATH: process.env["PATH"], HOME: temporary, TMPDIR: temporary },
      stdio: ["ignore", "pipe", "ignore"],
    });
    child.stdout.on("data", (chunk) => {
      if (String(chunk).includes("$ rad ")) {
        child.kill(signal);
        child.stdout.removeAllListeners("data").resume();
      }
    });

    const [code] = (await once(child, "exit")) as [number];

    assert.equal(code, 130);
    assert.deepEqual(await readdir(temporary), []);
    await rm(temporary, { recursive: true });
  });
}
