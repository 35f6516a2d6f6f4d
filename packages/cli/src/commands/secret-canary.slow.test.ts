/** Secrets that `rad` is given, and where they must not show up. */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";
import { radProcess, type RadRun } from "../testing/rad-process.ts";

const ids = [
  "--client-id",
  "0f1b3c5d-0000-4000-8000-000000000001",
  "--tenant-id",
  "0f1b3c5d-0000-4000-8000-000000000002",
];

const canaries = {
  quoted: 'canary-"quoted"-${interpolated}-%{template}',
  unicode: "canary-ünïcode-秘密",
  lines: "canary-first\ncanary-second",
  principal: "canary-client-secret",
  key: "canary/secret+access=key",
  argument: "canary-given-as-argument",
};

/** Texts of all files below a folder, as bytes that any text can be looked for in. */
async function filesBelow(folder: string): Promise<readonly (readonly [string, Buffer])[]> {
  const files = globSync("**/*", { cwd: folder, withFileTypes: true, exclude: (entry) => entry.isSocket() });
  const paths = files.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return await Promise.all(paths.map(async (path) => [path, await readFile(path)] as const));
}

test("values of secrets and credentials are in no output, with --debug neither, and in no file of rad or of the server", async () => {
  await using server = await startControlPlane();
  await using sandbox = await createConnectedSandbox(server);
  await sandbox.rad(["env", "create", "dev", "--preview"]);
  await sandbox.rad(["env", "switch", "dev"]);
  const runs: RadRun[] = [];
  const rad = async (args: readonly string[], stdin?: string) => {
    const run = await radProcess(sandbox, [...args, "--debug"], stdin);
    runs.push(run);
    assert.equal(run.code, 0, `rad ${args[0]} ${args[1]}: ${run.stderr}`);
  };

  await rad(["secret", "set", "one", "--from-file", "value=-"], canaries.quoted);
  await rad(["secret", "set", "two", "--from-file", "value=-", "-o", "json"], canaries.unicode);
  await rad(["secret", "set", "three", "--from-file", "value=-"], canaries.lines);
  await rad(["credential", "register", "azure", "sp", ...ids, "--client-secret-from-file", "-"], canaries.principal);
  await rad(
    ["credential", "register", "aws", "access-key", "--access-key-id", "AKIA", "--secret-access-key-from-file", "-"],
    canaries.key,
  );
  await rad(["credential", "register", "azure", "sp", ...ids, "--client-secret", canaries.argument]);
  await rad(["secret", "list", "-o", "json"]);
  await rad(["resource", "list", "Radius.Security/secrets", "-o", "json"]);
  await rad(["credential", "show", "azure", "-o", "json"]);
  await rad(["api", "GET", "/planes/aws/aws/providers/System.AWS/credentials/default"]);
  // A server that does not answer: the request with the secret is part of the error's cause.
  await writeFile(join(sandbox.home, "value.txt"), canaries.quoted);
  await sandbox.rad(["workspace", "create", "server", "gone", "--url", "http://127.0.0.1:1"]);
  runs.push(
    await radProcess(sandbox, ["secret", "set", "x", "-g", "dev", "-f", "v=value.txt", "-w", "gone", "--debug"]),
  );

  const shown = JSON.stringify(runs.map(({ stdout, stderr }) => [stdout, stderr]));
  assert.ok(!shown.includes("canary"), shown);
  for (const folder of [server.directory, join(sandbox.home, ".rad")]) {
    for (const [path, bytes] of await filesBelow(folder)) {
      assert.ok(!bytes.includes("canary"), path);
    }
  }
});
