import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { realTerraform } from "@rad/terraform/testing/real-binaries";
import { createSandbox } from "../testing/sandbox.ts";

test("with a Terraform on the PATH, the demo deploys a database that a recipe creates, and destroys it", async () => {
  await using sandbox = await createSandbox();
  const bin = await mkdtemp(join(tmpdir(), "rad-demo-test-"));
  const { file } = await realTerraform();
  await symlink(file, join(bin, "terraform"));

  const { code, stdout, stderr } = await sandbox.rad(["demo"], { env: { PATH: bin } });

  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Successfully linked recipe "default" to environment "databases" $/m);
  assert.match(stdout, /^size +string +small +large /m);
  assert.match(stdout, /^ {4}orders-db +Applications\.Datastores\/sqlDatabases +created$/m);
  assert.match(stdout, /"server": "orders-db\.databases\.example\.com"/);
  assert.match(stdout, /terraform_data\.database: Creation complete/);
  assert.match(stdout, /^System\.Resources\/resourceGroups\/demo deleted$/m);
  assert.doesNotMatch(stdout, /The recipe did not run/);
  const folder = /control plane in (\S+),/.exec(stdout)?.[1] ?? "";
  await assert.rejects(readdir(folder), { code: "ENOENT" });
  await rm(bin, { recursive: true });
});
