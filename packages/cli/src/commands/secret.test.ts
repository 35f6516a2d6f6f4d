import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { after, before, test } from "node:test";
import { createClient } from "@rad/client";
import { startTestServer } from "@rad/client/testing";
import type { JsonObject } from "@rad/core";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, createSandbox, startControlPlane } from "../testing/sandbox.ts";

let server: TestControlPlane;
before(async () => {
  server = await startControlPlane();
});
after(() => server[Symbol.asyncDispose]());

const canary = 'canary "quoted" ${not} %{expanded} ünïcode';

async function inEnvironment(name: string): Promise<Sandbox> {
  const sandbox = await createConnectedSandbox(server);
  for (const args of [
    ["group", "create", name],
    ["group", "switch", name],
    ["env", "create", name, "--preview"],
    ["env", "switch", name],
  ]) {
    const { code, stderr } = await sandbox.rad(args);
    assert.equal(code, 0, stderr);
  }
  return sandbox;
}

test("a secret is set from files and stdin, listed by its keys, and deleted", async () => {
  await using sandbox = await inEnvironment("secrets-whole");
  await writeFile(join(sandbox.home, "password.txt"), `${canary}\n`);
  const stdin = "canary-of-stdin";

  const created = await sandbox.rad(
    ["secret", "set", "registry", "--from-file", "password=password.txt", "-f", "username=-"],
    { stdin },
  );
  const updated = await sandbox.rad(
    ["secret", "set", "registry", "-f", "username=-", "-f", "password=password.txt", "-o", "json"],
    { stdin },
  );
  const listed = await sandbox.rad(["secret", "list"]);
  const json = await sandbox.rad(["secret", "list", "-o", "json"]);
  const deleted = await sandbox.rad(["secret", "delete", "registry", "--yes"]);
  const again = await sandbox.rad(["secret", "delete", "registry", "--yes"]);

  assert.equal(created.stdout, "Radius.Security/secrets/registry created\n", created.stderr);
  assert.equal(JSON.parse(updated.stdout).status, "updated");
  assert.equal(
    listed.stdout,
    "SECRET    GROUP          KIND      KEYS\nregistry  secrets-whole  generic   password, username\n",
  );
  assert.deepEqual(
    JSON.parse(json.stdout).map(({ keys }: { keys: string[] }) => keys),
    [["password", "username"]],
  );
  assert.equal(deleted.stdout, "Radius.Security/secrets/registry deleted\n");
  assert.equal(again.stdout, "Radius.Security/secrets/registry not found\n");
  const everything = JSON.stringify([created, updated, listed, json, deleted, again]);
  assert.ok(!everything.includes("canary"), everything);
});

/** What the control plane gets, which it never tells. */
async function sent(args: readonly string[], options: { readonly stdin?: string; readonly keyboard?: PassThrough }) {
  await using scripted = await startTestServer();
  await using sandbox = await createSandbox();
  for (const line of [
    ["workspace", "create", "server", "test", "--url", scripted.url],
    ["group", "create", "dev"],
    ["group", "switch", "dev"],
    ["env", "create", "dev"],
    ["env", "switch", "dev"],
  ]) {
    await sandbox.rad(line);
  }
  await writeFile(join(sandbox.home, "break"), "\n");
  await writeFile(join(sandbox.home, "text"), `${canary}\n`);
  await writeFile(join(sandbox.home, "bytes"), Buffer.from([0xff, 0, 0x0a]));
  const { keyboard } = options;
  const answer = await sandbox.rad(["secret", "set", "s", ...args], {
    ...options,
    onOutput: (text) => {
      if (text.includes("Value of")) {
        setImmediate(() => keyboard?.write("canary-typed\r"));
      }
    },
  });
  const put = scripted.requests.find(({ method, path }) => method === "PUT" && path.includes("Radius.Security"));
  const body = put?.body as { properties: { data: object } } | undefined;
  return { answer, data: body?.properties.data };
}

test("a value loses one line break at its end, and bytes that are no text go as base64", async () => {
  const { data, answer } = await sent(["-f", "text=text", "-f", "bytes=bytes", "-f", "piped=-"], { stdin: "a\n\n" });

  assert.equal(answer.code, 0, answer.stderr);
  assert.deepEqual(data, {
    text: { value: canary },
    bytes: { value: "/wAK", encoding: "base64" },
    piped: { value: "a\n" },
  });
});

