// Routes of modules: where they are, who may call them, what they are given.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, it } from "node:test";
import { ApiError } from "@rad/core";
import type { Answer, ModuleFactory, Route } from "@rad/modules";
import { startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { assign, configuredTokens, createIdentity } from "../testing/identities.ts";
import { auditOf } from "./support/audit.ts";
import { RawConnection } from "./support/raw-connection.ts";

const text = { "Content-Type": "text/plain" };
const reader = createIdentity("reader");
let handled = 0;

const routes: readonly Route[] = [
  {
    method: ["GET", "POST", "LOCK", "UNLOCK"],
    path: "/echo/*",
    permission: ({ rest, method }) => {
      if (rest[0] === "unknown") {
        throw new ApiError("NotFound", "There is no such state.");
      }
      const verb = method === "GET" || method === "HEAD" ? "read" : "write";
      return {
        permission: `Test.Echo/states/${verb}`,
        scope: `/planes/radius/local/resourceGroups/${rest[0] ?? "none"}`,
      };
    },
    body: "bytes",
    maxBytes: 1_000_000,
    handle: async ({ method, rest, query, headers, bytes }) => {
      handled += 1;
      const body = Buffer.from(await bytes.whole()).toString("latin1");
      return { status: 200, headers: text, body: JSON.stringify({ method, rest, query, headers, body }) };
    },
  },
  {
    method: "POST",
    path: "/json",
    permission: "Test.Echo/json/write",
    body: "json",
    handle: ({ body }) => ({ status: 200, json: JSON.stringify({ got: body ?? null }) }),
  },
  { method: "POST", path: "/bare", permission: undefined, handle: ({ body }) => ({ status: 200, body: typeof body }) },
  { method: "GET", path: "/planes-of-fancy", permission: undefined, handle: () => ({ status: 204 }) },
  {
    method: "GET",
    path: "/binary",
    permission: undefined,
    handle: () => ({
      status: 200,
      headers: { "Content-Type": "application/octet-stream", "Set-Cookie": ["a=1", "b=2"] },
      body: new Uint8Array([0, 255, 128, 10]),
    }),
  },
  {
    method: "GET",
    path: "/split",
    permission: undefined,
    handle: () => ({ status: 200, headers: { "X-Bad": "a\r\nX-Injected: b" }, body: "never sent" }),
  },
];

/** Answers of which a caller could not tell where they end. */
const endless: Readonly<Record<string, Pick<Answer, "status" | "headers">>> = {
  "a length that is none": { status: 200, headers: { "Content-Length": "abc" } },
  "a length in another notation": { status: 200, headers: { "Content-Length": "0x5" } },
  "two lengths": { status: 200, headers: { "content-length": ["5", "6"] } },
  "an encoding of its own": { status: 200, headers: { "Transfer-Encoding": "gzip" } },
  "a length and an encoding": { status: 200, headers: { "Transfer-Encoding": "chunked", "Content-Length": "5" } },
  "the promise of another answer": { status: 100 },
  "another protocol": { status: 101 },
  "a length and a trailer": { status: 200, headers: { Trailer: "X-End", "Content-Length": "5" } },
};

const endlessRoute: Route = {
  method: "GET",
  path: "/endless/*",
  permission: undefined,
  handle: ({ rest: [what = "", form] }) => ({
    status: 200,
    ...endless[what],
    body: form === "stream" ? Readable.from(["never"]) : "never",
  }),
};

let server: TestServer;
before(async () => {
  server = await startTestServer({
    modules: [{ name: "routes", create: () => ({ routes: [...routes, endlessRoute] }) }],
    overrides: {
      authentication: configuredTokens(reader),
      authorization: { assignments: [assign("radius-reader", reader, "/planes/radius/local/resourceGroups/theirs")] },
      metricsProvider: { enabled: true },
    },
  });
});
after(() => server[Symbol.asyncDispose]());

/** The answer to a request whose path no URL parser has touched. */
async function rawCall(method: string, path: string, ...lines: readonly string[]): Promise<string> {
  using connection = await RawConnection.open(server.url);
  const head = [`${method} ${path} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${server.token}`, ...lines];
  connection.send([...head, "Connection: close", "", ""].join("\r\n"));
  return await connection.end();
}

for (const method of ["LOCK", "UNLOCK", "POST"]) {
  it(`${method} brings bytes to a handler, whatever type they claim to be`, async () => {
    const bytes = Buffer.from([0, 1, 255, 254, 123]);
    const response = await fetch(`${server.url}/echo/team/State.json?ID=a%20b&x`, {
      method,
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json", "x-lock": "l" },
      body: bytes,
    });

    const seen = (await response.json()) as { headers: Record<string, string> };
    assert.partialDeepStrictEqual(seen, {
      method,
      rest: ["team", "State.json"],
      query: "ID=a%20b&x",
      body: bytes.toString("latin1"),
    });
    assert.equal(seen.headers["x-lock"], "l");
  });
}

it("a handler is given no credentials, and nothing about the connection", async () => {
  const reply = await server.call("GET", "/echo/team", {
    headers: { cookie: "session=1", "x-remote-user": "root", te: "trailers", "x-kept": "yes" },
  });

  const { headers } = reply.body as { headers: Record<string, string> };
  assert.equal(headers["x-kept"], "yes");
  assert.doesNotMatch(reply.text, new RegExp(server.token));
  for (const name of ["authorization", "cookie", "connection", "host", "x-remote-user", "te"]) {
    assert.equal(headers[name], undefined, name);
  }
});

const rests: readonly (readonly [path: string, rest: readonly string[] | undefined])[] = [
  ["/echo", []],
  ["/echo/", []],
  ["/ECHO/Team/A%20b", ["Team", "A b"]],
  ["/echo/resourceGroups/X/", ["resourceGroups", "X"]],
  ["/apis/api.ucp.dev/v1alpha3/echo/a", ["a"]],
  ["/echo/%C3%A9/...", ["é", "..."]],
  ["/echo/a%252fb", ["a%2fb"]],
  ["/echo/../json", undefined],
  ["/echo/a/%2e%2E/b", undefined],
  ["/echo/./a", undefined],
  ["/echo/a//b", undefined],
  ["/echo//", undefined],
  ["/echo/a%2Fb", undefined],
  ["/echo/a%5Cb", undefined],
  ["/echo/a\\b", undefined],
  ["/echo/a%00", undefined],
  ["/echo/a%C2%85b", undefined],
  ["/echo/%zz", undefined],
];
for (const [path, rest] of rests) {
  it(`the rest of ${path} is ${rest === undefined ? "refused" : JSON.stringify(rest)}`, async () => {
    const before = handled;
    const received = await rawCall("GET", path);

    if (rest === undefined) {
      assert.match(received, /^HTTP\/1\.1 400 [^]*"code":"BadRequest"/);
      assert.equal(handled, before);
    } else {
      const body = Buffer.from(received, "latin1").toString("utf8").split("\r\n\r\n")[1] ?? "";
      assert.deepEqual((JSON.parse(body) as { rest: unknown }).rest, rest);
    }
  });
}

it("a known path with another method is 405, tells those that it has, and is on record", async () => {
  const put = await server.call("PUT", "/echo/a", { headers: { "x-ms-correlation-request-id": "other-method" } });
  const health = await server.call("DELETE", "/healthz", { token: null });

  assert.deepEqual(
    [put.status, put.code, put.headers.get("allow")],
    [405, "BadRequest", "GET, HEAD, LOCK, POST, UNLOCK"],
  );
  assert.deepEqual([health.status, health.headers.get("allow")], [405, "GET, HEAD"]);
  assert.partialDeepStrictEqual(await auditOf(server, "other-method"), [{ target: "/echo/a", status: 405 }]);
});

it("HEAD calls the handler of GET and sends no body", async () => {
  const before = handled;
  const reply = await server.call("HEAD", "/echo/a");

  assert.deepEqual([reply.status, reply.text, handled], [200, "", before + 1]);
});

it("a permission for each call lets a caller in at one scope, and not at another", async () => {
  const { token } = reader;
  const statuses: number[] = [];
  for (const [method, path] of [
    ["GET", "/echo/theirs/x"],
    ["LOCK", "/echo/theirs/x"],
    ["GET", "/echo/ours/x"],
    ["GET", "/echo/unknown"],
  ] as const) {
    statuses.push((await server.call(method, path, { token })).status);
  }
  const stranger = await server.call("GET", "/echo/unknown", { token: "nobody" });

  assert.deepEqual(statuses, [200, 403, 403, 404]);
  assert.equal(stranger.status, 401, "who is not known here does not learn what is");
});

it("refusals are on record with the permission and the scope of the call", async () => {
  const headers = { "x-ms-correlation-request-id": "refused-route" };
  const reply = await server.call("LOCK", "/echo/ours/x", { token: reader.token, headers });

  assert.match(
    reply.text,
    /'token:reader' needs Test\.Echo\/states\/write at '\/planes\/radius\/local\/resourceGroups\/ours'/,
  );
  assert.partialDeepStrictEqual(await auditOf(server, "refused-route"), [
    {
      phase: "refusal",
      caller: "token:reader",
      action: "Test.Echo/states/write",
      target: "/planes/radius/local/resourceGroups/ours",
      status: 403,
    },
  ]);
});

it("metrics name the path as it was declared", async () => {
  await server.call("GET", "/echo/some-secret-name");
  await server.call("PURGE", "/echo/some-secret-name");

  const { text: metrics } = await server.call("GET", "/metrics");

  assert.match(metrics, /"\/echo\/\*"/);
  assert.doesNotMatch(metrics, /some-secret-name/);
});

it("a JSON route has the body parsed and checked, after the caller was let in", async () => {
  const good = await server.call("POST", "/json", { body: { a: [1] } });
  const empty = await server.call("POST", "/json");
  const bad = await server.call("POST", "/json", { body: "{" });
  const other = await server.call("POST", "/json", { body: "a=b", headers: { "content-type": "text/plain" } });
  const stranger = await server.call("POST", "/json", { body: "{", token: null });

  assert.deepEqual(good.body, { got: { a: [1] } });
  assert.deepEqual(empty.body, { got: null });
  assert.deepEqual([bad.status, other.status, stranger.status], [400, 415, 401]);
});

it("a route that wants no body gets none", async () => {
  assert.equal((await server.call("POST", "/bare", { body: { a: 1 } })).text, "undefined");
});

it("bytes and repeated headers leave as they are", async () => {
  const response = await fetch(`${server.url}/binary`);

  assert.deepEqual(new Uint8Array(await response.arrayBuffer()), new Uint8Array([0, 255, 128, 10]));
  assert.deepEqual(response.headers.getSetCookie(), ["a=1", "b=2"]);
});

it("a header that would split the answer becomes a bare 500", async () => {
  const received = await rawCall("GET", "/split");

  assert.match(received, /^HTTP\/1\.1 500 [^]*"code":"Internal"/);
  assert.doesNotMatch(received, /X-Injected|never sent/);
});

for (const [what, form] of Object.keys(endless).flatMap((name) => [
  [name, "stream"] as const,
  [name, "text"] as const,
])) {
  it(`an answer with ${what} (${form}) becomes a bare 500`, async () => {
    const received = await rawCall("GET", `/endless/${encodeURIComponent(what)}/${form}`);
    const [head = "", body = ""] = received.split("\r\n\r\n");

    assert.match(head, /^HTTP\/1\.1 500 /);
    assert.match(head, new RegExp(`content-length: ${body.length}(\r|$)`, "i"));
    assert.equal((JSON.parse(body) as { error: { code: string } }).error.code, "Internal");
  });
}

it("a path that only begins like a plane's is a route like any other", async () => {
  assert.equal((await server.call("GET", "/planes-of-fancy")).status, 204);
  assert.equal((await server.call("GET", `/planes?${systemVersion}`)).status, 200);
});

it("metrics at a path that is taken are refused at the start", async () => {
  const overrides = { metricsProvider: { enabled: true, prometheus: { path: "/Healthz" } } };

  await assert.rejects(startTestServer({ overrides }), { code: "InvalidConfiguration", message: /prometheus\.path/ });
});

const at = (path: string, method: string | readonly string[] = "GET"): Route => ({
  method,
  path,
  permission: undefined,
  handle: () => ({ status: 200 }),
});
const moduleWith = (name: string, ...given: readonly Route[]): ModuleFactory => ({
  name,
  create: () => ({ routes: given }),
});
const refused: readonly (readonly [string, readonly ModuleFactory[], RegExp])[] = [
  ["the same route twice", [moduleWith("one", at("/x")), moduleWith("two", at("/x"))], /'two'.*'\/x'.*module 'one'/],
  ["the same prefix twice", [moduleWith("one", at("/x/*")), moduleWith("two", at("/x/*"))], /'two'.*module 'one'/],
  ["twice in one module", [moduleWith("one", at("/x"), at("/x"))], /'one'.*module 'one'/],
  ["HEAD of another's GET", [moduleWith("one", at("/x")), moduleWith("two", at("/x", "HEAD"))], /'two'.*module 'one'/],
  ["/healthz", [moduleWith("one", at("/healthz"))], /'one'.*'\/healthz' is one of the server/],
  ["/openapi.json", [moduleWith("one", at("/openapi.json"))], /the server/],
  ["/openapi/v2", [moduleWith("one", at("/openapi/v2"))], /the server/],
  ["/metrics", [moduleWith("one", at("/metrics"))], /the server/],
  ["/planes", [moduleWith("one", at("/planes"))], /hidden by '\/planes'/],
  ["below /planes", [moduleWith("one", at("/planes/aws/*"))], /hidden by '\/planes'/],
  ["below a base path", [moduleWith("one", at("/apis/api.ucp.dev/v1alpha3/x"))], /hidden by/],
  ["upper case", [moduleWith("one", at("/State"))], /'\/State' must consist of/],
  ["no slash", [moduleWith("one", at("state"))], /must consist of/],
  ["everything", [moduleWith("one", at("/*"))], /must consist of/],
  ["a star in the middle", [moduleWith("one", at("/a/*/b"))], /must consist of/],
  ["a final slash", [moduleWith("one", at("/a/"))], /must consist of/],
  ["dots", [moduleWith("one", at("/a/../b"))], /must consist of/],
  ["an unknown method", [moduleWith("one", at("/x", ["GET", "FROB"]))], /'FROB'/],
  ["a method in lower case", [moduleWith("one", at("/x", "get"))], /'get'/],
];
for (const [what, modules, message] of refused) {
  it(`a route is refused at the start: ${what}`, async () => {
    await assert.rejects(startTestServer({ modules }), { code: "ModuleFailed", message });
  });
}
