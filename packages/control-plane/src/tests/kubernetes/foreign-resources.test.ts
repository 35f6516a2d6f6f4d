// What a resource names in another group has to be for its author, too: a deployment gives no rights.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { isJsonObject, type JsonObject, objectMember } from "@rad/core";
import { assign, configuredTokens, createIdentity, type Identity } from "../../testing/identities.ts";
import { local, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

const own = `${local}/resourcegroups/own`;
const theirs = `${local}/resourcegroups/theirs`;
const idOf = (group: string, type: string, name: string): string => `${group}/providers/${type}/${name}`;
const version = "api-version=2023-10-01-preview";
const their = {
  environment: idOf(theirs, "Applications.Core/environments", "prod"),
  application: idOf(theirs, "Applications.Core/applications", "shop"),
  cache: idOf(theirs, "Applications.Datastores/redisCaches", "cache"),
  plain: idOf(theirs, "Applications.Core/extenders", "plain"),
};
const ownApplication = idOf(own, "Applications.Core/applications", "app");

/** Each may do anything in a group of their own. */
const stranger = createIdentity("stranger");
const reader = createIdentity("reader");

let server: TestServer;
before(async () => {
  server = await startTestServer({
    overrides: {
      authentication: configuredTokens(stranger, reader),
      authorization: {
        roles: [{ name: "owner", permissions: ["*"] }],
        assignments: [
          assign("owner", stranger, own),
          assign("owner", reader, own),
          assign("radius-reader", reader, theirs),
        ],
      },
    },
  });
  for (const group of [own, theirs]) {
    await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  }
  const cache = { application: their.application, environment: their.environment, resourceProvisioning: "manual" };
  const ownEnvironment = idOf(own, "Applications.Core/environments", "dev");
  for (const [id, properties] of [
    [their.environment, { compute: { kind: "kubernetes", namespace: "prod" } }],
    [their.application, { environment: their.environment }],
    [their.cache, { ...cache, host: "cache", port: 6379, secrets: { password: "their password" } }],
    [their.plain, { ...cache, host: "plain" }],
    [ownEnvironment, { compute: { kind: "kubernetes", namespace: "dev" } }],
    [ownApplication, { environment: ownEnvironment }],
  ] as const) {
    assert.equal((await deploy(id, properties)).code, undefined);
  }
});
after(() => server[Symbol.asyncDispose]());

/** What a PUT ended with: the code and message of an error, or nothing. */
async function deploy(id: string, properties: JsonObject, who?: Identity): Promise<JsonObject> {
  const body = { location: "global", properties };
  const reply = await server.call("PUT", `${id}?${version}`, { body, ...(who && { token: who.token }) });
  if (reply.status >= 400) {
    return objectMember(reply.body, "error");
  }
  const isOver = reply.status === 200 && objectMember(reply.body, "properties")["provisioningState"] === "Succeeded";
  const { error = {} } = isOver ? {} : await server.settle(reply);
  return isJsonObject(error) ? error : {};
}

const container = (application: string, more: JsonObject = {}): JsonObject => ({
  application,
  container: { image: "web:1" },
  ...more,
});

const refusals: readonly (readonly [
  what: string,
  type: string,
  properties: JsonObject,
  who: Identity,
  needs: RegExp,
])[] = [
  [
    "a container in an application that its author may not read",
    "Applications.Core/containers",
    container(their.application),
    stranger,
    /Applications\.Core\/applications\/read/,
  ],
  [
    "a container in an application that its author may only read: it could read the Secrets there",
    "Applications.Core/containers",
    container(their.application),
    reader,
    /Applications\.Core\/applications\/listSecrets\/action/,
  ],
  [
    "a connection to secret values that its author may not list",
    "Applications.Core/containers",
    container(ownApplication, { connections: { cache: { source: their.cache } } }),
    reader,
    /Applications\.Datastores\/redisCaches\/listSecrets\/action/,
  ],
  [
    "an application in an environment that its author may not read",
    "Applications.Core/applications",
    { environment: their.environment },
    stranger,
    /Applications\.Core\/environments\/read/,
  ],
  [
    "a resource in an environment that its author may not read",
    "Applications.Datastores/redisCaches",
    { environment: their.environment, resourceProvisioning: "manual", host: "h", port: 1 },
    stranger,
    /Applications\.Core\/environments\/read/,
  ],
  [
    "a secret store in an application that its author may not read",
    "Applications.Core/secretStores",
    { application: their.application, type: "generic", data: { key: { value: "x" } } },
    stranger,
    /Applications\.Core\/applications\/read/,
  ],
];

for (const [index, [what, type, properties, who, needs]] of refusals.entries()) {
  it(`${what} is refused`, async () => {
    const { code, message } = await deploy(idOf(own, type, `refused-${index}`), properties, who);

    assert.equal(code, "Forbidden");
    assert.match(String(message), needs);
  });
}

it("a connection without secret values needs no more than the right to read", async () => {
  const properties = container(ownApplication, { connections: { plain: { source: their.plain } } });

  const error = await deploy(idOf(own, "Applications.Core/containers", "plain"), properties, reader);

  assert.deepEqual(error, {});
});
