import assert from "node:assert/strict";
import { chmod, copyFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { startTestServer } from "@rad/client/testing";
import { parse } from "yaml";
import type { TestControlPlane } from "../testing/sandbox.ts";
import { createSandbox, startControlPlane } from "../testing/sandbox.ts";

let server: TestControlPlane;
before(async () => {
  server = await startControlPlane();
});
after(() => server[Symbol.asyncDispose]());

function createArgs(name: string, ...more: readonly string[]): string[] {
  return ["workspace", "create", "server", name, "--url", server.url, "--token-file", server.tokenFile, ...more];
}

test("a workspace is created, becomes current, and its token is in neither output nor configuration", async () => {
  await using sandbox = await createSandbox();
  const { token } = server;

  const { code, stdout, stderr } = await sandbox.rad(createArgs("Team"));

  assert.deepEqual(
    { code, stdout, stderr },
    { code: 0, stdout: "Local workspace team created (current)\n", stderr: "" },
  );
  const config = await readFile(sandbox.configPath, "utf8");
  assert.ok(!config.includes(token));
  assert.equal((parse(config) as { workspaces: { default: string } }).workspaces.default, "team");
  const file = join(sandbox.home, ".rad", "tokens", "team");
  assert.equal((await readFile(file, "utf8")).trim(), token);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await sandbox.rad(["group", "list"])).code, 0);
});

test("the token can come from stdin", async () => {
  await using sandbox = await createSandbox();
  const stdin = await readFile(server.tokenFile, "utf8");

  const { code } = await sandbox.rad(["workspace", "create", "server", "a", "--url", server.url, "--token-file", "-"], {
    stdin,
  });

  assert.equal(code, 0);
});

test("workspaces are listed by name, in a table and as JSON with name and default", async () => {
  await using sandbox = await createSandbox();
  await sandbox.rad(createArgs("b"));
  await sandbox.rad(createArgs("a"));

  const table = await sandbox.rad(["workspace", "list"]);
  const json = await sandbox.rad(["workspace", "list", "-o", "json"]);

  const [heading, ...rows] = table.stdout.trimEnd().split("\n");
  assert.match(heading ?? "", /^WORKSPACE {2,}KIND {2,}KUBECONTEXT {2,}GROUP {2,}ENVIRONMENT {2,}CURRENT {2,}URL$/);
  assert.deepEqual(
    rows.map((row) => row.split(/ +/).filter((cell) => cell !== "")),
    [
      ["a", "server", "*", server.url],
      ["b", "server", server.url],
    ],
  );
  const connection = { kind: "kubernetes", context: "", overrides: { ucp: server.url } };
  assert.deepEqual(JSON.parse(json.stdout), [
    { name: "a", default: true, connection },
    { name: "b", default: false, connection },
  ]);
});

test("a workspace can name the cluster that its control plane deploys to, and keeps it until another one is named", async () => {
  await using sandbox = await createSandbox();
  const kubeConfig = (name: string) =>
    `apiVersion: v1\nkind: Config\ncontexts:\n- name: ${name}\n  context: { cluster: c, user: u }\n`;
  await writeFile(join(sandbox.home, "one.yaml"), kubeConfig("kind-one"));
  await writeFile(join(sandbox.home, "two.yaml"), kubeConfig("kind-two"));
  const env = { KUBECONFIG: `none.yaml${delimiter}one.yaml${delimiter}two.yaml` };
  const contextAfter = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await sandbox.rad([...createArgs("a"), ...args, "-o", "json"], { env });
    return code === 0
      ? (JSON.parse(stdout) as { connection: { context: string } }).connection.context
      : (/Code: +(\w+)/.exec(stderr)?.[1] ?? "");
  };

  assert.equal(await contextAfter("--context", "kind-two"), "kind-two");
  assert.equal(await contextAfter("--force"), "kind-two");
  assert.equal(await contextAfter("--force", "-c", "kind-three"), "KubeContextNotFound");
  assert.equal(await contextAfter("--force", "-c", "kind-one"), "kind-one");
  assert.match((await sandbox.rad(["workspace", "list"])).stdout, /^a +server +kind-one /m);
  assert.equal(await contextAfter("--force", "--context", ""), "");
});

test("--preview and --no-preview choose the family of the workspace's environment", async () => {
  await using sandbox = await createSandbox();
  await sandbox.rad(createArgs("a"));
  await sandbox.rad(["group", "create", "families"]);
  await sandbox.rad(["env", "create", "twin", "-g", "families"]);
  await sandbox.rad(["env", "create", "twin", "-g", "families", "--preview"]);
  const environmentWith = async (flag: string): Promise<string> => {
    const flags = ["-g", "families", "-e", "twin", flag, "--force", "-o", "json"];
    const { stdout } = await sandbox.rad([...createArgs("a"), ...flags]);
    return (JSON.parse(stdout) as { environment: string }).environment;
  };

  assert.match(await environmentWith("--preview"), /Radius\.Core\/environments\/twin$/);
  assert.match(await environmentWith("--preview=false"), /Applications\.Core\/environments\/twin$/);
});

test("switching says from where to where", async () => {
  await using sandbox = await createSandbox();
  await sandbox.rad(createArgs("a"));
  await sandbox.rad(createArgs("b"));

  const { stdout } = await sandbox.rad(["workspace", "switch", "A"]);
  const again = await sandbox.rad(["workspace", "switch", "-w", "a"]);

  assert.equal(stdout, 'Switched from workspace "b" to "a"\n');
  assert.match(again.stdout, /already/);
  assert.equal(
    (JSON.parse((await sandbox.rad(["workspace", "show", "-o", "json"])).stdout) as { name: string }).name,
    "a",
  );
});

