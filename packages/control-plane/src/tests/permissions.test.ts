// What callers may do with the roles that the configuration gives them.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import type { Identity } from "../testing/identities.ts";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { auditOf } from "./support/audit.ts";
import { assign, configuredTokens, createIdentity } from "../testing/identities.ts";

const v = "api-version=2025-01-01";
const [mine, theirs] = [`${local}/resourcegroups/mine`, `${local}/resourcegroups/theirs`];
const item = (group: string, name: string): string => `${group}/providers/Test.Access/items/${name}?${v}`;

const reader = createIdentity("reader");
/** Writes items in one group, and may read nothing else there. */
const editor = createIdentity("editor");
/** Reads the group `mine` and what is in it. */
const member = createIdentity("member");
/** Reads planes of one type only. */
const pilot = createIdentity("pilot");
const stranger = createIdentity("stranger");

let server: TestServer;
let secretsAsked = 0;
before(async () => {
  server = await startTestServer({
    overrides: {
      authentication: configuredTokens(reader, editor, member, pilot, stranger),
      authorization: {
        roles: [
          { name: "item-editor", permissions: ["Test.Access/items/read", "Test.Access/items/write"] },
          { name: "group-reader", permissions: ["*/read"] },
          { name: "pilot", permissions: ["System.AWS/planes/read"] },
        ],
        assignments: [
          assign("radius-reader", reader, "/"),
          assign("item-editor", editor, mine.toUpperCase()),
          assign("group-reader", member, mine),
          assign("pilot", pilot, "/"),
        ],
      },
    },
    handlers: {
      "Test.Access/items": {
        actions: {
          listSecrets: async () => {
            secretsAsked += 1;
            return { password: "canary" };
          },
        },
      },
    },
  });
  await server.register("Test.Access", { items: {}, others: {} });
  for (const group of [mine, theirs]) {
    await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  }
  // Alternating, so that a page of the plane-wide list is never wholly one or the other.
  for (let index = 0; index < 24; index += 1) {
    await create(item(index % 2 === 0 ? mine : theirs, `i${index}`));
  }
  await create(`${mine}/providers/Test.Access/others/o1?${v}`);
});
after(() => server[Symbol.asyncDispose]());

async function create(path: string): Promise<void> {
  await server.settle(await server.call("PUT", path, { body: { properties: {} } }));
}

const as = (who: Identity, method: string, path: string, body?: object): Promise<Reply> =>
  server.call(method, path, { token: who.token, ...(body === undefined ? {} : { body }) });

function assertForbidden(reply: Reply): void {
  assert.deepEqual([reply.status, reply.code], [403, "Forbidden"]);
}

it("radius-reader reads everything, lists included", async () => {
  for (const path of [
    `/planes?${systemVersion}`,
    `/planes/radius?${systemVersion}`,
    `${local}?${systemVersion}`,
    `${local}/resourcegroups?${systemVersion}`,
    `${mine}/resources?${systemVersion}`,
    `${local}/providers?${systemVersion}`,
    `${local}/providers/System.Resources/resourceproviders?${systemVersion}`,
    `${local}/providers/Test.Access/items?${v}`,
    item(mine, "i0"),
    "/audit",
    "/metrics",
    "/openapi.json",
  ]) {
    assert.equal((await as(reader, "GET", path)).status, 200, path);
  }
});

it("radius-reader changes nothing and runs no action", async () => {
  const path = item(mine, "i0");
  const before = (await server.call("GET", path)).headers.get("etag");

  for (const method of ["PUT", "PATCH"]) {
    assertForbidden(await as(reader, method, path, { properties: { changed: true } }));
  }
  assertForbidden(await as(reader, "DELETE", path));
  assertForbidden(await as(reader, "PUT", item(mine, "fresh"), { properties: {} }));
  assertForbidden(await as(reader, "PUT", `${local}/resourcegroups/fresh?${systemVersion}`, { location: "global" }));
  assertForbidden(await as(reader, "POST", path.replace("?", "/listSecrets?")));

  assert.equal((await server.call("GET", path)).headers.get("etag"), before);
  assert.equal((await server.call("GET", item(mine, "fresh"))).status, 404);
  assert.equal(secretsAsked, 0);
});

