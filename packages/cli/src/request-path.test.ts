/** What a command that asks a control plane loads and sends. Counted, since the time it takes cannot be tested. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startTestServer } from "@rad/client/testing";
import { createSandbox } from "./testing/sandbox.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Writes down, on the last line of stderr, the files and the built-in modules that a process has loaded. */
const recorder = `
  const files = [];
  process.getBuiltinModule("node:module").registerHooks({
    load: (url, context, next) => {
      files.push(url);
      return next(url, context);
    },
  });
  process.on("exit", () => {
    const report = { files, builtIns: process.moduleLoadList };
    process.getBuiltinModule("node:fs").writeSync(2, JSON.stringify(report));
  });`;

interface Run {
  readonly stdout: string;
  /** Of our own, as folders below `packages`. */
  readonly ourFiles: readonly string[];
  /** Names of the packages that others have written. */
  readonly packages: readonly string[];
  readonly builtIns: readonly string[];
  readonly requests: readonly string[];
}

/** Names that the control plane's own rules check are checked here too; the rest is what a request takes. */
const allowedPackages = new Set(["cli", "client", "core", "radius-types", "resource-types"]);
const groups = "/planes/radius/local/resourceGroups";
const types = {
  name: "Contoso.Test",
  resourceTypes: { widgets: { apiVersions: { "2025-01-01": {} }, defaultApiVersion: "2025-01-01" } },
};

/** Runs `rad` from source in a process of its own, with a workspace that leads to a server. */
async function rad(...args: readonly string[]): Promise<Run> {
  await using server = await startTestServer({
    intercept: ({ path }, response) => {
      const isTypes = /\/providers(?:\/Contoso\.Test)?\?/.test(path);
      if (isTypes) {
        const answer = path.includes("/Contoso.Test") ? types : { value: [types] };
        response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
      }
      return isTypes;
    },
  });
  await using sandbox = await createSandbox();
  for (const line of [
    ["workspace", "create", "server", "test", "--url", server.url],
    ["group", "create", "dev"],
    ["group", "switch", "dev"],
  ]) {
    const { code, stderr } = await sandbox.rad(line);
    assert.equal(code, 0, stderr);
  }
  const before = server.requests.length;
  const options = ["--disable-warning=ExperimentalWarning", "--import", `data:text/javascript,${encodeURI(recorder)}`];
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [...options, join(root, "packages", "cli", "src", "main.ts"), ...args],
    { env: { ...process.env, HOME: sandbox.home, USERPROFILE: sandbox.home } },
  );
  const { files, builtIns } = JSON.parse(stderr) as { files: string[]; builtIns: string[] };
  const paths = files.filter((url) => url.startsWith("file:")).map((url) => relative(root, fileURLToPath(url)));
  return {
    stdout,
    ourFiles: paths.filter((path) => path.startsWith("packages/")).map((path) => path.replace(/^packages\//, "")),
    packages: unique(paths.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])),
    builtIns,
    requests: server.requests.slice(before).map(({ method, path }) => `${method} ${path}`),
  };
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}

const folderOf = (file: string): string => file.split("/").slice(0, -1).join("/");

test("`rad group list` loads a few files of ours, commander, and no more", async () => {
  const { stdout, ourFiles, packages } = await rad("group", "list");

  assert.match(stdout, /^GROUP +ID\ndev +\/planes/);
  assert.deepEqual(packages, ["commander"]);
  assert.deepEqual(unique(ourFiles.map(folderOf)), [
    "cli/src",
    "cli/src/commands",
    "cli/src/config",
    "cli/src/groups",
    "cli/src/output",
    "client/src",
    "core/src",
  ]);
  assert.deepEqual(
    ourFiles.filter((file) => file.startsWith("core/")),
    ["core/src/json.ts"],
  );
  assert.ok(ourFiles.length <= 32, `${ourFiles.length} files:\n${ourFiles.join("\n")}`);
});

for (const [command, requests] of [
  ["group list", [`GET ${groups}?api-version=2023-10-01-preview`]],
  ["group show", [`GET ${groups}/dev?api-version=2023-10-01-preview`]],
  ["resource-type list", ["GET /planes/radius/local/providers?api-version=2023-10-01-preview"]],
  [
    "resource list Contoso.Test/widgets --api-version 2025-01-01",
    [`GET ${groups}/dev/providers/Contoso.Test/widgets?api-version=2025-01-01`],
  ],
  [
    "resource list Contoso.Test/widgets",
    [
      "GET /planes/radius/local/providers/Contoso.Test?api-version=2023-10-01-preview",
      `GET ${groups}/dev/providers/Contoso.Test/widgets?api-version=2025-01-01`,
    ],
  ],
  ["app list --preview", [`GET ${groups}/dev/providers/Radius.Core/applications?api-version=2025-08-01-preview`]],
  [
    "env list",
    [
      `GET ${groups}/dev/providers/Applications.Core/environments?api-version=2023-10-01-preview`,
      `GET ${groups}/dev/providers/Radius.Core/environments?api-version=2025-08-01-preview`,
    ],
  ],
  ["recipe-pack list", ["GET /planes/radius/local/providers/Radius.Core/recipePacks?api-version=2025-08-01-preview"]],
  ["secret list", [`GET ${groups}/dev/providers/Radius.Security/secrets?api-version=2025-08-01-preview`]],
  [
    "credential list",
    [
      "GET /planes/azure/azurecloud/providers/System.Azure/credentials/default?api-version=2023-10-01-preview",
      "GET /planes/aws/aws/providers/System.AWS/credentials/default?api-version=2023-10-01-preview",
    ],
  ],
  ["deployment list", [`GET ${groups}/dev/providers/Microsoft.Resources/deployments?api-version=2020-10-01`]],
] as const) {
  test(`\`rad ${command}\` asks ${requests.length === 1 ? "once" : "twice"}, and loads neither fetch nor cryptography nor parsers`, async () => {
    const run = await rad(...command.split(" "));

    assert.deepEqual(run.requests, requests);
    assert.deepEqual(
      run.builtIns.filter((name) => /undici|webstreams|crypto|tls|https|http2|zlib|sqlite/.test(name)),
      [],
    );
    assert.deepEqual(run.packages, ["commander"]);
    assert.deepEqual(
      unique(run.ourFiles.map((file) => file.split("/")[0] ?? "")).filter((name) => !allowedPackages.has(name)),
      [],
    );
  });
}