test("deleting forgets the token and the current workspace, and nothing else", async () => {
  await using sandbox = await createSandbox();
  await sandbox.rad(createArgs("a"));
  await sandbox.rad(createArgs("b"));

  const { stdout } = await sandbox.rad(["workspace", "delete", "b", "--yes"]);

  assert.equal(stdout, "Local workspace b deleted\n");
  assert.deepEqual(await readdir(join(sandbox.home, ".rad", "tokens")), ["a"]);
  const show = await sandbox.rad(["workspace", "show"]);
  assert.equal(show.code, 0);
  assert.match(show.stderr, /no current workspace/);
});

test("a question that nobody can answer says how to avoid it", async () => {
  await using sandbox = await createSandbox();
  await sandbox.rad(createArgs("a"));

  const { code, stderr } = await sandbox.rad(["workspace", "delete", "a"]);

  assert.equal(code, 1);
  assert.match(stderr, /re-run with `--yes`/);
  assert.match(stderr, /Code: {2}ConfirmationRequired\n\n$/);
});

test("an existing workspace is replaced only with --force", async () => {
  await using sandbox = await createSandbox();
  await sandbox.rad(createArgs("a"));

  const refused = await sandbox.rad(createArgs("A"));
  const forced = await sandbox.rad(createArgs("a", "--force"));

  assert.match(refused.stderr, /WorkspaceExists/);
  assert.equal(forced.code, 0);
});

test("a token kept for one place is not sent to another", async () => {
  await using sandbox = await createSandbox();
  await using elsewhere = await startTestServer();
  await sandbox.rad(createArgs("a"));

  const { code } = await sandbox.rad(["workspace", "create", "server", "a", "--url", elsewhere.url, "--force"]);
  await sandbox.rad(["group", "list"]);

  assert.equal(code, 0);
  assert.ok(elsewhere.requests.length > 1);
  assert.deepEqual(
    elsewhere.requests.map((request) => request.headers.authorization),
    elsewhere.requests.map(() => undefined),
  );
});

for (const [what, args, code] of [
  ["a group that does not exist", ["--group", "nope"], "GroupNotFound"],
  ["a group name that is none", ["--group", "a/b"], "InvalidGroupName"],
  ["an environment without a group", ["--environment", "e"], "NoGroup"],
] as const) {
  test(`a workspace with ${what} is not created`, async () => {
    await using sandbox = await createSandbox();

    const result = await sandbox.rad(createArgs("a", ...args));

    assert.equal(result.code, 1);
    assert.ok(result.stderr.includes(`Code:  ${code}\n`), result.stderr);
    assert.equal((await sandbox.rad(["workspace", "list", "-o", "json"])).stdout, "[]\n");
  });
}

for (const [what, args, code] of [
  ["kubernetes", ["kubernetes", "a"], "KubernetesNotSupported"],
  ["an unknown type", ["docker", "a"], "InvalidUsage"],
  ["no URL", ["server", "a"], "InvalidUsage"],
  ["a bad name", ["server", "../x", "--url", "http://127.0.0.1:1"], "InvalidWorkspaceName"],
  ["a bad URL", ["server", "a", "--url", "nonsense"], "InvalidEndpoint"],
  ["nobody there", ["server", "a", "--url", "http://127.0.0.1:1"], "ConnectionFailed"],
  ["a name given twice", ["server", "a", "-w", "b", "--url", "http://127.0.0.1:1"], "InvalidUsage"],
  [
    "a token file that is not there",
    ["server", "a", "--url", "http://127.0.0.1:1", "--token-file", "x"],
    "TokenUnreadable",
  ],
  [
    "a certificate file that is not there",
    ["server", "a", "--url", "https://127.0.0.1:1", "--ca-file", "x"],
    "FileUnreadable",
  ],
] as const) {
  test(`workspace create with ${what} is refused`, async () => {
    await using sandbox = await createSandbox();

    const result = await sandbox.rad(["workspace", "create", ...args]);

    assert.equal(result.code, 1);
    assert.ok(result.stderr.includes(`Code:  ${code}\n`), result.stderr);
    assert.equal(result.stdout, "");
    assert.doesNotMatch(result.stderr, /ENOENT/);
  });
}

test("a token file that others can read is refused", async () => {
  await using sandbox = await createSandbox();
  const open = join(sandbox.home, "open");
  await copyFile(server.tokenFile, open);
  await chmod(open, 0o644);

  const { stderr } = await sandbox.rad([
    "workspace",
    "create",
    "server",
    "a",
    "--url",
    server.url,
    "--token-file",
    open,
  ]);

  assert.match(stderr, /InsecureTokenFile/);
});

test("a wrong token is the server's error, with a trace id", async () => {
  await using sandbox = await createSandbox();

  const { code, stderr } = await sandbox.rad(["workspace", "create", "server", "a", "--url", server.url], {
    env: { RADIUS_TOKEN: "wrong" },
  });

  assert.equal(code, 1);
  assert.match(stderr, /^Error: .+\nCode: {2}InvalidAuthenticationInfo\n[^]*\nTraceId: {2}[0-9a-f]{32}\n\n$/);
});

test("a broken configuration is one line and exit code 1", async () => {
  await using sandbox = await createSandbox();
  await sandbox.rad(createArgs("a"));
  await writeFile(sandbox.configPath, "workspaces: [");

  const { code, stderr } = await sandbox.rad(["workspace", "list"]);

  assert.equal(code, 1);
  assert.match(
    stderr,
    /^Error: failed to load config \S+config\.yaml: .+ at line 1, column 14\nCode: {2}InvalidConfig\n\n$/,
  );
});
