import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startTestServer } from "@rad/client/testing";
import { findInFiles } from "@rad/control-plane/testing";
import { createSandbox } from "./testing/sandbox.ts";

const canary = "rad_canary-5f1d8c";

test("a token is in no output and in no file but its own, whatever happens", async () => {
  await using sandbox = await createSandbox();
  await using server = await startTestServer({ token: canary });
  await using broken = await startTestServer({
    intercept: (request, response) => {
      response.writeHead(500).end(`<p>${request.method} failed</p>`);
      return true;
    },
  });
  const connect = (name: string, url: string) => ["workspace", "create", "server", name, "--url", url];
  const lines: readonly (readonly string[])[] = [
    [...connect("a", server.url), "--token-file", "-"],
    ["workspace", "show", "-o", "json"],
    ["workspace", "list", "--debug"],
    ["group", "create", "dev", "--debug"],
    ["group", "switch", "dev", "--verbose"],
    ["resource", "show", "No.Such/type", "x", "--debug"],
    ["resource-type", "list", "-o", "json"],
    ["server", "status", "-o", "json"],
    ["server", "kubeconfig", "--kubeconfig", "kube"],
    ["version", "--debug"],
    [...connect("b", broken.url), "--debug"],
    [...connect("c", "http://127.0.0.1:1"), "--debug"],
    [...connect("d", `http://user:${canary}@127.0.0.1:1`)],
  ];

  for (const line of lines) {
    const { stdout, stderr } = await sandbox.rad(line, { stdin: canary, env: { RADIUS_TOKEN: canary } });
    assert.ok(!`${stdout}${stderr}`.includes(canary), `rad ${line.join(" ")}\n${stdout}${stderr}`);
  }

  const holders = await findInFiles(sandbox.home, canary);
  assert.deepEqual(holders.sort(), [join(sandbox.home, ".rad/tokens/a"), join(sandbox.home, "kube")]);
});

test("a server in the background has no token in its arguments or environment", async () => {
  await using sandbox = await createSandbox();
  await sandbox.rad(["server", "start", "--port", "0"], { env: { RADIUS_TOKEN: canary } });
  const { stdout } = await sandbox.rad(["server", "status", "-o", "json"]);
  const { pid } = JSON.parse(stdout) as { pid: number };
  try {
    const token = (await readFile(join(sandbox.home, ".rad", "server", "token"), "utf8")).trim();
    const seen = await Promise.all(["cmdline", "environ"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8")));

    assert.ok(!seen.join("").includes(canary));
    assert.ok(!seen.join("").includes(token));
  } finally {
    await sandbox.rad(["server", "stop"]);
  }
});
