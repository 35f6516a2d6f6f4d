// The rules of the API that lean on the database, on PostgreSQL: two servers share it, as replicas do.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { ApiError, type JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import type { ResourceHandler } from "@rad/resources";
import { local, registry, type Reply, systemVersion, type TestServer } from "../testing/test-server.ts";
import { deploymentsVersion, radiusResource, radiusTemplate } from "../testing/templates.ts";
import { auditOf } from "./support/audit.ts";
import { type PostgresDatabase, startPostgresDatabase } from "./support/postgres-database.ts";

const group = `${local}/resourcegroups/shared`;
const v = "api-version=2025-01-01";
/** Changed inside the request. */
const setting = (name: string): string => `${group}/providers/Radius.Core/settings/${name}?${v}`;
/** Changed by a worker of either server. */
const work = (name: string): string => `${group}/providers/Test.Shared/works/${name}?${v}`;
const body = { location: "global", properties: {} };

let database: PostgresDatabase;
let server: TestServer;
let other: TestServer;
const gates = new Map<string, PromiseWithResolvers<void>>();
const secretsSeen: unknown[] = [];

function gate(name: string): PromiseWithResolvers<void> {
  const found = gates.get(name) ?? Promise.withResolvers<void>();
  gates.set(name, found);
  return found;
}

const handler: ResourceHandler = {
  put: async (context) => {
    if (context.properties["waits"] === true) {
      await gate(context.id.name).promise;
    }
    if (context.properties["fails"] === true) {
      throw new ApiError("BadRequest", "the recipe said no");
    }
    secretsSeen.push((await context.secrets())["/properties/password"]);
  },
};

before(async () => {
  database = await startPostgresDatabase();
  const options = { handlers: { "Test.Shared/works": handler } };
  server = await database.startServer(options);
  other = await database.startServer(options);
  await server.register("Radius.Core", { settings: {} });
  await server.register("Test.Shared", {
    works: {
      type: "object",
      properties: { size: { type: "integer" }, password: { type: "string", "x-radius-sensitive": true } },
    },
  });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
});
after(async () => {
  await Promise.all([server, other].map((one) => one[Symbol.asyncDispose]()));
  await database[Symbol.asyncDispose]();
});

const stateOf = (reply: Reply): unknown => (reply.body["properties"] as JsonObject)["provisioningState"];
const put = (name: string, properties: JsonObject): Promise<Reply> =>
  server.call("PUT", work(name), { body: { properties } });

it("what one server stores the other shows, with the same etag, and deletes", async () => {
  const stored = await server.call("PUT", setting("one"), { body });

  const shown = await other.call("GET", setting("ONE"));

  assert.deepEqual([stored.status, shown.status], [200, 200]);
  assert.equal(shown.headers.get("etag"), stored.headers.get("etag"));
  assert.equal((await other.call("DELETE", setting("one"))).status, 200);
  assert.equal((await server.call("GET", setting("one"))).status, 404);
  assert.equal((await server.call("DELETE", setting("one"))).status, 204);
});

it("a PUT is right, whatever the other server has done since the resource was last seen here", async () => {
  const write = (at: TestServer, headers: Record<string, string> = {}): Promise<Reply> =>
    at.call("PUT", setting("turns"), { body, headers });
  const createdAt = ({ body: shown }: Reply): unknown => (shown["systemData"] as JsonObject)["createdAt"];

  const first = await write(server);
  const second = await write(other);
  const third = await write(server);
  assert.deepEqual([first.status, second.status, third.status], [200, 200, 200]);
  assert.deepEqual([createdAt(second), createdAt(third)], [createdAt(first), createdAt(first)]);

  const fourth = await write(other);
  const match = { "if-match": fourth.headers.get("etag") ?? "" };
  assert.equal((await write(server, { "if-match": third.headers.get("etag") ?? "" })).status, 412);
  assert.equal((await write(server, match)).status, 200);

  await other.call("DELETE", setting("turns"));
  assert.equal((await write(server, { "if-match": "*" })).status, 412);
  assert.equal((await write(server, { "if-none-match": "*" })).status, 200);
  await other.call("DELETE", setting("turns"));
  const again = await write(server);
  assert.equal(again.status, 200);
  assert.notEqual(createdAt(again), createdAt(first));
  await server.call("DELETE", setting("turns"));
});

