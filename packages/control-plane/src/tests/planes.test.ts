// Plane types of modules: their planes, and code that answers below them.
import assert from "node:assert/strict";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { after, before, it } from "node:test";
import { type JsonObject, objectMember } from "@rad/core";
import { until } from "@rad/core/testing";
import {
  type Answer,
  type BytesRequest,
  endToEndHeaders,
  type ModuleFactory,
  type Plane,
  type PlaneModule,
} from "@rad/modules";
import { assign, configuredTokens, createIdentity } from "../testing/identities.ts";
import { startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { auditOf } from "./support/audit.ts";
import { RawConnection } from "./support/raw-connection.ts";

const maxBytes = 20_000_000;
const nobody = createIdentity("nobody");
const writer = createIdentity("writer");

/** A service elsewhere that tells what it was sent. */
let upstream: Server;
let upstreamUrl: string;
let abandoned = 0;
const seen: string[] = [];

async function answerUpstream(message: IncomingMessage, response: ServerResponse): Promise<void> {
  seen.push(`${message.method} ${message.url}`);
  if (message.url?.startsWith("/endless") === true) {
    response.once("close", () => (abandoned += 1));
    response.writeHead(200).write("some");
    return;
  }
  if (message.url?.startsWith("/copy") === true) {
    response.writeHead(200, { "content-type": "application/octet-stream" });
    await pipeline(message, response);
    return;
  }
  if (message.url?.startsWith("/known") === true) {
    response.writeHead(304, { "content-length": "1000" }).end();
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of message) {
    chunks.push(chunk as Buffer);
  }
  response.writeHead(207, { connection: "close, x-hop", "x-hop": "1", "x-kept": "yes", "set-cookie": ["a=1", "b=2"] });
  const body = Buffer.concat(chunks).toString("utf8");
  response.end(JSON.stringify({ method: message.method, url: message.url, headers: message.headers, body }));
}

async function proxy(request: BytesRequest, { properties }: Plane): Promise<Answer> {
  const path = request.rest.map(encodeURIComponent).join("/");
  const outgoing = httpRequest(`${String(properties["url"])}/${path}?${request.query}`, {
    method: request.method,
    headers: request.headers,
    signal: request.signal(),
  });
  outgoing.useChunkedEncodingByDefault = true; // of a DELETE too, whose body would otherwise have no end
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  const sent = pipeline(request.bytes, outgoing);
  const [incoming] = await Promise.race([answered, sent.then(() => answered)]); // it may answer before all is sent
  return { status: incoming.statusCode ?? 502, headers: endToEndHeaders(incoming.headers), body: incoming };
}

function edge(url: string, code: Partial<NonNullable<PlaneModule["code"]>> = {}): PlaneModule {
  return {
    name: "edge",
    type: "System.Edge/planes",
    schema: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
    initial: { north: { url } },
    code: { maxBytes, serve: proxy, ...code },
  };
}

const moduleOf = (name: string, ...planes: readonly PlaneModule[]): ModuleFactory => ({
  name,
  create: () => ({ planes }),
});

let server: TestServer;
before(async () => {
  upstream = createServer((message, response) => void answerUpstream(message, response).catch(() => {}));
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  server = await startTestServer({
    modules: [
      moduleOf("edge", edge(upstreamUrl)),
      moduleOf("guarded", {
        ...edge(upstreamUrl, {
          permission: ({ rest }) => ({
            permission: "Guarded.Edge/all/read",
            scope: `/planes/guarded/south/${rest[0]}`,
          }),
        }),
        name: "guarded",
        type: "System.Guarded/planes",
        initial: { south: { url: upstreamUrl } },
      }),
    ],
    overrides: {
      authentication: configuredTokens(nobody, writer),
      authorization: {
        roles: [{ name: "edge-writer", permissions: ["Edge.Things/*"] }],
        assignments: [
          assign("edge-writer", writer, "/planes/edge/north/sites/mine"),
          assign("radius-reader", writer, "/planes/guarded/south/allowed"),
        ],
      },
      metricsProvider: { enabled: true },
    },
  });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  upstream.closeAllConnections();
  upstream.close();
});

const plane = "/planes/edge/north";

const forwarded: readonly (readonly [method: string, path: string, url: string])[] = [
  ["GET", "/sites", "/sites"],
  [
    "GET",
    "/sites/mine/providers/Edge.Things/lamps/l1?top=1000&a=%2F",
    "/sites/mine/providers/Edge.Things/lamps/l1?top=1000&a=%2F",
  ],
  ["PUT", "/sites/mine/providers/Edge.Things/lamps/l1", "/sites/mine/providers/Edge.Things/lamps/l1"],
  ["POST", "/sites/mine/providers/Edge.Things/lamps/:get", "/sites/mine/providers/Edge.Things/lamps/%3Aget"],
  ["PATCH", "/no/id/at all/é", "/no/id/at%20all/%C3%A9"],
  ["PROPFIND", "/providers", "/providers"],
  ["DELETE", "/subscriptions/S/resourceGroups/RG", "/subscriptions/S/resourceGroups/RG"],
  [
    "GET",
    "/providers/Edge.Things/locations/global/operationStatuses/1",
    "/providers/Edge.Things/locations/global/operationStatuses/1",
  ],
  ["PUT", "/providers/Microsoft.Resources/deployments/d", "/providers/Microsoft.Resources/deployments/d"],
];
for (const [method, path, url] of forwarded) {
  it(`${method} ${path} is answered by the plane's code`, async () => {
    const body = method === "GET" ? undefined : "not JSON";
    const reply = await server.call(method, plane + path, { body, headers: { "content-type": "text/weird" } });

    assert.equal(reply.status, 207, reply.text);
    assert.partialDeepStrictEqual(reply.body, { method, url, body: body ?? "" });
  });
}

it("headers pass both ways, without credentials and without what is about one connection", async () => {
  const response = await fetch(`${server.url}${plane}/headers`, {
    headers: { authorization: `Bearer ${server.token}`, "x-ms-date": "today", cookie: "c=1", "x-remote-user": "root" },
  });

  const body = (await response.json()) as { headers: JsonObject };
  assert.equal(body.headers["x-ms-date"], "today");
  for (const name of ["authorization", "cookie", "x-remote-user"]) {
    assert.equal(body.headers[name], undefined, name);
  }
  assert.deepEqual([response.headers.get("x-kept"), response.headers.get("x-hop")], ["yes", null]);
  assert.deepEqual(response.headers.getSetCookie(), ["a=1", "b=2"]);
});

it("bytes stream through, while they are being sent", async () => {
  const bytes = new Uint8Array(10_000_000).map((_, index) => index % 251);
  const response = await fetch(`${server.url}${plane}/copy`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}` },
    body: bytes,
  });

  assert.deepEqual(Buffer.compare(Buffer.from(await response.arrayBuffer()), Buffer.from(bytes)), 0);
});

it("the length of a body that is not sent passes, and nothing waits for it", async () => {
  using connection = await RawConnection.open(server.url);
  const authorization = `Authorization: Bearer ${server.token}`;
  for (const method of ["GET", "HEAD"]) {
    connection.send(`${method} ${plane}/known HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n\r\n`);
  }
  connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

  const received = await connection.end();

  assert.match(received, /^HTTP\/1\.1 304 [^]*content-length: 1000[^]*HTTP\/1\.1 304 [^]*HTTP\/1\.1 200 [^]*ok\n$/);
});

it("a DELETE whose body has no length is sent on with an end", async () => {
  using connection = await RawConnection.open(server.url);
  const lines = [`DELETE ${plane}/x HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${server.token}`];
  connection.send(
    [...lines, "Transfer-Encoding: chunked", "Connection: close", "", "3\r\nabc\r\n0\r\n\r\n"].join("\r\n"),
  );

  assert.match(await connection.end(), /^HTTP\/1\.1 207 [^]*"body":"abc"/);
});

it("a caller who leaves ends the call of the service", async () => {
  const leave = new AbortController();
  const response = await fetch(`${server.url}${plane}/endless`, {
    headers: { authorization: `Bearer ${server.token}` },
    signal: leave.signal,
  });
  await response.body?.getReader().read();

  leave.abort();

  await until("the service was told", () => abandoned === 1);
});

it("a body beyond the limit of the plane is refused before it is sent on", async () => {
  const before = seen.length;
  const reply = await server.call("PUT", `${plane}/big`, { body: "x".repeat(maxBytes + 1) });

  assert.equal(reply.status, 413);
  assert.equal(seen.length, before);
});

const ours: readonly (readonly [string, string, number])[] = [
  ["the plane itself", `${plane}?${systemVersion}`, 200],
  ["the plane itself with a slash", `${plane}/?${systemVersion}`, 200],
  ["its list", `/planes/edge?${systemVersion}`, 200],
  ["the registry", `${plane}/providers/System.Resources/resourceProviders?${systemVersion}`, 200],
  ["a system type that nobody registered", `${plane}/providers/system.edge/credentials/default?${systemVersion}`, 400],
];
for (const [what, path, status] of ours) {
  it(`${what} is not left to the code`, async () => {
    const before = seen.length;
    const reply = await server.call("GET", path);

    assert.equal(reply.status, status, reply.text);
    assert.equal(seen.length, before);
  });
}

const needs: readonly (readonly [method: string, path: string, needed: string])[] = [
  ["GET", "/sites/a/providers/E.T/lamps/l1", `E.T/lamps/read at '${plane}/sites/a/providers/E.T/lamps/l1'`],
  ["HEAD", "/sites/a/providers/E.T/lamps/l1", ""],
  ["PUT", "/sites/a/providers/E.T/lamps/l1", `E.T/lamps/write at '${plane}/sites/a/providers/E.T/lamps/l1'`],
  ["LOCK", "/sites/a/providers/E.T/lamps/l1", `E.T/lamps/write at '${plane}/sites/a/providers/E.T/lamps/l1'`],
  ["GET", "/sites/a/providers/E.T/lamps", `E.T/lamps/read at '${plane}/sites/a'`],
  ["POST", "/sites/a/providers/E.T/lamps/l1/dim", `E.T/lamps/dim/action at '${plane}/sites/a/providers/E.T/lamps/l1'`],
  ["GET", "/sites/a", `System.Edge/planes/read at '${plane}/sites/a'`],
  ["DELETE", "/sites", `System.Edge/planes/write at '${plane}/sites'`],
  ["POST", "/a/b/providers/E.T", `System.Edge/planes/write at '${plane}'`],
];
for (const [method, path, needed] of needs) {
  it(`${method} ${path} needs ${needed}`, async () => {
    const before = seen.length;
    const reply = await server.call(method, plane + path, { token: nobody.token });

    assert.equal(reply.status, 403);
    assert.ok(reply.text.includes(needed), reply.text);
    assert.equal(seen.length, before);
  });
}

it("a role at a scope of the plane counts for what is below it, and for nothing else", async () => {
  const { token } = writer;
  const put = async (path: string): Promise<number> => (await server.call("PUT", path, { token, body: {} })).status;

  assert.equal(await put(`${plane}/sites/mine/providers/Edge.Things/lamps/l1`), 207);
  assert.equal(await put(`${plane}/sites/theirs/providers/Edge.Things/lamps/l1`), 403);
  assert.equal(await put(`${plane}/sites/mine/providers/Other.Things/lamps/l1`), 403);
});

it("code may ask for another permission", async () => {
  const { token } = writer;

  assert.equal((await server.call("GET", "/planes/guarded/south/allowed/x", { token })).status, 207);
  assert.equal((await server.call("GET", "/planes/guarded/south/other/x", { token })).status, 403);
});

it("strangers and callers of a plane that does not exist do not reach the code, and are on record", async () => {
  const before = seen.length;
  const headers = { "x-ms-correlation-request-id": "stranger-at-plane" };
  const stranger = await server.call("GET", `${plane}/sites/a/providers/E.T/l/1`, { token: null, headers });
  const missing = await server.call("GET", "/planes/edge/south/sites");

  assert.deepEqual([stranger.status, missing.status, missing.code], [401, 404, "NotFound"]);
  assert.equal(seen.length, before);
  assert.partialDeepStrictEqual(await auditOf(server, "stranger-at-plane"), [
    { action: "E.T/l/read", target: `${plane}/sites/a/providers/E.T/l/1`, status: 401 },
  ]);
});

for (const path of ["/sites/mine/../theirs", "/sites/%2e%2e/x", "/a//b", "/a%5C..%5Cb", "/a%2F..%2Fb", "/a%00"]) {
  it(`${path} could lead elsewhere than permission was asked for, and is refused`, async () => {
    const before = seen.length;
    using connection = await RawConnection.open(server.url);
    const lines = [`GET ${plane}${path} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${server.token}`];
    connection.send([...lines, "Connection: close", "", ""].join("\r\n"));

    assert.match(await connection.end(), /^HTTP\/1\.1 400 [^]*"code":"BadRequest"/);
    assert.equal(seen.length, before);
  });
}

it("planes of all types are listed by the type's name, and metrics name no more than that", async () => {
  const { body } = await server.call("GET", `/planes?${systemVersion}`);
  const { text: metrics } = await server.call("GET", "/metrics");

  const ids = (body["value"] as JsonObject[]).map(({ id }) => id);
  assert.deepEqual(ids, ["/planes/aws/aws", "/planes/edge/north", "/planes/guarded/south", "/planes/radius/local"]);
  assert.match(metrics, /"\/planes\/edge\/\*"/);
});

it("an unknown plane type is told which there are", async () => {
  const reply = await server.call("GET", `/planes/gcp/x?${systemVersion}`);

  assert.match(reply.text, /'gcp' is not a plane type; it must be aws, azure, edge, guarded or radius\./);
});

it("planes of a module's type are created, checked and shown like others", async () => {
  const put = async (properties: JsonObject) =>
    await server.call("PUT", `/planes/edge/west?${systemVersion}`, { body: { location: "global", properties } });

  const bad = await put({ url: 1 });
  const good = await put({ url: upstreamUrl, unknown: 1 });

  assert.equal(bad.status, 400);
  assert.partialDeepStrictEqual(good.body, {
    id: "/planes/edge/west",
    name: "west",
    type: "System.Edge/planes",
    properties: { url: upstreamUrl, provisioningState: "Succeeded" },
  });
  assert.equal(objectMember(good.body, "properties")["unknown"], undefined);
  assert.equal((await server.call("GET", "/planes/edge/west/sites")).status, 207);
  assert.equal((await server.call("DELETE", `/planes/edge/west?${systemVersion}`)).status, 200);
});

it("OpenAPI describes the planes of a module's type", async () => {
  const { body } = await server.call("GET", "/openapi.json");

  assert.ok(Object.hasOwn(objectMember(body, "paths"), "/planes/edge/{name}"));
});

const bare = (name: string, type: string, initial: PlaneModule["initial"] = {}): PlaneModule => ({
  name,
  type,
  schema: {},
  initial,
});
const refused: readonly (readonly [string, readonly ModuleFactory[], RegExp])[] = [
  [
    "a type that another module has",
    [moduleOf("one", bare("edge", "System.Edge/planes")), moduleOf("two", bare("edge", "System.Edge/planes"))],
    /'two'.*'edge' is one of the module 'one'/,
  ],
  ["a type that the server has", [moduleOf("one", bare("aws", "System.AWS/planes"))], /'one'.*module 'planes'/],
  ["a name in upper case", [moduleOf("one", bare("Edge", "System.Edge/planes"))], /'Edge' must consist of/],
  ["a resource type of another name", [moduleOf("one", bare("edge", "Edge/planes"))], /must be 'System\.edge\/planes'/],
  ["a plane without a proper name", [moduleOf("one", bare("edge", "System.Edge/planes", { "a/b": {} }))], /'a\/b'/],
];
for (const [what, modules, message] of refused) {
  it(`a plane type is refused at the start: ${what}`, async () => {
    await assert.rejects(startTestServer({ modules }), { code: "ModuleFailed", message });
  });
}

it("the configuration creates planes of a module's type, and of no other", async () => {
  const planes = (id: string, properties: JsonObject) => ({
    initialization: { planes: [{ id, type: undefined, name: undefined, properties }] },
  });
  const module = { ...edge("http://unused"), initial: {}, defaults: { url: "http://default" } };

  await using started = await startTestServer({
    modules: [moduleOf("edge", module)],
    overrides: planes("/planes/edge/east", { unknown: 1 }),
  });

  const { body } = await started.call("GET", `/planes/edge/east?${systemVersion}`);
  assert.deepEqual(body["properties"], { url: "http://default", provisioningState: "Succeeded" });
  await assert.rejects(startTestServer({ overrides: planes("/planes/gcp/x", {}) }), {
    code: "InvalidConfiguration",
    message: "initialization.planes[0].id: must be a plane of type aws, azure or radius",
  });
});
