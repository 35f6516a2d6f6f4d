// A deployment does nothing that its caller could not do alone.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { deploymentsVersion, moduleResource, radiusResource, radiusTemplate } from "../testing/templates.ts";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { auditOf } from "./support/audit.ts";
import { assign, configuredTokens, createIdentity, type Identity } from "../testing/identities.ts";

const team = `${local}/resourcegroups/team`;
const other = `${local}/resourcegroups/other`;
const v = "api-version=2025-01-01";

const developer = createIdentity("developer");
const settingsOnly = createIdentity("settings-only");
const reader = createIdentity("reader");

let server: TestServer;
before(async () => {
  server = await startTestServer({
    overrides: {
      authentication: configuredTokens(developer, settingsOnly, reader),
      authorization: {
        roles: [
          { name: "developer", permissions: ["*"] },
          { name: "settings-only", permissions: ["Microsoft.Resources/deployments/*", "Radius.Core/settings/*"] },
        ],
        assignments: [
          assign("developer", developer, team),
          assign("settings-only", settingsOnly, team),
          assign("radius-reader", reader, "/"),
        ],
      },
    },
  });
  await server.register("Radius.Core", { settings: {} });
  await server.register("Test.Deploy", { works: {} });
  for (const group of [team, other]) {
    await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  }
});
after(() => server[Symbol.asyncDispose]());

const setting = radiusResource("Radius.Core/settings@2025-01-01", "s");
const work = radiusResource("Test.Deploy/works@2025-01-01", "w");
const url = (name: string, action = "", group = team): string =>
  `${group}/providers/Microsoft.Resources/deployments/${name}${action}?${deploymentsVersion}`;

function send(name: string, template: JsonObject, who: Identity, more: JsonObject = {}): Promise<Reply> {
  const body = { properties: { mode: "Incremental", template, ...more } };
  const headers = { "x-ms-correlation-request-id": name };
  return server.call("PUT", url(name), { body, headers, token: who.token });
}

it("a role at the group is enough to deploy there and to follow it", async () => {
  const reply = await send("own-group", radiusTemplate({ resources: { setting, work } }), developer);
  await server.settle(reply);

  const read = await server.call("GET", url("own-group"), { token: developer.token });
  const operations = await server.call("GET", url("own-group", "/operations"), { token: developer.token });

  assert.equal(reply.status, 201);
  assert.partialDeepStrictEqual(read.body["properties"], { provisioningState: "Succeeded" });
  assert.equal((operations.body["value"] as JsonObject[]).length, 2);
  const made = await server.call("GET", `${team}/providers/Radius.Core/settings/s?${v}`);
  assert.equal((made.body["systemData"] as JsonObject)["createdBy"], "token:developer");
});

it("one type that the caller may not write refuses the whole deployment, and nothing is written", async () => {
  const reply = await send("one-too-many", radiusTemplate({ resources: { setting, work } }), settingsOnly);

  assert.deepEqual([reply.status, reply.code], [403, "Forbidden"]);
  assert.match(reply.text, /Test\.Deploy\/works\/write/);
  assert.equal((await server.call("GET", url("one-too-many"))).status, 404);
  const [record, ...more] = await auditOf(server, "one-too-many");
  assert.partialDeepStrictEqual(record, { phase: "refusal", caller: "token:settings-only", result: "Forbidden" });
  assert.deepEqual(more, []);
});

it("the same holds for what a module would make", async () => {
  const inner = radiusTemplate({ resources: { work } });

  const reply = await send(
    "through-module",
    radiusTemplate({ resources: { m: moduleResource("m", inner) } }),
    settingsOnly,
  );

  assert.deepEqual([reply.status, reply.code], [403, "Forbidden"]);
});

it("a scope in another group needs a role there", async () => {
  const scope = { value: { scope: other } };
  const providerconfig = { radius: { type: "Radius", ...scope } };

  const reply = await send("elsewhere", radiusTemplate({ resources: { setting } }), developer, { providerconfig });

  assert.deepEqual([reply.status, reply.code], [403, "Forbidden"]);
  assert.equal((await server.call("GET", `${other}/providers/Radius.Core/settings/s?${v}`)).status, 404);
});

it("what-if and validate need the same permissions", async () => {
  const body = { properties: { template: radiusTemplate({ resources: { work } }) } };

  for (const action of ["/whatIf", "/validate"]) {
    const refused = await server.call("POST", url("asking", action), { body, token: settingsOnly.token });
    const forReader = await server.call("POST", url("asking", action), { body, token: reader.token });
    const allowed = await server.call("POST", url("asking", action), { body, token: developer.token });

    assert.deepEqual([refused.status, forReader.status, allowed.status], [403, 403, 200], action);
  }
});

it("a reader reads deployments, and changes none", async () => {
  const token = reader.token;

  assert.equal((await server.call("GET", url("own-group"), { token })).status, 200);
  assert.equal((await server.call("PUT", url("own-group"), { token, body: {} })).status, 403);
  assert.equal((await server.call("DELETE", url("own-group"), { token })).status, 403);
  assert.equal((await server.call("POST", url("own-group", "/cancel"), { token })).status, 403);
  assert.equal((await server.call("POST", url("own-group", "/exportTemplate"), { token })).status, 403);
});

it("nobody deploys to a group in which they have no role", async () => {
  const body = { properties: { template: radiusTemplate() } };

  const reply = await server.call("PUT", url("foreign", "", other), { body, token: developer.token });

  assert.deepEqual([reply.status, reply.code], [403, "Forbidden"]);
});