it("pages miss nothing and repeat nothing, whichever server gives them out", async () => {
  const expected = Array.from({ length: 23 }, (_, index) => `page${String(index).padStart(2, "0")}`);
  await Promise.all(expected.map((name) => server.call("PUT", setting(name), { body })));
  const seen: unknown[] = [];
  let servers = [server, other];
  let link: string | undefined = `${group}/providers/Radius.Core/settings?${v}&top=5`;
  while (link !== undefined) {
    const [asked, next] = servers as [TestServer, TestServer];
    servers = [next, asked];
    const reply: Reply = await asked.call("GET", link);
    seen.push(...(reply.body["value"] as JsonObject[]).map((item) => item["name"]));
    const more: unknown = reply.body["nextLink"];
    link = typeof more === "string" ? more.slice(asked.url.length) : undefined;
  }

  assert.deepEqual(seen, expected);
});

it("an asynchronous PUT goes Accepted, Updating, Succeeded, and its secrets reach only the handler", async () => {
  const accepted = await put("secretive", { waits: true, password: "canary-on-postgres" });
  assert.deepEqual([accepted.status, stateOf(accepted)], [201, "Accepted"]);
  await until("a worker has it", async () => stateOf(await other.call("GET", work("secretive"))) === "Updating");
  const busy = await other.call("PUT", work("secretive"), { body: { properties: {} } });
  gate("secretive").resolve();

  const status = await server.settle(accepted);

  assert.deepEqual([busy.status, busy.code], [409, "Conflict"]);
  assert.equal(status["status"], "Succeeded");
  const shown = await other.call("GET", work("secretive"));
  assert.equal((shown.body["properties"] as JsonObject)["password"], null);
  assert.deepEqual(secretsSeen, ["canary-on-postgres"]);
});

it("a failed operation keeps its code, and a deleted resource is gone for both", async () => {
  const status = await server.settle(await put("failing", { fails: true }));
  const deleted = await other.call("DELETE", work("failing"));

  assert.deepEqual([status["status"], (status["error"] as JsonObject)["code"]], ["Failed", "BadRequest"]);
  assert.equal((await other.settle(deleted))["status"], "Succeeded");
  assert.equal((await server.call("GET", work("failing"))).status, 404);
});

it("force=true on DELETE cancels what another server runs", async () => {
  const running = await put("forced", { waits: true });
  await until("a worker has it", async () => stateOf(await server.call("GET", work("forced"))) === "Updating");

  const deleted = await other.call("DELETE", `${work("forced")}&force=true`);

  assert.equal((await other.settle(deleted))["status"], "Succeeded");
  assert.equal((await server.settle(running))["status"], "Canceled");
  gate("forced").resolve();
  assert.equal((await server.call("GET", work("forced"))).status, 404);
});

it("of many writers at two servers each wins or gets 409, and the last winner is what is stored", async () => {
  await server.call("PUT", setting("race"), { body });

  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      (n % 2 === 0 ? server : other).call("PUT", setting("race"), { body: { ...body, properties: { n } } }),
    ),
  );

  assert.ok(replies.every((reply) => reply.status === 200 || (reply.status === 409 && reply.code === "Conflict")));
  const winners = replies.filter((reply) => reply.status === 200).map((reply) => reply.headers.get("etag"));
  assert.ok(winners.includes((await other.call("GET", setting("race"))).headers.get("etag")));
});

it("a stale etag stops a change at the other server", async () => {
  const first = await server.call("PUT", setting("etag"), { body });
  const stale = { "if-match": first.headers.get("etag") ?? "" };
  const second = await other.call("PUT", setting("etag"), { body: { ...body, properties: { n: 2 } }, headers: stale });

  const refused = await server.call("DELETE", setting("etag"), { headers: stale });

  assert.deepEqual([second.status, refused.status, refused.code], [200, 412, "PreconditionFailed"]);
});

