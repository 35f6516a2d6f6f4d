import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { createClient } from "@rad/client";
import type { TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, createSandbox, startControlPlane } from "../testing/sandbox.ts";
import { registerWidgets } from "../testing/widgets.ts";

let server: TestControlPlane;
before(async () => {
  server = await startControlPlane();
});
after(() => server[Symbol.asyncDispose]());

test("creating a group twice is the same as once", async () => {
  await using sandbox = await createConnectedSandbox(server);

  const first = await sandbox.rad(["group", "create", "twice"]);
  const second = await sandbox.rad(["group", "create", "-g", "twice"]);

  assert.equal(first.stdout, "System.Resources/resourceGroups/twice created\n");
  assert.deepEqual(second, first);
});

test("groups are shown as a table and as the API's own JSON", async () => {
  await using sandbox = await createConnectedSandbox(server);

  const table = await sandbox.rad(["group", "show", "dev"]);
  const json = await sandbox.rad(["group", "show", "-o", "json"]);
  const list = await sandbox.rad(["group", "list", "-o", " JSON "]);

  assert.equal(table.stdout, "GROUP     ID\ndev       /planes/radius/local/resourcegroups/dev\n");
  assert.equal((JSON.parse(json.stdout) as { name: string }).name, "dev");
  assert.ok((JSON.parse(list.stdout) as { name: string }[]).some((group) => group.name === "dev"));
});

test("show takes the group from -g too", async () => {
  await using sandbox = await createConnectedSandbox(server);
  await sandbox.rad(["group", "create", "other"]);

  assert.match((await sandbox.rad(["group", "show", "-g", "other"])).stdout, /^other /m);
});

test("switching sets the scope, and drops an environment of another group", async () => {
  await using sandbox = await createConnectedSandbox(server);
  await sandbox.rad(["group", "create", "next"]);
  const config = await readFile(sandbox.configPath, "utf8");
  const environment = "/planes/radius/local/resourceGroups/dev/providers/Radius.Core/environments/e";
  await writeFile(sandbox.configPath, config.replace(/( +)scope: .*/, `$&\n$1environment: ${environment}`));

  const { stdout, stderr } = await sandbox.rad(["group", "switch", "next"]);

  assert.equal(stdout, 'Switched to resource group "next"\n');
  assert.match(stderr, /no longer set/);
  const after = await readFile(sandbox.configPath, "utf8");
  assert.ok(after.includes("scope: /planes/radius/local/resourceGroups/next\n") && !after.includes("environment:"));
});

test("deleting a group takes its resources along", async () => {
  await using sandbox = await createConnectedSandbox(server);
  await registerWidgets(sandbox);
  await sandbox.rad(["group", "create", "doomed"]);
  for (const name of ["w1", "w2"]) {
    const created = await sandbox.rad(["resource", "create", "widgets", name, "-g", "doomed", "-f", "-"], {
      stdin: '{"properties":{"environment":"/e"}}',
    });
    assert.equal(created.code, 0, created.stderr);
  }

  const asked = await sandbox.rad(["group", "delete", "doomed"]);
  const done = await sandbox.rad(["group", "delete", "doomed", "-y"]);
  const again = await sandbox.rad(["group", "delete", "doomed", "-y"]);

  assert.equal(asked.code, 1);
  assert.match(asked.stderr, /holds 2 resource\(s\)/);
  assert.equal(done.stdout, "System.Resources/resourceGroups/doomed deleted\n");
  assert.match(done.stderr, /Completed Contoso\.Test\/widgets\/w1\n/);
  assert.deepEqual(again, { code: 0, stdout: "System.Resources/resourceGroups/doomed not found\n", stderr: "" });
});

test("deleting the workspace's own group clears it, with its environment, and says so", async () => {
  await using sandbox = await createConnectedSandbox(server);
  await sandbox.rad(["group", "create", "mine"]);
  await sandbox.rad(["group", "switch", "mine"]);
  const before = await readFile(sandbox.configPath, "utf8");
  const environment = "/planes/radius/local/resourceGroups/mine/providers/Radius.Core/environments/e";
  await writeFile(sandbox.configPath, before.replace(/( +)scope: .*/, `$&\n$1environment: ${environment}`));

  const { code, stderr } = await sandbox.rad(["group", "delete", "mine", "--yes"]);
  const next = await sandbox.rad(["resource", "list"]);

  assert.equal(code, 0, stderr);
  assert.match(
    stderr,
    /It was the group of the workspace "test", which has none now\. Choose one with `rad group switch/,
  );
  const after = await readFile(sandbox.configPath, "utf8");
  assert.doesNotMatch(after, /scope:|environment:/);
  assert.match(next.stderr, /Code: {2}NoGroup/);
});

for (const [args, code] of [
  [["group", "show", "nope"], "GroupNotFound"],
  [["group", "switch", "nope"], "GroupNotFound"],
  [["group", "switch"], "InvalidUsage"],
  [["group", "create", "no/good"], "InvalidGroupName"],
  [["group", "create", "a.b"], "InvalidGroupName"],
  [["group", "create", "my_group"], "InvalidGroupName"],
  [["group", "create", "a", "-g", "b"], "InvalidUsage"],
  [["group", "create", "a", "b"], "InvalidUsage"],
  [["group", "list", "-o", "xml"], "InvalidOutputFormat"],
  [["group", "list", "-w", "nowhere"], "WorkspaceNotFound"],
  [["group", "lst"], "UnknownCommand"],
] as const) {
  test(`rad ${args.join(" ")} fails with ${code}`, async () => {
    await using sandbox = await createConnectedSandbox(server);

    const result = await sandbox.rad(args);

    assert.equal(result.code, 1);
    assert.equal(result.stdout, "");
    assert.ok(result.stderr.includes(`Code:  ${code}\n`), result.stderr);
  });
}

for (const name of ["my-group", "my_group", "a(b)", "1group", "group-", "x".repeat(63), "x".repeat(64)]) {
  test(`rad and the control plane agree about the group name ${name}`, async () => {
    await using sandbox = await createConnectedSandbox(server);
    const client = createClient({ endpoint: server.url, token: server.token });

    const byServer = await client.groups.put(name).then(
      () => "accepted",
      () => "refused",
    );
    const { code } = await sandbox.rad(["group", "create", name]);

    assert.equal(code === 0 ? "accepted" : "refused", byServer);
  });
}

test("without a workspace the error says how to get one", async () => {
  await using sandbox = await createSandbox();

  const { code, stderr } = await sandbox.rad(["group", "list"]);

  assert.equal(code, 1);
  assert.match(stderr, /rad server start/);
});
