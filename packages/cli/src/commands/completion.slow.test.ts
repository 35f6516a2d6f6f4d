import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestServer } from "@rad/client/testing";
import { startTestServer } from "@rad/client/testing";
import type { Sandbox } from "../testing/sandbox.ts";
import { createSandbox } from "../testing/sandbox.ts";
import { registerWidgets } from "../testing/widgets.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const run = promisify(execFile);

let server: TestServer;
let sandbox: Sandbox;
before(async () => {
  server = await startTestServer();
  sandbox = await createSandbox();
  await sandbox.rad(["workspace", "create", "server", "lab", "--url", server.url]);
  await sandbox.rad(["group", "create", "dev"]);
  await sandbox.rad(["group", "switch", "dev"]);
  await registerWidgets(sandbox);
  await sandbox.rad(["resource", "create", "widgets", "w1", "-f", "-"], { stdin: "{}" });
  const deployment = "planes/radius/local/resourceGroups/dev/providers/Microsoft.Resources/deployments/d1";
  await fetch(`${server.url}/apis/api.ucp.dev/v1alpha3/${deployment}`, { method: "PUT", body: "{}" });
});
after(async () => {
  await sandbox[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function rad(...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env["PATH"], HOME: sandbox.home };
  return (await run(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], { env })).stdout;
}

async function complete(...words: readonly string[]): Promise<string[]> {
  const lines = (await rad("complete", "--", ...words)).trimEnd().split("\n");
  return lines.slice(0, -1).map((line) => line.split("\t")[0] ?? "");
}

for (const shell of ["bash", "zsh", "fish", "powershell"]) {
  test(`there is a script for ${shell} that asks rad`, async () => {
    assert.match(await rad("completion", shell), /rad complete '?--'? /);
  });
}

test("another shell is an error", async () => {
  const { code, stderr } = await sandbox.rad(["completion", "tcsh"]);

  assert.equal(code, 1);
  assert.match(stderr, /bash, zsh, fish, powershell/);
});

for (const [words, expected] of [
  [["gr"], ["group"]],
  [
    ["workspace", "s"],
    ["show", "switch"],
  ],
  [["rt", "l"], ["list"]],
  [["bicep", "cons"], ["console"]],
  [["group", "list", "--no"], ["--no-color"]],
  [["resource", "delete", "--fo"], ["--force"]],
  [
    ["group", "list", "-o", ""],
    ["json", "table"],
  ],
  [["workspace", "switch", ""], ["lab"]],
  [["group", "show", ""], ["dev"]],
  [["resource", "list", "-g", ""], ["dev"]],
  [["group", "list", "-w", "l"], ["lab"]],
  [["resource", "show", "Contoso"], ["Contoso.Test/widgets"]],
  [["resource", "delete", "widgets", ""], ["w1"]],
  [["resource-type", "show", ""], ["Contoso.Test/widgets"]],
  [["deployment", "cancel", ""], ["d1"]],
  [["deploy", "app.bicep", "--what"], ["--what-if"]],
  [["deploy", "app.bicep", "-g", ""], ["dev"]],
] as const) {
  test(`"rad ${words.join(" ")}" completes to ${expected.join(", ")}`, async () => {
    assert.deepEqual(await complete(...words), expected);
  });
}

test("where a file is wanted, the shell completes file names", async () => {
  assert.equal(await rad("complete", "--", "deploy", "ap"), ":0\n");
  assert.equal(await rad("complete", "--", "deploy", "-g", "dev", ""), ":0\n");
  assert.equal(await rad("complete", "--", "deploy", "app.bicep", "-p", ""), ":0\n");
  assert.equal(await rad("complete", "--", "bicep", "console", ""), ":0\n");
  assert.equal(await rad("complete", "--", "template", "evaluate", "--file", ""), ":0\n");
  assert.equal(await rad("complete", "--", "resource", "create", "a/b", "c", "-f", ""), ":0\n");
});

test("a control plane that is away completes to nothing, without an error", async () => {
  await using alone = await createSandbox();
  const env = { PATH: process.env["PATH"], HOME: alone.home };

  const { stdout, stderr } = await run(process.execPath, [main, "complete", "--", "group", "show", ""], { env });

  assert.match(stdout, /^:\d+\n$/);
  assert.doesNotMatch(stderr, /Code:/);
});
