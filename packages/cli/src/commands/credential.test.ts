import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { after, before, test } from "node:test";
import { startTestServer } from "@rad/client/testing";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, createSandbox, startControlPlane } from "../testing/sandbox.ts";

let server: TestControlPlane;
let sandbox: Sandbox;
before(async () => {
  server = await startControlPlane();
  sandbox = await createConnectedSandbox(server);
});
after(async () => {
  await sandbox[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const clientId = "0f1b3c5d-0000-4000-8000-000000000001";
const tenantId = "0f1b3c5d-0000-4000-8000-000000000002";
const azure = ["credential", "register", "azure", "sp", "--client-id", clientId, "--tenant-id", tenantId] as const;
const accessKey = ["credential", "register", "aws", "access-key", "--access-key-id", "AKIAEXAMPLE"] as const;

async function ok(args: readonly string[], stdin?: string): Promise<string> {
  const { code, stdout, stderr } = await sandbox.rad(args, stdin === undefined ? {} : { stdin });
  assert.equal(code, 0, `rad ${args.join(" ")}: ${stderr}`);
  assert.ok(!`${stdout}${stderr}`.includes("canary"), `${stdout}${stderr}`);
  return stdout;
}

test("credentials of every kind are registered, listed, shown and unregistered, without their secrets", async () => {
  await writeFile(join(sandbox.home, "key.txt"), "canary-of-a-file\n");

  const registered = await ok([...azure, "--client-secret-from-file", "-"], "canary-of-stdin");
  await ok([...accessKey, "--secret-access-key-from-file", "key.txt"]);
  const listed = await ok(["credential", "list"]);
  const json = await ok(["credential", "list", "-o", "json"]);
  const principal = await ok(["credential", "show", "azure"]);
  const details = await ok(["credential", "show", "Azure", "-o", "json"]);
  const key = await ok(["credential", "show", "aws"]);
  await ok(["credential", "register", "azure", "wi", "--client-id", clientId, "--tenant-id", tenantId]);
  const identity = await ok(["credential", "show", "azure", "-o", "json"]);
  await ok(["credential", "register", "aws", "irsa", "--iam-role", "arn:aws:iam::123456789012:role/radius"]);
  const role = await ok(["credential", "show", "aws"]);
  const gone = await ok(["credential", "unregister", "azure"]);
  const again = await ok(["credential", "unregister", "azure"]);

  assert.equal(registered, "Registered the credential for azure. Recipes use it within 30 seconds.\n");
  assert.equal(listed, "PROVIDER  REGISTERED\nazure     true\naws       true\n");
  assert.deepEqual(JSON.parse(json), [
    { Name: "azure", Enabled: true },
    { Name: "aws", Enabled: true },
  ]);
  assert.match(principal, /^NAME +REGISTERED +KIND +CLIENTID +TENANTID\nazure +true +ServicePrincipal +0f1b/);
  assert.deepEqual(JSON.parse(details), {
    Name: "azure",
    Enabled: true,
    AzureCredentials: {
      Kind: "ServicePrincipal",
      ServicePrincipal: { ClientID: clientId, TenantID: tenantId, Kind: "ServicePrincipal" },
    },
  });
  assert.match(key, /^NAME +REGISTERED +KIND +ACCESSKEYID\naws +true +AccessKey +AKIAEXAMPLE\n$/);
  assert.equal(JSON.parse(identity).AzureCredentials.Kind, "WorkloadIdentity");
  assert.match(role, /^NAME +REGISTERED +KIND +ROLEARN\naws +true +IRSA +arn:aws:iam::123456789012:role\/radius\n$/);
  assert.equal(gone, "Unregistered the credential for azure.\n");
  assert.equal(again, "No credential is registered for azure.\n");
  assert.equal((await sandbox.rad(["credential", "show", "azure"])).code, 1);
});

test("the body is the one of upstream's API", async () => {
  await using scripted = await startTestServer();
  await using home = await createSandbox();
  await home.rad(["workspace", "create", "server", "test", "--url", scripted.url]);

  await home.rad([...azure, "--client-secret-from-file", "-"], { stdin: "canary\r\n" });
  await home.rad([...accessKey, "--secret-access-key-from-file", "-"], { stdin: "canary" });

  const puts = scripted.requests.filter(({ method }) => method === "PUT");
  assert.deepEqual(
    puts.map(({ path }) => path),
    [
      "/planes/azure/azurecloud/providers/System.Azure/credentials/default?api-version=2023-10-01-preview",
      "/planes/aws/aws/providers/System.AWS/credentials/default?api-version=2023-10-01-preview",
    ],
  );
  const storage = { kind: "Internal" };
  assert.deepEqual(
    puts.map(({ body }) => body),
    [
      { kind: "ServicePrincipal", clientId, tenantId, clientSecret: "canary", storage },
      { kind: "AccessKey", accessKeyId: "AKIAEXAMPLE", secretAccessKey: "canary", storage },
    ].map((properties) => ({ location: "global", properties })),
  );
});

test("a secret as an argument is taken, with a warning that does not repeat it", async () => {
  const { code, stdout, stderr } = await sandbox.rad([...azure, "--client-secret", "canary-argument"]);

  assert.equal(code, 0);
  assert.match(stderr, /Warning: the client secret was given as an argument.*--client-secret-from-file/);
  assert.ok(!`${stdout}${stderr}`.includes("canary"));
});

test("on a terminal the secret is asked for, and not shown", async () => {
  const keyboard = new PassThrough();

  const { code, stderr } = await sandbox.rad(accessKey, {
    keyboard,
    onOutput: (text) => {
      if (text.includes("Value of")) {
        setImmediate(() => keyboard.write("canary-typed\r"));
      }
    },
  });

  assert.equal(code, 0, stderr);
  assert.ok(!stderr.includes("canary"), stderr);
});

for (const [what, args, code] of [
  ["no secret and no terminal", azure, "SecretRequired"],
  ["the secret twice", [...azure, "--client-secret", "canary", "--client-secret-from-file", "-"], "InvalidUsage"],
  ["an empty secret", [...accessKey, "--secret-access-key-from-file", "-"], "EmptySecret"],
  ["a client id that is no GUID", [...azure, "--client-id", "canary"], "InvalidAzureId"],
  ["a role that is no ARN", ["credential", "register", "aws", "irsa", "--iam-role", "radius"], "InvalidRole"],
  ["a role without its flag", ["credential", "register", "aws", "irsa"], "InvalidUsage"],
  ["another cloud", ["credential", "show", "gcp"], "InvalidCloud"],
] as const) {
  test(`${what} is refused`, async () => {
    const { code: exit, stderr } = await sandbox.rad(args, { stdin: "" });

    assert.equal(exit, 1);
    assert.match(stderr, new RegExp(`Code: {2}${code}`));
    assert.ok(!stderr.includes("canary"), stderr);
  });
}
