import assert from "node:assert/strict";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startTestServer } from "@rad/client/testing";
import { parse } from "yaml";
import { createSandbox } from "../testing/sandbox.ts";

interface Kubeconfig {
  readonly "current-context"?: string;
  readonly clusters: readonly { name: string; cluster: { server: string } }[];
  readonly users: readonly { name: string; user: { token?: string } }[];
  readonly contexts: readonly { name: string; context: { cluster: string; user: string } }[];
}

const existing = `apiVersion: v1
kind: Config
current-context: prod # keep
clusters:
  - name: prod
    cluster: { server: "https://prod.example.com" }
users:
  - name: prod
    user:
      client-key-data: aGVsbG8=
contexts:
  - name: prod
    context: { cluster: prod, user: prod, namespace: web }
extra: { of: mine }
`;

async function connected(url: string) {
  const sandbox = await createSandbox();
  const { code } = await sandbox.rad(["workspace", "create", "server", "lab", "--url", url, "--token-file", "-"], {
    stdin: "canary-token",
  });
  assert.equal(code, 0);
  return sandbox;
}

test("a context with endpoint and token is added, and everything else stays", async () => {
  await using server = await startTestServer();
  await using sandbox = await connected(server.url);
  const file = join(sandbox.home, ".kube", "config");
  await mkdir(join(sandbox.home, ".kube"));
  await writeFile(file, existing, { mode: 0o644 });

  const { code, stdout } = await sandbox.rad(["server", "kubeconfig"]);
  const again = await sandbox.rad(["server", "kubeconfig"]);

  assert.equal(code, 0);
  assert.equal(again.code, 0);
  assert.ok(!stdout.includes("canary-token"));
  const text = await readFile(file, "utf8");
  const config = parse(text) as Kubeconfig;
  const before = parse(existing) as Kubeconfig;
  assert.deepEqual(config, {
    ...before,
    clusters: [...before.clusters, { name: "radius-lab", cluster: { server: server.url } }],
    users: [...before.users, { name: "radius-lab", user: { token: "canary-token" } }],
    contexts: [...before.contexts, { name: "radius-lab", context: { cluster: "radius-lab", user: "radius-lab" } }],
  });
  assert.ok(text.includes("current-context: prod # keep"));
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(join(sandbox.home, ".kube")), ["config"]);
});

test("a new file, another name, the current context", async () => {
  await using server = await startTestServer();
  await using sandbox = await connected(server.url);

  await sandbox.rad(["server", "kubeconfig", "--kubeconfig", "k/new", "--name", "mine", "--set-current"]);

  const config = parse(await readFile(join(sandbox.home, "k", "new"), "utf8")) as Kubeconfig;
  assert.equal(config["current-context"], "mine");
  assert.equal(config.users[0]?.user.token, "canary-token");
});

test("--stdout prints one and writes none", async () => {
  await using server = await startTestServer();
  await using sandbox = await connected(server.url);

  const { stdout } = await sandbox.rad(["server", "kubeconfig", "--stdout"]);

  assert.equal((parse(stdout) as Kubeconfig).clusters[0]?.cluster.server, server.url);
  await assert.rejects(stat(join(sandbox.home, ".kube")), { code: "ENOENT" });
});

test("a file that is no kubeconfig is left alone", async () => {
  await using server = await startTestServer();
  await using sandbox = await connected(server.url);
  for (const text of ["- a list\n", "a: {\n"]) {
    await writeFile(join(sandbox.home, "bad"), text);

    const { code, stderr } = await sandbox.rad(["server", "kubeconfig", "--kubeconfig", "bad"]);

    assert.equal(code, 1);
    assert.match(stderr, /InvalidKubeconfig/);
    assert.equal(await readFile(join(sandbox.home, "bad"), "utf8"), text);
  }
  assert.ok(!(await readdir(sandbox.home)).includes("bad.lock"));
});
