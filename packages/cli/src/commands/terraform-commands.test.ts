/** What the installer offers, and what it does not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";

test("no command and no endpoint of its own plans with Terraform (S000-216)", async () => {
  await using server = await startControlPlane();
  await using sandbox = await createConnectedSandbox(server);

  const help = await sandbox.rad(["terraform", "--help"]);
  const plan = await sandbox.rad(["terraform", "plan"]);
  const { paths } = (await server.call("GET", "/openapi.json")).body as { paths: Record<string, unknown> };

  const commands = [...help.stdout.matchAll(/^ {2}(\w+)(?: |$)/gmu)]
    .map(([, name]) => name)
    .filter((name) => name !== "rad");
  assert.deepEqual(
    commands.filter((name) => /plan/iu.test(String(name))),
    [],
  );
  assert.ok(commands.includes("install") && commands.includes("validate"), help.stdout);
  assert.equal(plan.code, 1);
  assert.deepEqual(
    Object.keys(paths).filter((path) => /\/plan$/iu.test(path)),
    [],
  );
  assert.ok(Object.hasOwn(paths, "/installer/terraform/validate"));
});
