/** How `rad` reaches a control plane, in a process of its own: what the environment says counts from its start. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createCa, createLeaf, startWebServer } from "@rad/artifacts/testing";
import type { Sandbox } from "./testing/sandbox.ts";
import { createSandbox } from "./testing/sandbox.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const noGroups: RequestListener = (_, response) => {
  response.setHeader("content-type", "application/json").end('{"value":[]}');
};

/** Lists the groups of a control plane. Rejects with what is said on stderr when that fails. */
async function listGroups({ home }: Sandbox, url: string, env: Readonly<Record<string, string>>) {
  const connection = { kind: "kubernetes", context: "", overrides: { ucp: url } };
  const config = join(home, "config.yaml");
  await writeFile(config, JSON.stringify({ workspaces: { default: "test", items: { test: { connection } } } }));
  const options = { env: { PATH: process.env["PATH"], HOME: home, USERPROFILE: home, ...env } };
  const args = ["--disable-warning=ExperimentalWarning", main, "group", "list", "--config", config];
  return (await promisify(execFile)(process.execPath, args, options)).stdout;
}

test("a certificate is checked, against the authorities of NODE_EXTRA_CA_CERTS too", async () => {
  const ca = createCa("ca");
  await using server = await startWebServer(noGroups, createLeaf("control plane", ca));
  await using sandbox = await createSandbox();
  const caFile = join(sandbox.home, "ca.pem");
  await writeFile(caFile, ca.cert);

  assert.equal(await listGroups(sandbox, server.url, { NODE_EXTRA_CA_CERTS: caFile }), "GROUP     ID\n");
  await assert.rejects(listGroups(sandbox, server.url, {}), { stderr: /\nCode: {2}CertificateRefused\n/ });
});

test("a private authority is kept for its workspace, beside its token, and used by every command", async () => {
  const ca = createCa("ca");
  await using server = await startWebServer(noGroups, createLeaf("control plane", ca));
  await using sandbox = await createSandbox();
  // A file as people have them: more than one thing in it.
  await writeFile(join(sandbox.home, "ca.pem"), `our authority\n${ca.key}${createCa("other").cert}${ca.cert}`);
  const create = ["workspace", "create", "server", "x", "--url", server.url];

  const refused = await sandbox.rad(create);
  const created = await sandbox.rad([...create, "--ca-file", "ca.pem"]);
  const listed = await sandbox.rad(["group", "list"]);
  const kept = await readFile(join(sandbox.home, ".rad", "authorities", "x.pem"), "utf8");
  const again = await sandbox.rad([...create, "--force"]);
  const kubeconfig = await sandbox.rad(["server", "kubeconfig", "--stdout"]);
  const deleted = await sandbox.rad(["workspace", "delete", "x", "--yes"]);

  assert.match(refused.stderr, /--ca-file <file>[^]*NODE_EXTRA_CA_CERTS[^]*Code: {2}CertificateRefused/);
  assert.equal(created.code, 0, created.stderr);
  assert.equal(listed.stdout, "GROUP     ID\n");
  assert.ok(kept.includes(ca.cert.trim()) && !kept.includes("PRIVATE KEY"));
  assert.doesNotMatch(await readFile(sandbox.configPath, "utf8"), /ca\.pem|CERTIFICATE/);
  assert.equal(again.code, 0, "it is kept where the URL stays the same");
  assert.ok(kubeconfig.stdout.includes(`certificate-authority-data: ${Buffer.from(kept).toString("base64")}`));
  assert.equal(deleted.code, 0);
  assert.deepEqual(await readdir(join(sandbox.home, ".rad", "authorities")), []);
});

const ca = createCa("ca");
for (const [why, leaf, authority, expected] of [
  ["of another authority", createLeaf("a", createCa("other")), ca, /not trusted here[^]*CertificateRefused/],
  ["that signed itself", createCa("self"), ca, /not trusted here[^]*CertificateRefused/],
  ["that expired", createLeaf("a", ca, { end: "210101000000Z" }), ca, /has expired[^]*clock[^]*CertificateRefused/],
  ["for another name", createLeaf("a", ca, { address: [10, 0, 0, 7] }), ca, /other names[^]*CertificateRefused/],
  [
    "whose authority is in no file",
    createLeaf("a", ca),
    { cert: "nothing" },
    /BEGIN CERTIFICATE[^]*InvalidCertificate/,
  ],
  [
    "whose authority expired",
    createLeaf("a", ca),
    createCa("b", { end: "210101000000Z" }),
    /expired on 2021-01-01[^]*InvalidCertificate/,
  ],
] as const) {
  test(`a certificate ${why} is refused with what to do, and nothing is written`, async () => {
    await using server = await startWebServer(noGroups, leaf);
    await using sandbox = await createSandbox();
    await writeFile(join(sandbox.home, "ca.pem"), authority.cert);

    const { code, stderr } = await sandbox.rad(
      ["workspace", "create", "server", "x", "--url", server.url, "--ca-file", "ca.pem", "--token-file", "-"],
      { stdin: "canary-token" },
    );

    assert.equal(code, 1);
    assert.match(stderr, expected);
    assert.deepEqual(await readdir(sandbox.home), ["ca.pem"]);
  });
}

test("https to a server that speaks plain HTTP says so, and a CA for plain HTTP is refused", async () => {
  await using server = await startWebServer(noGroups);
  await using sandbox = await createSandbox();
  await writeFile(join(sandbox.home, "ca.pem"), ca.cert);
  const create = ["workspace", "create", "server", "x", "--url"];

  const wrong = await sandbox.rad([...create, server.url.replace("http:", "https:")]);
  const plain = await sandbox.rad([...create, server.url, "--ca-file", "ca.pem"]);

  assert.match(wrong.stderr, new RegExp(`does not speak TLS .* Is the URL ${server.url}\\?`));
  assert.match(plain.stderr, /Code: {2}InvalidUsage/);
});

test("NODE_USE_ENV_PROXY sends requests to the proxy of the environment", async () => {
  const asked: string[] = [];
  await using proxy = await startWebServer((request, response) => {
    asked.push(request.url ?? "");
    noGroups(request, response);
  });
  await using sandbox = await createSandbox();
  const env = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: proxy.url };

  assert.equal(await listGroups(sandbox, "http://radius.example", env), "GROUP     ID\n");
  assert.deepEqual(
    asked.map((url) => url.replace(/\?.*/, "")),
    ["http://radius.example/apis/api.ucp.dev/v1alpha3/planes/radius/local/resourceGroups"],
  );
});