it("a role counts at its scope and below, in any case, and nowhere else", async () => {
  const allowed = await as(editor, "PUT", item(mine, "edited"), { properties: {} });

  assert.equal(allowed.status, 201);
  await server.settle(allowed);
  assert.equal((await as(editor, "GET", item(mine, "edited"))).status, 200);
  assertForbidden(await as(editor, "PUT", item(theirs, "edited"), { properties: {} }));
  assertForbidden(await as(editor, "GET", item(theirs, "i1")));
  assertForbidden(await as(editor, "DELETE", item(`${mine}2`, "i0")));
  assert.equal((await server.call("GET", item(theirs, "edited"))).status, 404);
  await server.settle(await server.call("DELETE", item(mine, "edited")));
});

it("a role counts for the types it names only", async () => {
  const other = `${mine}/providers/Test.Access/others/o1?${v}`;

  assertForbidden(await as(editor, "GET", other));
  assertForbidden(await as(editor, "PUT", other, { properties: {} }));
  assertForbidden(await as(editor, "POST", item(mine, "i0").replace("?", "/listSecrets?")));
  assertForbidden(await as(editor, "GET", `${mine}?${systemVersion}`));
  assertForbidden(await as(editor, "DELETE", `${mine}?${systemVersion}`));
});

it("a known token without a role is let in and may do nothing", async () => {
  for (const path of [
    `/planes?${systemVersion}`,
    `/planes/radius?${systemVersion}`,
    `${local}?${systemVersion}`,
    `${local}/resourcegroups?${systemVersion}`,
    `${mine}/resources?${systemVersion}`,
    `${local}/providers?${systemVersion}`,
    `${local}/providers/Test.Access/items?${v}`,
    item(mine, "i0"),
    "/audit",
    "/metrics",
    "/openapi.json",
  ]) {
    assertForbidden(await as(stranger, "GET", path));
  }
});

it("what somebody may not see answers the same whether it exists or not", async () => {
  for (const [known, unknown] of [
    [item(theirs, "i1"), item(theirs, "absent")],
    [`${theirs}/resources?${systemVersion}`, `${local}/resourcegroups/absent/resources?${systemVersion}`],
    [`/planes/radius/local/resourcegroups?${systemVersion}`, `/planes/radius/absent/resourcegroups?${systemVersion}`],
  ] as const) {
    const [one, other] = [await as(stranger, "GET", known), await as(stranger, "GET", unknown)];
    assert.deepEqual([one.status, other.status], [403, 403], unknown);
  }
});

it("wider lists show just what the caller may read", async () => {
  assert.deepEqual(ids(await as(member, "GET", `${local}/resourcegroups?${systemVersion}`)), [mine]);
  assert.deepEqual(ids(await as(member, "GET", `${mine}/resources?${systemVersion}`)).length, 13);
  const items = ids(await as(editor, "GET", `${mine}/resources?${systemVersion}`));
  assert.equal(items.length, 12);
  assert.ok(items.every((id) => id.includes("/items/")));
  assertForbidden(await as(member, "GET", `${theirs}/resources?${systemVersion}`));
});

it("the list of all planes shows each by the permission of its own type", async () => {
  assert.deepEqual(ids(await as(pilot, "GET", `/planes?${systemVersion}`)), ["/planes/aws/aws"]);
  assertForbidden(await as(pilot, "GET", `/planes/radius?${systemVersion}`));
  assertForbidden(await as(stranger, "GET", `/planes?${systemVersion}`));
});

