// What a DELETE of a group takes along, and what stands in its way.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { assign, configuredTokens, createIdentity } from "../../testing/identities.ts";
import { local, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";
import { auditOf } from "../support/audit.ts";

let server: TestServer;
const v = "api-version=2025-01-01";
const coreVersion = "api-version=2025-08-01-preview";
/** May delete groups and things, but no gadgets. */
const cleaner = createIdentity("cleaner");

before(async () => {
  server = await startTestServer({
    handlers: { "Test.Groups/works": { put: async () => {} } },
    overrides: {
      authentication: configuredTokens(cleaner),
      authorization: {
        roles: [
          { name: "cleaner", permissions: ["System.Resources/resourceGroups/write", "Test.Groups/things/write"] },
        ],
        assignments: [assign("cleaner", cleaner, "/")],
      },
    },
  });
  await server.register("Test.Groups", {
    things: {},
    gadgets: {},
    works: {},
    secrets: { type: "object", properties: { secret: { type: "string", "x-radius-sensitive": true } } },
  });
});
after(() => server[Symbol.asyncDispose]());

async function createGroup(name: string, ...resources: readonly string[]): Promise<string> {
  const group = `${local}/resourcegroups/${name}`;
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  for (const resource of resources) {
    const path = `${group}/providers/Test.Groups/${resource}?${v}`;
    await server.settle(await server.call("PUT", path, { body: { properties: {} } }));
  }
  return group;
}

const exists = async (path: string): Promise<boolean> => (await server.call("GET", path)).status === 200;

it("resources that are nothing but their document go with their group, each on record", async () => {
  const group = await createGroup("plain", "things/one", "gadgets/two");
  const environment = `${group}/providers/Radius.Core/environments/e`;
  await server.call("PUT", `${environment}?${coreVersion}`, { body: { location: "global", properties: {} } });
  const headers = { "x-ms-correlation-request-id": "delete-plain" };

  const deleted = await server.call("DELETE", `${group}?${systemVersion}`, { headers });
  const records = await auditOf(server, "delete-plain");
  await createGroup("plain");

  assert.deepEqual([deleted.status, deleted.text], [200, ""]);
  for (const path of [`${environment}?${coreVersion}`, `${group}/providers/Test.Groups/things/one?${v}`]) {
    assert.equal(await exists(path), false, path);
  }
  assert.deepEqual(
    records.map(
      ({ phase, action, target }) => `${String(phase)} ${String(action)} ${String(target).slice(local.length)}`,
    ),
    [
      "/providers/Radius.Core/environments/e Radius.Core/environments",
      "/providers/Test.Groups/gadgets/two Test.Groups/gadgets",
      "/providers/Test.Groups/things/one Test.Groups/things",
      " System.Resources/resourceGroups",
    ].flatMap((line) => {
      const [id = "", type = ""] = line.split(" ");
      return ["intent", "outcome"].map((phase) => `${phase} ${type}/delete /resourcegroups/plain${id}`);
    }),
  );
});

it("a resource with code behind it is in the way, and nothing goes", async () => {
  const group = await createGroup("coded", "things/one", "works/two");

  const refused = await server.call("DELETE", `${group}?${systemVersion}`);

  assert.deepEqual([refused.status, refused.code], [409, "Conflict"]);
  const { details } = refused.body["error"] as JsonObject;
  assert.deepEqual(
    (details as JsonObject[]).map(({ target }) => target),
    [`${group}/providers/Test.Groups/works/two`],
  );
  assert.ok(await exists(`${group}/providers/Test.Groups/things/one?${v}`));
});

it("resources with very much text are in the way, because one transaction would have to remove all of it", async () => {
  const group = await createGroup("large");
  const put = async (name: string, secret: string): Promise<void> => {
    const path = `${group}/providers/Test.Groups/secrets/${name}?${v}`;
    await server.settle(await server.call("PUT", path, { body: { properties: { secret } } }));
  };
  for (let index = 0; index < 26; index += 1) {
    await put(`secret-${index}`, "s".repeat(2_000_000)); // sealed, it has more text
  }

  const refused = await server.call("DELETE", `${group}?${systemVersion}`);
  await put("secret-0", "short");
  await put("secret-1", "short");
  const deleted = await server.call("DELETE", `${group}?${systemVersion}`);

  assert.deepEqual([refused.status, refused.code], [409, "Conflict"]);
  assert.equal(deleted.status, 200);
});

it("a thousand resources go with their group, more are in the way", async () => {
  const group = await createGroup("many");
  const environment = (index: number): string => `${group}/providers/Radius.Core/environments/e${index}?${coreVersion}`;
  const body = { location: "global", properties: {} };
  for (let index = 0; index <= 1_000; index += 77) {
    await Promise.all(Array.from({ length: 77 }, (_, more) => server.call("PUT", environment(index + more), { body })));
  }

  const refused = await server.call("DELETE", `${group}?${systemVersion}`);
  const isKept = [await exists(environment(0)), await exists(environment(1_000))];
  await server.call("DELETE", environment(0));
  const deleted = await server.call("DELETE", `${group}?${systemVersion}`);

  assert.deepEqual([refused.status, refused.code, isKept], [409, "Conflict", [true, true]]);
  assert.equal(deleted.status, 200);
});

it("a resource that the caller may not delete is in the way", async () => {
  const group = await createGroup("foreign", "things/one", "gadgets/two");
  const own = await createGroup("own", "things/one");
  const { token } = cleaner;

  const refused = await server.call("DELETE", `${group}?${systemVersion}`, { token });
  const deleted = await server.call("DELETE", `${own}?${systemVersion}`, { token });

  assert.deepEqual([refused.status, refused.code, deleted.status], [409, "Conflict", 200]);
  assert.ok(await exists(`${group}/providers/Test.Groups/things/one?${v}`));
});

it("what is created while a group is deleted is never left behind without its group", async () => {
  for (let round = 0; round < 10; round += 1) {
    const group = await createGroup("raced", "things/one");
    const late = `${group}/providers/Test.Groups/things/late?${v}`;

    const [created, deleted] = await Promise.all([
      server.call("PUT", late, { body: { properties: {} } }),
      server.call("DELETE", `${group}?${systemVersion}`),
    ]);

    const hasGroup = await exists(`${group}?${systemVersion}`);
    assert.ok(deleted.status === 409 ? hasGroup : deleted.status === 200 && !hasGroup, deleted.text);
    if (created.status === 201 && hasGroup) {
      await server.settle(created);
      assert.equal((await server.call("DELETE", `${group}?${systemVersion}`)).status, 200);
    }
    await createGroup("raced");
    assert.equal(await exists(late), false, `round ${round}`);
  }
});