test("on a terminal the value of a key is asked for, and not shown", async () => {
  const { data, answer } = await sent(["token"], { keyboard: new PassThrough() });

  assert.equal(answer.code, 0, answer.stderr);
  assert.deepEqual(data, { token: { value: "canary-typed" } });
  assert.ok(!`${answer.stdout}${answer.stderr}`.includes("canary"), answer.stderr);
});

for (const [what, args, code] of [
  ["a value on the command line", ["token=canary-argument"], "InvalidUsage"],
  ["no key", [], "InvalidUsage"],
  ["a key twice", ["-f", "a=text", "-f", "a=bytes"], "InvalidUsage"],
  ["two values from stdin", ["-f", "a=-", "-f", "b=-"], "InvalidUsage"],
  ["a file without a key", ["-f", "text"], "InvalidUsage"],
  ["a file that is not there", ["-f", "a=nothing"], "FileUnreadable"],
  ["an empty value", ["-f", "a=-"], "EmptySecret"],
  ["a value that is a line break", ["-f", "a=break"], "EmptySecret"],
  ["a key and no terminal", ["a"], "SecretRequired"],
  ["a plane and a group", ["-f", "a=text", "--plane", "-g", "dev"], "InvalidUsage"],
] as const) {
  test(`${what} is refused, and nothing is sent`, async () => {
    const { answer, data } = await sent(args, { stdin: "" });

    assert.equal(answer.code, 1);
    assert.match(answer.stderr, new RegExp(`Code: {2}${code}`));
    assert.ok(!answer.stderr.includes("canary"), answer.stderr);
    assert.equal(data, undefined);
  });
}

test("keys that are not given again are not lost by accident", async () => {
  await using sandbox = await inEnvironment("secrets-lost");
  await sandbox.rad(["secret", "set", "pair", "-f", "a=-"], { stdin: "1" });
  const second = ["secret", "set", "pair", "-f", "b=-"];

  const refused = await sandbox.rad(second, { stdin: "2" });
  const replaced = await sandbox.rad([...second, "--replace"], { stdin: "2" });

  assert.match(refused.stderr, /also has the key\(s\) a, .*--replace/);
  assert.match(refused.stderr, /Code: {2}SecretKeysLost/);
  assert.equal(replaced.code, 0, replaced.stderr);
  assert.deepEqual(JSON.parse((await sandbox.rad(["secret", "list", "-o", "json"])).stdout)[0].keys, ["b"]);
});

test("a secret of the plane is beside all groups", async () => {
  await using sandbox = await inEnvironment("secrets-plane");
  await sandbox.rad(["secret", "set", "local", "-f", "a=-"], { stdin: "canary-local" });

  const set = await sandbox.rad(["secret", "set", "shared", "-f", "token=-", "--plane"], { stdin: "canary-shared" });
  const names = async (...flags: readonly string[]) =>
    JSON.parse((await sandbox.rad(["secret", "list", ...flags, "-o", "json"])).stdout).map(
      ({ name }: { name: string }) => name,
    ) as string[];

  assert.equal(set.stdout, "Radius.Security/secrets/shared created\n", set.stderr);
  assert.deepEqual(await names(), ["local"]);
  assert.deepEqual(await names("--plane"), ["shared"]);
  const everywhere = await names("--all-groups");
  assert.ok(everywhere.includes("local") && everywhere.includes("shared"));
  const client = createClient({ endpoint: server.url, token: server.token });
  const secret = await client.resources.get("/planes/radius/local/providers/Radius.Security/secrets/shared", {
    apiVersion: "2025-08-01-preview",
  });
  assert.ok(!JSON.stringify(secret).includes("canary"));
  assert.equal((secret.properties as JsonObject)["environment"], undefined, "it is for all environments");
  assert.equal((await sandbox.rad(["secret", "delete", "shared", "--plane", "-y"])).code, 0);
});

test("a secret belongs to an environment: the one that is named, else the workspace's, else none is set", async () => {
  await using sandbox = await createConnectedSandbox(server);
  await sandbox.rad(["env", "create", "named", "--preview"]);
  const set = ["secret", "set", "owned", "-f", "a=-"];

  const refused = await sandbox.rad(set, { stdin: "1" });
  const named = await sandbox.rad([...set, "-e", "named"], { stdin: "1" });
  const kept = await sandbox.rad(set, { stdin: "2" });

  assert.match(refused.stderr, /Code: {2}NoEnvironment/);
  assert.deepEqual([named.code, kept.code], [0, 0]);
  const shown = await sandbox.rad(["resource", "show", "Radius.Security/secrets", "owned", "-o", "json"]);
  assert.match(JSON.parse(shown.stdout).properties.environment, /Radius\.Core\/environments\/named$/);
});