it("a type that one server registers or changes counts at the other at once", async () => {
  await server.register("Test.Fresh", { things: {} });
  const path = `${group}/providers/Test.Fresh/things/one?${v}`;
  const created = await other.call("PUT", path, { body: { properties: {} } });
  await other.settle(created);
  const version = `${registry}/Test.Fresh/resourcetypes/things/apiversions/2025-01-01?${systemVersion}`;
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  await server.settle(await server.call("PUT", version, { body: { properties: { schema } } }));

  const refused = await other.call("PUT", path, { body: { properties: {} } });

  assert.deepEqual([created.status, refused.status], [201, 400]);
});

it("a group is deleted with what is nothing but its document", async () => {
  const temporary = `${local}/resourcegroups/temporary`;
  const inside = `${temporary}/providers/Radius.Core/settings/one?${v}`;
  await server.call("PUT", `${temporary}?${systemVersion}`, { body: { location: "global" } });
  await server.call("PUT", inside, { body });

  const deleted = await other.call("DELETE", `${temporary}?${systemVersion}`);
  await server.call("PUT", `${temporary}?${systemVersion}`, { body: { location: "global" } });

  assert.deepEqual([deleted.status, (await server.call("GET", inside)).status], [200, 404]);
});

it("both servers work on a deployment, and either shows how it goes and cancels it", async () => {
  const type = "Test.Shared/works@2025-01-01";
  const url = (name: string, action = ""): string =>
    `${group}/providers/Microsoft.Resources/deployments/${name}${action}?${deploymentsVersion}`;
  const resources: JsonObject = {};
  for (let index = 0; index < 30; index += 1) {
    const dependsOn = index < 10 ? [] : [`w${index - 10}`];
    resources[`w${index}`] = radiusResource(type, `deployed${index}`, { properties: { size: index }, dependsOn });
  }
  const held = radiusTemplate({
    resources: {
      first: radiusResource(type, "deployed-held", { properties: { waits: true } }),
      second: radiusResource(type, "deployed-never", { dependsOn: ["first"] }),
    },
  });

  const accepted = await server.call("PUT", url("both"), {
    body: { properties: { template: radiusTemplate({ resources }) } },
  });
  const ended = await server.settle(accepted);
  const shown = await other.call("GET", url("both"));
  const stopping = await server.call("PUT", url("stopped"), { body: { properties: { template: held } } });
  await until(
    "the first resource is there",
    async () => (await other.call("GET", work("deployed-held"))).status === 200,
  );
  const cancelled = await other.call("POST", url("stopped", "/cancel"));
  gate("deployed-held").resolve();
  const stopped = await server.settle(stopping);

  assert.equal(ended["status"], "Succeeded");
  const { outputResources } = shown.body["properties"] as JsonObject;
  assert.equal((outputResources as JsonObject[]).length, 30);
  assert.equal(cancelled.status, 204);
  assert.equal(stopped["status"], "Canceled");
  assert.equal((await other.call("GET", work("deployed-never"))).status, 404);
});

it("the audit of both servers is one, with intent and outcome", async () => {
  const headers = { "x-ms-correlation-request-id": "shared-audit" };
  await other.settle(await other.call("PUT", work("audited"), { body: { properties: {} }, headers }));
  await server.call("PUT", work("audited"), { body: { properties: { size: "big" } }, headers });

  const records = await until("three records are there", async () => {
    const found = await auditOf(server, "shared-audit");
    return found.length >= 3 ? found : undefined;
  });

  assert.deepEqual(
    records.map((record) => [record["phase"], record["caller"], record["result"]]),
    [
      ["intent", "token:admin", undefined],
      ["outcome", "token:admin", "Succeeded"],
      ["refusal", "token:admin", "HttpRequestPayloadAPISpecValidationFailed"],
    ],
  );
});

it("of many that create the same resource exactly one does", async () => {
  const headers = { "if-none-match": "*" };

  for (let round = 0; round < 20; round += 1) {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 === 0 ? server : other).call("PUT", setting(`first${round}`), { body, headers }),
      ),
    );

    assert.equal(replies.filter((reply) => reply.status === 200).length, 1);
    assert.ok(replies.every((reply) => [200, 409, 412].includes(reply.status)));
  }
});
