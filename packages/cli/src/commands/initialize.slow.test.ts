import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox } from "../testing/sandbox.ts";

test("rad init finds a control plane of this machine that has no workspace, and makes one", async () => {
  await using sandbox = await createSandbox();
  try {
    await sandbox.rad(["server", "start", "--port", "0"]);
    await sandbox.rad(["workspace", "delete", "local", "--yes"]);

    const { code, stdout, stderr } = await sandbox.rad(["init", "--yes", "-a", "shop", "-o", "json"]);

    assert.equal(code, 0, stderr);
    assert.partialDeepStrictEqual(JSON.parse(stdout), { workspace: "local", group: "default", application: "shop" });
    const listed = await sandbox.rad(["env", "list"]);
    assert.match(listed.stdout, /^default +Applications\.Core\/environments +default +Succeeded$/m);
  } finally {
    await sandbox.rad(["server", "stop", "--force"]);
  }
});
