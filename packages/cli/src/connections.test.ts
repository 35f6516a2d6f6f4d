/** How `rad` reaches a control plane, in a process of its own: what the environment says counts from its start. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
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
  await assert.rejects(listGroups(sandbox, server.url, {}), { stderr: /\nCode: {2}ConnectionFailed\n/ });
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
