// Who may change settings, and refer to what.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { assign, configuredTokens, createIdentity, type Identity } from "../../testing/identities.ts";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

const v = "api-version=2025-08-01-preview";
const [mine, theirs] = [`${local}/resourcegroups/mine`, `${local}/resourcegroups/theirs`];
const at = (group: string, type: string, name: string): string => `${group}/providers/Radius.Core/${type}/${name}`;
const secretOf = (group: string): string => `${group}/providers/Radius.Security/secrets/tokens`;
const storeOf = (group: string): string => `${group}/providers/Applications.Core/secretStores/tokens`;

const admin = createIdentity("admin");
/** May do everything in the group `mine`, and nothing elsewhere. */
const owner = createIdentity("owner");

let server: TestServer;
before(async () => {
  server = await startTestServer({
    recordsOnly: true,
    token: admin.token,
    overrides: {
      authentication: configuredTokens(admin, owner),
      authorization: { assignments: [assign("radius-admin", admin, "/"), assign("radius-admin", owner, mine)] },
    },
  });
  for (const group of [mine, theirs]) {
    await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
    for (const type of ["terraformSettings", "bicepSettings"]) {
      assert.equal((await put(admin, at(group, type, "corp"), {})).status, 200);
    }
    assert.equal((await put(admin, at(group, "recipePacks", "corp"), { recipes: {} })).status, 200);
  }
});
after(() => server[Symbol.asyncDispose]());

const put = (who: Identity, id: string, properties: JsonObject, version = v): Promise<Reply> =>
  server.call("PUT", `${id}?${version}`, { token: who.token, body: { location: "global", properties } });

it("rights on one group do not reach the settings of another", async () => {
  const id = at(theirs, "terraformSettings", "corp");
  const replies = [
    await put(owner, id, {}),
    await server.call("GET", `${id}?${v}`, { token: owner.token }),
    await server.call("PATCH", `${id}?${v}`, { token: owner.token, body: { properties: {} } }),
    await server.call("DELETE", `${id}?${v}`, { token: owner.token }),
  ];

  assert.deepEqual(
    replies.map(({ status, code }) => [status, code]),
    replies.map(() => [403, "Forbidden"]),
  );
  assert.equal((await put(owner, at(mine, "terraformSettings", "corp"), {})).status, 200);
});

const references: readonly (readonly [what: string, refer: (group: string) => JsonObject])[] = [
  ["Terraform settings", (group) => ({ terraformSettings: at(group, "terraformSettings", "corp") })],
  ["Bicep settings", (group) => ({ bicepSettings: at(group, "bicepSettings", "corp") })],
  ["recipe packs", (group) => ({ recipePacks: [at(group, "recipePacks", "corp")] })],
  [
    "secrets in parameters",
    (group) => ({ recipeParameters: { "A.B/c": { deep: [{ secretId: secretOf(group), key: "k" }] } } }),
  ],
];
for (const [what, refer] of references) {
  it(`an environment refers only to ${what} that its author may read, unless it did already`, async () => {
    const id = at(mine, "environments", what.replaceAll(" ", "-"));

    const forbidden = await put(owner, id, refer(theirs));
    const allowed = await put(owner, id, refer(mine));
    const byAdmin = await put(admin, id, refer(theirs));
    const kept = await put(owner, id, { ...refer(theirs), simulated: true });
    const anew = await put(owner, at(mine, "environments", "anew"), refer(theirs));

    assert.deepEqual(
      [forbidden, allowed, byAdmin, kept, anew].map(({ status }) => status),
      [403, 200, 200, 200, 403],
    );
    assert.match(forbidden.text, /'token:owner' needs [\w.]+\/\w+\/read at '[^']*theirs/);
  });
}

it("parameters of a recipe name only secrets that the author of the resource may read, whatever its type", async () => {
  const parameters = (group: string): JsonObject => ({
    recipe: { parameters: { p: { secretId: secretOf(group), key: "k" } } },
  });
  const id = `${mine}/providers/Test.Data/stores/s`;
  await server.register("Test.Data", { stores: {} });
  const send = (who: Identity, properties: JsonObject): Promise<Reply> =>
    put(who, id, properties, "api-version=2025-01-01");

  const forbidden = await send(owner, parameters(theirs));
  const allowed = await send(owner, parameters(mine));
  await server.settle(allowed);
  const byAdmin = await send(admin, parameters(theirs));
  await server.settle(byAdmin);
  const kept = await send(owner, parameters(theirs));

  assert.deepEqual(
    [forbidden, allowed, byAdmin, kept].map(({ status }) => status),
    [403, 201, 201, 201],
  );
});

const named: readonly (readonly [
  what: string,
  id: (name: string) => string,
  body: (group: string) => JsonObject,
  version?: string,
])[] = [
  [
    "a token of Terraform settings",
    (name) => at(mine, "terraformSettings", name),
    (group) => ({ terraformrc: { credentials: { "a.example": { token: { secretId: secretOf(group), key: "k" } } } } }),
  ],
  [
    "a backend of Terraform settings",
    (name) => at(mine, "terraformSettings", name),
    (group) => ({
      backend: {
        type: "s3",
        config: { bucket: "b", key: "k", region: "r", token: { secretId: storeOf(group), key: "k" } },
      },
    }),
  ],
  [
    "a password of Bicep settings",
    (name) => at(mine, "bicepSettings", name),
    (group) => ({
      registryAuthentications: {
        "a.example": { authenticationMethod: "BasicAuth", basicAuthSecretId: secretOf(group) },
      },
    }),
  ],
  [
    "a parameter of a recipe pack",
    (name) => at(mine, "recipePacks", name),
    (group) => ({
      recipes: {
        "A.B/c": { kind: "terraform", source: "a/b/c", parameters: { p: { secretId: secretOf(group), key: "k" } } },
      },
    }),
  ],
  [
    "a Git token of Terraform settings",
    (name) => at(mine, "terraformSettings", name),
    (group) => ({ authentication: { git: { pat: { "git.example": { secret: secretOf(group) } } } } }),
  ],
  [
    "a Git token of an environment of Applications.Core",
    (name) => `${mine}/providers/Applications.Core/environments/git-${name}`,
    (group) => ({
      compute: { kind: "kubernetes", namespace: "git" },
      recipeConfig: { terraform: { authentication: { git: { pat: { "git.example": { secret: storeOf(group) } } } } } },
    }),
    systemVersion,
  ],
  [
    "recipeConfig of an environment of Applications.Core",
    (name) => `${mine}/providers/Applications.Core/environments/${name}`,
    (group) => ({
      compute: { kind: "kubernetes", namespace: "legacy" },
      recipeConfig: { envSecrets: { A: { source: storeOf(group), key: "k" } } },
    }),
    systemVersion,
  ],
];
for (const [what, idOf, body, version] of named) {
  it(`${what} names only secrets that its author may read, unless it did already`, async () => {
    const id = idOf("named");

    const forbidden = await put(owner, id, body(theirs), version);
    const allowed = await put(owner, id, body(mine), version);
    const byAdmin = await put(admin, id, body(theirs), version);
    const kept = await put(owner, id, body(theirs), version);

    assert.deepEqual(
      [forbidden, allowed, byAdmin, kept].map(({ status }) => status),
      [403, 200, 200, 200],
    );
  });
}
