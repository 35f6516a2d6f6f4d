// kubectl against a server of this machine, after `rad server start` and `rad server kubeconfig` and nothing else.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, it } from "node:test";
import { promisify } from "node:util";
import { findKubectl } from "@rad/kubernetes/testing/kubectl";

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const root = path.join(import.meta.dirname, "..");
const groups = "/apis/api.ucp.dev/v1alpha3/planes/radius/local/resourceGroups?api-version=2023-10-01-preview";

let kubectl: string;
let home: string;
before(async () => {
  kubectl = await findKubectl();
  home = await mkdtemp(path.join(tmpdir(), "rad-kubectl-"));
  for (const args of [
    ["server", "start", "--port", "0"],
    ["server", "start", "--port", "0", "--data", "other", "-w", "other"],
    ["workspace", "switch", "local"],
    ["server", "kubeconfig"],
  ]) {
    const { code, stderr } = await rad(args);
    assert.equal(code, 0, stderr);
  }
});
after(async () => {
  await rad(["server", "stop", "--force"]);
  await rad(["server", "stop", "--force", "--data", "other"]);
  await rm(home, { recursive: true });
});

it("kubectl reads the groups", async () => {
  const { code, stdout, stderr } = await get(groups);

  assert.equal(code, 0, stderr);
  const { value } = JSON.parse(stdout) as { value: { name: string }[] };
  assert.deepEqual(
    value.map(({ name }) => name),
    ["default"],
  );
});

it("kubectl writes a group", async () => {
  const url = groups.replace("resourceGroups", "resourceGroups/from-kubectl");
  const file = path.join(home, "group.json");
  await writeFile(file, JSON.stringify({ location: "global", tags: { from: "kubectl" } }));

  const put = await run(kubectl, [...context(), "replace", "--raw", url, "-f", file]);
  const read = await get(url);
  const gone = await run(kubectl, [...context(), "delete", "--raw", url]);

  assert.deepEqual([put.code, read.code, gone.code], [0, 0, 0], put.stderr + read.stderr + gone.stderr);
  assert.deepEqual((JSON.parse(read.stdout) as { tags: unknown }).tags, { from: "kubectl" });
});

it("a wrong token is refused", async () => {
  const kubeconfig = await changed(/(?<=token: )\S+/, "canary-not-the-token");

  const { code, stderr } = await get(groups, kubeconfig);

  assert.equal(code, 1);
  assert.match(stderr, /Unauthorized|must be logged in|InvalidAuthenticationInfo/i);
});

it("a server with another authority's certificate gets no token", async () => {
  const other = JSON.parse(await readFile(path.join(home, "other", "server.pid"), "utf8")) as {
    loopbackTls: { url: string };
  };
  const kubeconfig = await changed(/(?<=server: )\S+/, other.loopbackTls.url);

  const { code, stderr } = await get(groups, kubeconfig);

  assert.equal(code, 1);
  assert.match(stderr, /certificate signed by unknown authority/);
});

it("the sessions of upstream's client get the answers that they need over the same connection", async () => {
  const folder = path.join(home, ".rad", "server");
  const record = JSON.parse(await readFile(path.join(folder, "server.pid"), "utf8")) as {
    loopbackTls: { url: string; caFile: string };
  };
  await rad(["group", "delete", "default", "--yes"]);

  const { stdout, stderr } = await run(
    process.execPath,
    [
      path.join(import.meta.dirname, "support", "replay-sessions.ts"),
      record.loopbackTls.url,
      path.join(folder, "token"),
    ],
    { NODE_EXTRA_CA_CERTS: record.loopbackTls.caFile },
  );

  assert.notEqual(stdout, "", stderr);
  const { sessions, differences } = JSON.parse(stdout) as { sessions: number; differences: unknown[] };
  assert.ok(sessions > 20);
  assert.deepEqual(differences, []);
});

function get(url: string, kubeconfig?: string): Promise<Result> {
  return run(kubectl, [...context(kubeconfig), "get", "--raw", url]);
}

function context(kubeconfig = path.join(home, ".kube", "config")): string[] {
  return ["--kubeconfig", kubeconfig, "--context", "radius-local"];
}

/** A copy of the kubeconfig with something else in it. */
async function changed(what: RegExp, by: string): Promise<string> {
  const config = await readFile(path.join(home, ".kube", "config"), "utf8");
  assert.match(config, what);
  const file = path.join(home, "changed");
  await writeFile(file, config.replace(what, by), { mode: 0o600 });
  return file;
}

function rad(args: readonly string[]): Promise<Result> {
  const main = path.join(root, "packages", "cli", "src", "main.ts");
  return run(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args]);
}

async function run(file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Result> {
  const options = { cwd: home, env: { PATH: process.env["PATH"], HOME: home, ...env }, timeout: 60_000 };
  try {
    return { code: 0, ...(await promisify(execFile)(file, args, options)) };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as Partial<Result>;
    return { code: typeof code === "number" ? code : -1, stdout, stderr };
  }
}
