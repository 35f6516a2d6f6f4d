// Secrets and cloud credentials: sealed, never shown, and read by code that runs recipes.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { type JsonObject, objectMember } from "@rad/core";
import { openObjectTarget } from "@rad/kubernetes";
import { loadAwsCredential, loadAzureCredential, loadSecret } from "@rad/radius-types";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findInFiles } from "../../testing/find-in-files.ts";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

const v = "api-version=2025-08-01-preview";
const group = `${local}/resourcegroups/apps`;
const environment = `${group}/providers/Radius.Core/environments/env`;
const probe = `${group}/providers/Test.Probes/probes/p`;

let server: TestServer;
let manifests: string;
before(async () => {
  manifests = await mkdtemp(join(tmpdir(), "radius-manifests-"));
  const target = (): ReturnType<typeof openObjectTarget> => openObjectTarget({ kind: "folder", path: manifests });
  server = await startTestServer({
    overrides: { kubernetes: { manifests } },
    handlers: {
      "Test.Probes/probes": {
        actions: {
          secret: async (context) => {
            const { id, keys } = context.body as { id: string; keys?: string[] };
            const { kind, values } = await loadSecret({ target }, context, {
              id,
              ...(keys === undefined ? {} : { keys }),
            });
            return { kind, values: { ...values } };
          },
          clouds: async ({ resources: { asServer } }) => {
            const [aws, azure] = [await loadAwsCredential(asServer), await loadAzureCredential(asServer)];
            return { aws: aws === undefined ? null : { ...aws }, azure: azure === undefined ? null : { ...azure } };
          },
        },
      },
    },
  });
  await server.register("Test.Probes", { probes: {} });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  await server.settle(await server.call("PUT", `${probe}?api-version=2025-01-01`, { body: { properties: {} } }));
  assert.equal((await server.call("PUT", `${environment}?${v}`, { body: { properties: {} } })).status, 200);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(manifests, { recursive: true, force: true });
});

const ask = (action: string, body: JsonObject): Promise<Reply> =>
  server.call("POST", `${probe}/${action}?api-version=2025-01-01`, { body });
const putSecret = async (id: string, data: JsonObject): Promise<void> => {
  const reply = await server.call("PUT", `${id}?${v}`, {
    body: { properties: { environment, kind: "generic", data } },
  });
  assert.equal((await server.settle(reply))["status"], "Succeeded", reply.text);
};

for (const [where, scope] of [
  ["a group", group],
  ["the plane", local],
] as const) {
  it(`Radius.Security/secrets in ${where} are sealed, and read by key`, async () => {
    const id = `${scope}/providers/Radius.Security/secrets/tokens`;
    const value = `canary "$\{x}" %{y} ~/ü`;
    await putSecret(id, { "a/b~c": { value }, encoded: { value: btoa("canary-decoded"), encoding: "base64" } });

    const shown = await server.call("GET", `${id}?${v}`);
    const all = await ask("secret", { id });
    const one = await ask("secret", { id: id.toUpperCase().replace("/PLANES", "/planes"), keys: ["a/b~c"] });
    const missing = await ask("secret", { id, keys: ["a/b~c", "other"] });

    assert.doesNotMatch(shown.text, /canary/);
    assert.deepEqual(all.body, { kind: "generic", values: { "a/b~c": value, encoded: "canary-decoded" } });
    assert.deepEqual(one.body, { kind: "generic", values: { "a/b~c": value } });
    assert.deepEqual([missing.status, missing.code], [400, "LoadSecretsFailed"]);
    assert.match(missing.text, /'other' secret key was not found in secret store '[^']*tokens'/);
  });
}

it("a secret of the plane needs no environment, and one of a group does", async () => {
  const properties = { data: { token: { value: "canary-shared" } } };
  const shared = `${local}/providers/Radius.Security/secrets/shared`;

  const inPlane = await server.call("PUT", `${shared}?${v}`, { body: { properties } });
  const inGroup = await server.call("PUT", `${group}/providers/Radius.Security/secrets/shared?${v}`, {
    body: { properties },
  });

  assert.equal((await server.settle(inPlane))["status"], "Succeeded", inPlane.text);
  assert.deepEqual((await ask("secret", { id: shared })).body["values"], { token: "canary-shared" });
  assert.deepEqual([inGroup.status, inGroup.code], [400, "HttpRequestPayloadAPISpecValidationFailed"]);
  assert.match(inGroup.text, /\$\.properties\.environment in body is required/);
  const deleted = await server.call("DELETE", `${shared}?${v}`);
  assert.equal((await server.settle(deleted))["status"], "Succeeded", deleted.text);
});

it("a secret is read anew each time, and a name is never searched in other places", async () => {
  const id = `${group}/providers/Radius.Security/secrets/rotated`;
  await putSecret(id, { token: { value: "canary-old" } });
  await putSecret(id, { token: { value: "canary-new" } });

  const rotated = await ask("secret", { id });
  const elsewhere = await ask("secret", { id: `${local}/providers/Radius.Security/secrets/rotated` });

  assert.deepEqual(rotated.body["values"], { token: "canary-new" });
  assert.deepEqual([elsewhere.status, elsewhere.code], [400, "LoadSecretsFailed"]);
});

