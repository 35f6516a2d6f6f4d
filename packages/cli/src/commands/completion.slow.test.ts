import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
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
  await sandbox.rad(["group", "create", "big"]);
  await sandbox.rad(["resource", "create", "widgets", "w2", "-g", "big", "-f", "-"], { stdin: "{}" });
  await put("dev/providers/Microsoft.Resources/deployments/d1", {});
  const parent = { id: "/planes/radius/local/resourceGroups/dev/providers/Microsoft.Resources/deployments/d1" };
  await put("dev/providers/Microsoft.Resources/deployments/module", { parent });
  const environments = `namespace: Radius.Core\ntypes:\n  environments:\n    apiVersions: { "2025-01-01": { schema: {} } }\n`;
  await writeFile(join(sandbox.home, "core.yaml"), environments);
  await sandbox.rad(["resource-type", "create", "-f", "core.yaml"]);
  await put("dev/providers/Radius.Core/environments/prod", {});
});

async function put(path: string, properties: object): Promise<void> {
  const url = `${server.url}/apis/api.ucp.dev/v1alpha3/planes/radius/local/resourceGroups/${path}`;
  await fetch(url, { method: "PUT", body: JSON.stringify({ properties }) });
}

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

for (const shell of ["zsh", "fish", "powershell"]) {
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
  [["group", "show", "d"], ["dev"]],
  [["resource", "list", "-g", "d"], ["dev"]],
  [["group", "list", "-w", "l"], ["lab"]],
  [["resource", "show", "Contoso"], ["Contoso.Test/widgets"]],
  [["resource", "show", "wid"], ["widgets"]],
  [["resource", "delete", "widgets", ""], ["w1"]],
  [["resource", "delete", "-g", "big", "widgets", ""], ["w2"]],
  [["resource", "delete", "widgets", "--group=big", ""], ["w2"]],
  [["resource-type", "show", "C"], ["Contoso.Test/widgets"]],
  [["deployment", "cancel", ""], ["d1"]],
  [
    ["deploy", "app.bicep", "--what"],
    ["--what-if", "--what-if-recipes"],
  ],
  [["deploy", "app.bicep", "-g", "d"], ["dev"]],
  [["deploy", "-e", ""], ["prod"]],
  [
    ["terraform", "m"],
    ["mirror-list", "migrate"],
  ],
  [["terraform", "v"], ["validate"]],
  [["terraform", "migrate", "--environment", "p"], ["prod"]],
  [["terraform", "migrate", "-g", "d"], ["dev"]],
  [["terraform", "migrate", "--a"], ["--apply"]],
  [["terraform", "validate", "--environment", "p"], ["prod"]],
  [["terraform", "validate", "-e", "p"], ["prod"]],
  [["terraform", "mirror-list", "--environment", "p"], ["prod"]],
  [["terraform", "mirror-list", "--pl"], ["--platform"]],
  [
    ["api", "P"],
    ["PUT", "PATCH", "POST"],
  ],
  [["api", "GET", "providers/C"], ["providers/Contoso.Test/widgets"]],
  [["completion", "z"], ["zsh"]],
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
  assert.equal(await rad("complete", "--", "terraform", "migrate", "--outfile", ""), ":0\n");
  assert.equal(await rad("complete", "--", "api", "PUT", "/planes/x", "--input", ""), ":0\n");
  assert.equal(await rad("complete", "--", "api", "PUT", "/planes/x", "-f", ""), ":4\n");
});

/** What a plain interactive bash makes of lines with Tabs in them, as the arguments that the command then gets. */
async function inBash(...lines: readonly string[]): Promise<{ output: string; calls: string[] }> {
  const prompt = "next> ";
  const bin = join(sandbox.home, "bin");
  await mkdir(bin, { recursive: true });
  const real = `exec '${process.execPath}' --disable-warning=ExperimentalWarning '${main}' "$@"`;
  const fake = `#!/bin/sh\ncase $1 in complete|completion) ${real};; esac\nprintf '<%s>' "$@"; echo\n`;
  await writeFile(join(bin, "rad"), fake, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: sandbox.home, TERM: "dumb", PS1: prompt };
  // One pipe for both outputs keeps them in order: what the command prints stands between two prompts.
  const bash = "exec bash --noprofile --norc -i 2>&1";
  using shell = spawn("sh", ["-c", bash], { cwd: sandbox.home, env, stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  const calls = () => output.split("\n").filter((line) => line.startsWith("<"));
  const heard = new EventEmitter();
  shell.stdout.on("data", (chunk) => {
    output += String(chunk);
    heard.emit("output");
  });
  const script = "source <(rad completion bash)";
  // One line after the other, each at its prompt: what is typed ahead of a running command is not always kept.
  for (const [index, line] of [`${script}; ${script}; echo "<ready>"`, ...lines].entries()) {
    shell.stdin.write(`${line}\n`);
    while (calls().length <= index || !output.endsWith(prompt)) {
      await once(heard, "output");
    }
  }
  shell.stdin.end("exit\n");
  await once(shell, "close");
  return { output, calls: calls().slice(1) };
}

test("a plain bash completes commands, names, flags and files, also when the script is sourced twice", async () => {
  await writeFile(join(sandbox.home, "application.bicep"), "");

  const { output, calls } = await inBash(
    "rad gro\tsh\td\t",
    "rad deploy appl\t",
    "rad deploy -g big -p appl\t",
    "rad resource show wid\tw\t",
    "rad resource show -g big widgets \t",
    "rad resource delete --fo\t",
    "rad workspace switch nosuch\t",
  );

  assert.deepEqual(calls, [
    "<group><show><dev>",
    "<deploy><application.bicep>",
    "<deploy><-g><big><-p><application.bicep>",
    "<resource><show><widgets><w1>",
    "<resource><show><-g><big><widgets><w2>",
    "<resource><delete><--force>",
    "<workspace><switch><nosuch>",
  ]);
  assert.doesNotMatch(output, /not found|readonly|syntax error/);
});

test("a name that a control plane sends is quoted, and nothing in it is run", async () => {
  await put(`dev/providers/Contoso.Test/widgets/${encodeURIComponent("x$(touch pwned)")}`, {});

  const { calls } = await inBash("rad resource show widgets x\t");

  assert.deepEqual(calls, ["<resource><show><widgets><x$(touch pwned)>"]);
  await assert.rejects(access(join(sandbox.home, "pwned")));
});

test("file names are not offered where another name belongs", async () => {
  await writeFile(join(sandbox.home, "only.json"), "");

  assert.deepEqual((await inBash("rad group show on\t")).calls, ["<group><show><on>"]);
});

test("a control plane that is away completes to nothing, without an error", async () => {
  await using alone = await createSandbox();
  const env = { PATH: process.env["PATH"], HOME: alone.home };

  const { stdout, stderr } = await run(process.execPath, [main, "complete", "--", "group", "show", ""], { env });

  assert.match(stdout, /^:\d+\n$/);
  assert.doesNotMatch(stderr, /Code:/);
});