it("provider summaries describe the types that the caller may read resources of, and no others", async () => {
  const one = await as(editor, "GET", `${local}/providers/Test.Access?${systemVersion}`);
  const all = await as(editor, "GET", `${local}/providers?${systemVersion}`);
  const whole = await as(member, "GET", `${local}/providers/test.access?${systemVersion}`);

  assert.deepEqual(Object.keys(one.body["resourceTypes"] as JsonObject), ["items"]);
  assert.deepEqual(all.body["value"], [one.body]);
  assert.deepEqual(Object.keys(whole.body["resourceTypes"] as JsonObject), ["items", "others"]);
  const everything = await as(member, "GET", `${local}/providers?${systemVersion}`);
  assert.notEqual(all.headers.get("etag"), everything.headers.get("etag"));
  assertForbidden(await as(editor, "GET", `${local}/providers/No.Such?${systemVersion}`));
  assertForbidden(await as(stranger, "GET", `${local}/providers/Test.Access?${systemVersion}`));
});

it("a list that holds nothing for the caller is empty where something could be, and forbidden elsewhere", async () => {
  const planes = await as(member, "GET", `/planes?${systemVersion}`);

  assertForbidden(await as(member, "GET", `/planes/aws?${systemVersion}`));
  assert.deepEqual([planes.status, ids(planes)], [200, []]);
});

for (const [name, who] of [
  ["a reader of the group", member],
  ["an editor of the type", editor],
] as const) {
  it(`paging through a plane-wide list reaches all that ${name} may read, and nothing else`, async () => {
    const seen: string[] = [];
    let link: string | undefined = `${local}/providers/Test.Access/items?${v}&top=5`;
    while (link !== undefined) {
      const reply: Reply = await as(who, "GET", link);
      seen.push(...ids(reply));
      const next: unknown = reply.body["nextLink"];
      link = typeof next === "string" ? next.slice(server.url.length) : undefined;
    }

    const expected = Array.from({ length: 12 }, (_, index) => `${mine}/providers/Test.Access/items/i${index * 2}`);
    assert.deepEqual(seen.sort(), expected.sort());
  });
}

it("an operation's status and result need read on the resource it works on", async () => {
  const accepted = await server.call("PUT", item(theirs, "i1"), { body: { properties: {} } });
  await server.settle(accepted);
  const links = ["azure-asyncoperation", "location"].map((name) =>
    (accepted.headers.get(name) ?? "").slice(server.url.length),
  );

  for (const link of links) {
    assertForbidden(await as(stranger, "GET", link));
    assertForbidden(await as(member, "GET", link));
    assert.ok((await as(reader, "GET", link)).status < 300);
  }
});

it("refusals are audited with the caller and what was asked for", async () => {
  const headers = { "x-ms-correlation-request-id": "refused-write" };

  await server.call("PUT", item(theirs, "i1"), { token: member.token, body: { properties: {} }, headers });

  const [record, ...more] = await auditOf(server, "refused-write");
  assert.deepEqual(more, []);
  assert.partialDeepStrictEqual(record, {
    phase: "refusal",
    caller: "token:member",
    action: "Test.Access/items/write",
    target: `${theirs}/providers/Test.Access/items/i1`,
    result: "Forbidden",
    status: 403,
  });
});

function ids(reply: Reply): string[] {
  assert.equal(reply.status, 200, reply.text);
  return (reply.body["value"] as JsonObject[]).map((listed) => String(listed["id"]));
}

it("a refusal keeps only the beginning of what was sent, so that strangers cannot fill the disk", async () => {
  const headers = { "x-ms-correlation-request-id": "endless" };
  const path = `${mine}/providers/Test.Access/items/${"x".repeat(5_000)}?api-version=${"y".repeat(5_000)}`;

  await server.call("GET", path, { token: null, headers });

  const [record] = await auditOf(server, "endless");
  assert.ok(JSON.stringify(record).length < 4_000);
});