it("a secret store is read, and no other type is", async () => {
  const id = `${group}/providers/Applications.Core/secretStores/store`;
  const legacy = `${group}/providers/Applications.Core/environments/legacy`;
  const compute = { kind: "kubernetes", namespace: "legacy" };
  await server.call("PUT", `${legacy}?${systemVersion}`, { body: { location: "global", properties: { compute } } });
  const stored = await server.call("PUT", `${id}?${systemVersion}`, {
    body: {
      location: "global",
      properties: {
        environment: legacy,
        type: "basicAuthentication",
        data: { username: { value: "ann" }, password: { value: "canary-pw" } },
      },
    },
  });
  assert.equal(stored.status, 200, stored.text);

  const read = await ask("secret", { id });
  const other = await ask("secret", { id: environment });
  const nothing = await ask("secret", { id: "nothing" });

  assert.deepEqual(read.body, { kind: "basicAuthentication", values: { username: "ann", password: "canary-pw" } });
  assert.match(other.text, /unsupported secret resource type 'Radius.Core\/environments' for secret/);
  assert.deepEqual([other.code, nothing.code], ["LoadSecretsFailed", "LoadSecretsFailed"]);
});

const storage = { kind: "Internal" };
const aws = "/planes/aws/aws/providers/System.AWS/credentials";
const azure = "/planes/azure/azurecloud/providers/System.Azure/credentials";
const kinds: readonly (readonly [cloud: "aws" | "azure", collection: string, properties: JsonObject])[] = [
  ["aws", aws, { kind: "AccessKey", accessKeyId: "AKIA", secretAccessKey: "canary-aws" }],
  ["aws", aws, { kind: "IRSA", roleARN: "arn:aws:iam::1:role/r" }],
  ["azure", azure, { kind: "ServicePrincipal", tenantId: "t", clientId: "c", clientSecret: "canary-azure" }],
  ["azure", azure, { kind: "WorkloadIdentity", tenantId: "t", clientId: "c" }],
];
for (const [cloud, collection, properties] of kinds) {
  it(`a credential of the kind ${String(properties["kind"])} is kept for recipes, and its secret is never shown`, async () => {
    const path = `${collection}/default?${systemVersion}`;
    const stored = await server.call("PUT", path, {
      body: { location: "global", properties: { ...properties, storage } },
    });
    const shown = await server.call("GET", path);
    const listed = await server.call("GET", `${collection}?${systemVersion}`);
    const loaded = await ask("clouds", {});

    assert.equal(stored.status, 200, stored.text);
    const visible = Object.entries({ ...properties, storage }).map(([name, value]) => {
      return [name, String(value).startsWith("canary") ? null : value] as const;
    });
    const { provisioningState: _state, ...rest } = objectMember(shown.body, "properties");
    assert.deepEqual(rest, Object.fromEntries(visible));
    for (const reply of [stored, shown, listed]) {
      assert.doesNotMatch(reply.text, /canary/);
    }
    assert.deepEqual(loaded.body[cloud], properties);

    assert.equal((await server.call("PATCH", path, { body: { properties } })).status, 405);
    assert.deepEqual(
      [(await server.call("DELETE", path)).status, (await server.call("DELETE", path)).status],
      [200, 204],
    );
    assert.deepEqual((await server.call("GET", `${collection}?${systemVersion}`)).body, { value: [] });
    assert.equal((await ask("clouds", {})).body[cloud], null);
  });
}

const refused: readonly (readonly [what: string, path: string, properties: JsonObject, status: number])[] = [
  ["without storage", `${aws}/default`, { kind: "IRSA", roleARN: "a" }, 400],
  ["of an unknown kind", `${aws}/default`, { kind: "Canary", storage }, 400],
  ["without its members", `${azure}/default`, { kind: "WorkloadIdentity", tenantId: "t", storage }, 400],
  [
    "with an empty secret",
    `${aws}/default`,
    { kind: "AccessKey", accessKeyId: "a", secretAccessKey: "", storage },
    400,
  ],
  [
    "in the plane of another cloud",
    `/planes/aws/aws/providers/System.Azure/credentials/default`,
    { kind: "IRSA", roleARN: "a", storage },
    400,
  ],
  ["in a group", `${group}/providers/System.AWS/credentials/default`, { kind: "IRSA", roleARN: "a", storage }, 400],
];
for (const [what, path, properties, status] of refused) {
  it(`a credential ${what} is refused`, async () => {
    const reply = await server.call("PUT", `${path}?${systemVersion}`, { body: { location: "global", properties } });

    assert.equal(reply.status, status, reply.text);
  });
}

it("no secret and no credential is in clear in any file", async () => {
  assert.deepEqual(await findInFiles(server.directory, "canary"), []);
  assert.deepEqual(await findInFiles(manifests, "canary"), []);
  assert.deepEqual(await findInFiles(manifests, btoa("canary-new")), []);
});
