import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";
import { registerWidgets } from "../testing/widgets.ts";

let server: TestControlPlane;
let sandbox: Sandbox;
before(async () => {
  server = await startControlPlane();
  sandbox = await createConnectedSandbox(server);
  await registerWidgets(sandbox);
  const stdin = '{"properties":{"environment":"none"}}';
  await sandbox.rad(["resource", "create", "widgets", "orders", "-f", "-"], { stdin });
  await mkdir(join(sandbox.home, "apps"));
  await writeFile(join(sandbox.home, "apps", "main.bicep"), "");
  await writeFile(join(sandbox.home, "widget.json"), "{}");
});
after(async () => {
  await sandbox[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

for (const [line, expected] of [
  ["workspace show tset", /"tset" does not exist\..* Did you mean "test"\?\nCode: {2}WorkspaceNotFound/],
  ["group show den", /"den" does not exist\..* Did you mean "dev"\?\nCode: {2}GroupNotFound/],
  ["resource list -g deb", /"deb" does not exist\..* Did you mean "dev"\?\nCode: {2}GroupNotFound/],
  ["resource list wigdets", /"wigdets" does not exist\..* Did you mean "Contoso\.Test\/widgets"\?\n/],
  ["resource list Contoso.Tset/widgets", / Did you mean "Contoso\.Test\/widgets"\?\nCode: {2}ResourceTypeNotFound/],
  ["resource list Contoso.Test/widget", / Did you mean "Contoso\.Test\/widgets"\?\n/],
  ["resource show widgets ordres", / does not exist in the group "dev".* Did you mean "orders"\?\nCode: {2}NotFound/],
  [
    "resource create widgets x -f wigdet.json",
    /^wigdet\.json does not exist\. Did you mean "widget\.json"\?\nCode: {2}FileUnreadable/,
  ],
  [
    "deploy apps/mian.bicep",
    /apps\/mian\.bicep does not exist\. Did you mean "apps\/main\.bicep"\?\nCode: {2}FileUnreadable/,
  ],
  ["group show entirely-different", /"entirely-different" does not exist\.(?!.*Did you mean)/],
  ["resource create widgets x -f apps", /^apps is a folder, and a file was expected\.\nCode: {2}FileUnreadable\n\n$/],
] as const) {
  test(`rad ${line} says what to do next`, async () => {
    const { code, stderr } = await sandbox.rad(line.split(" "));

    assert.equal(code, 1);
    assert.match(stderr, expected);
    assert.doesNotMatch(stderr, /ENOENT|BCP091/);
  });
}

test("the command that creates a missing environment does so", async () => {
  await writeFile(join(sandbox.home, "empty.bicep"), "");
  const deploy = ["deploy", "empty.bicep", "-e", "prod"];
  const missing = await sandbox.rad(deploy);
  const [, command = ""] = /create it: `rad (.*)`/.exec(missing.stderr) ?? [];

  const created = await sandbox.rad(command.split(" "));
  const mistyped = await sandbox.rad(["deploy", "empty.bicep", "-e", "prdo"]);

  assert.equal(created.code, 0, created.stderr);
  assert.equal((await sandbox.rad(deploy)).code, 0);
  assert.match(mistyped.stderr, / Did you mean "prod"\?\nCode: {2}EnvironmentNotFound/);
});

test("a control plane that is away gets a suggestion from nobody, and says how to start one", async () => {
  const url = "http://127.0.0.1:9";
  await writeFile(
    join(sandbox.home, "away.yaml"),
    `workspaces:
  default: away
  items:
    away:
      connection: { kind: kubernetes, context: "", overrides: { ucp: "${url}" } }
`,
  );

  const { code, stderr } = await sandbox.rad(["group", "list", "--config", "away.yaml"]);

  assert.equal(code, 1);
  assert.match(stderr, /\nCode: {2}ConnectionFailed\nRun `rad server start` to start a control plane on this machine/);
});
