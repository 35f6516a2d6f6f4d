// No request keeps the event loop: whatever it sends, others get their turn meanwhile.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { longestTurn, until } from "@rad/core/testing";
import { local, registry, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { CallingThread, type ThreadReply } from "./support/calling-thread.ts";

/** About a tenth of a second, see `longestTurn`. Before, many of these took from 1 to 5 seconds. */
const mostUnits = 20;

const group = `${local}/resourcegroups/long`;
const v = "api-version=2025-01-01";
const secret = { type: "string", "x-radius-sensitive": true };
const schemas: Readonly<Record<string, JsonObject>> = {
  open: {},
  closed: { type: "object", properties: { m: { type: "object", additionalProperties: false } } },
  secretMaps: { type: "object", properties: { m: { type: "object", additionalProperties: secret } } },
  secretLists: { type: "object", properties: { m: { type: "array", items: secret } } },
  unique: { type: "object", properties: { m: { type: "array", uniqueItems: true } } },
  enums: { type: "object", properties: { m: { enum: [{ a: 1 }, "x"] } } },
  choices: {
    type: "object",
    properties: { m: { type: "array", items: { anyOf: [{ type: "number" }, { type: "string", maxLength: 30 }] } } },
  },
  patterns: { type: "object", properties: { m: { type: "string", pattern: "^(a?){20}a{20}([a-z]|[0-9])*(x+x+)+y$" } } },
  defaults: {
    type: "object",
    properties: {
      m: { type: "array", items: { type: "object", properties: { b: { type: "object", default: { q: [1, 2, 3] } } } } },
    },
  },
  vastDefaults: {
    type: "object",
    properties: {
      m: {
        type: "array",
        items: { type: "object", properties: { b: { type: "string", default: "x".repeat(10_000) } } },
      },
    },
  },
};

let server: TestServer;
let thread: CallingThread;
before(async () => {
  server = await startTestServer({ handlers: {} });
  thread = new CallingThread();
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  await server.register("Test.Long", schemas);
});
after(async () => {
  await thread[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

function send(method: string, path: string, body?: string): Promise<ThreadReply> {
  return thread.call({ method, url: `${server.url}${path}`, token: server.token, body });
}

const at = (type: string, name: string): string => `${group}/providers/Test.Long/${type}/${name}?${v}`;

const puts: readonly (readonly [type: string, body: string, status: number])[] = [
  ["open", "8 MB of numbers", 413],
  ["open", "8 MB of long numbers", 413],
  ["open", "490,000 numbers", 201],
  ["open", "600,000 members", 413],
  ["open", "99,000 members", 201],
  ["open", "99,000 properties", 201],
  ["open", "99,000 tags", 201],
  ["open", "99,000 wrong tags", 400],
  ["open", "8 MB of text", 201],
  ["open", "8 MB of escapes", 201],
  ["open", "8 MB of two-byte text", 201],
  ["open", "8 MB that end with an invalid byte", 400],
  ["open", "8 MB of brackets", 400],
  ["open", "8 MB of blanks", 400],
  ["open", "deep lists", 201],
  ["closed", "99,000 members", 400],
  ["secretMaps", "100,000 texts in members", 201],
  ["secretLists", "100,000 texts", 201],
  ["unique", "100,000 texts", 201],
  ["unique", "one item of 99,000 members", 201],
  ["enums", "100,000 texts in members", 400],
  ["choices", "100,000 texts", 400],
  ["patterns", "a text of 15,000 characters", 400],
  ["patterns", "8 MB of text", 400],
  ["defaults", "50,000 empty objects", 201],
  ["vastDefaults", "50,000 empty objects", 413],
];
for (const [type, body, status] of puts) {
  it(`a PUT of ${body} to ${type} lets others have their turn`, async () => {
    let reply: ThreadReply | undefined;
    const path = at(type, `r${body.replaceAll(/[^a-z\d]/gi, "")}`);

    const { units } = await longestTurn(async () => {
      reply = await send("PUT", path, body);
    });

    assert.equal(reply?.status, status);
    assert.ok(units < mostUnits, `${units} units`);
  });
}

it("large resources are replaced, read, listed and deleted in short turns", async () => {
  const path = at("open", "again");
  const statuses: number[] = [];
  const steps: (readonly [string, string, string?])[] = [
    ["PUT", path, "99,000 members"],
    ["PUT", path, "99,000 other members"],
    ["GET", path],
    ["GET", at("open", "").replace("/?", "?")],
    ["DELETE", path],
  ];

  const { units } = await longestTurn(async () => {
    for (const [method, url, body] of steps) {
      const status = await until("the operation before has ended", async () => {
        const reply = await send(method, url, body);
        return reply.status !== 409 && reply.status;
      });
      statuses.push(status);
      await send("GET", `${path}&x=1`);
      await new Promise((resolve) => setTimeout(resolve, 300)); // its operation runs
    }
  });

  assert.deepEqual(statuses, [201, 201, 200, 200, 202]);
  assert.ok(units < mostUnits, `${units} units`);
});

it("ten large bodies at once are stored one after the other", async () => {
  const names = Array.from({ length: 10 }, (_, index) => `many${index}`);
  let replies: ThreadReply[] = [];

  const { units } = await longestTurn(async () => {
    replies = await Promise.all(names.map((name) => send("PUT", at("open", name), "8 MB of text")));
  });

  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
  assert.ok(units < mostUnits, `${units} units`);
});

it("schemas as costly as they may be are registered in short turns", async () => {
  const schemas: Record<string, unknown> = {
    "2025-02-01": members(4_000, { type: "string", pattern: "^a" }),
    "2025-02-02": members(4, { type: "string", pattern: "(\\p{L}{10}){10}[\\p{L}\\p{N}]{100}" }),
    "2025-02-03": members(4_990, { type: "string", default: "q" }),
    "2025-02-04": { type: "object", description: "x".repeat(1_000_000) },
  };

  const { units } = await longestTurn(async () => {
    for (const [version, schema] of Object.entries(schemas)) {
      const path = `${registry}/Test.Long/resourcetypes/open/apiversions/${version}?${systemVersion}`;
      await server.call("PUT", path, { body: { properties: { schema } } });
    }
    await send("GET", "/openapi.json");
    await send("GET", `${local}/providers?${systemVersion}`);
  });

  assert.ok(units < mostUnits, `${units} units`);
});

function members(count: number, schema: object): object {
  return { type: "object", properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, schema])) };
}
