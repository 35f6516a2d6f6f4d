// Who is let in with a bearer token, and what refusing leaves behind.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { local, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { auditOf, auditText } from "./support/audit.ts";

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server[Symbol.asyncDispose]());

const refused: readonly (readonly [string, string | undefined])[] = [
  ["no credentials", undefined],
  ["an unknown token", "Bearer rad_canary-unknown"],
  ["something that looks like a JWT", "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJjYW5hcnkifQ."],
  ["two tokens", "Bearer canary-one canary-two"],
  ["no token after the scheme", "Bearer "],
  ["another scheme", "Basic canary-basic"],
  ["a token without a scheme", "canary-bare"],
  ["an endless token", `Bearer ${"canary-".repeat(2_000)}`],
  ["a token in another alphabet", "Bearer canary-\u00e9"],
];
for (const [index, [what, authorization]] of refused.entries()) {
  it(`a request with ${what} is 401, changes nothing and is audited without its token`, async () => {
    const correlationId = `refused-${index}`;
    const group = `${local}/resourcegroups/refused${index}?${systemVersion}`;
    const headers = {
      "x-ms-correlation-request-id": correlationId,
      ...(authorization === undefined ? {} : { authorization }),
    };

    const reply = await server.call("PUT", group, { body: { location: "global" }, token: null, headers });

    assert.deepEqual([reply.status, reply.code], [401, "InvalidAuthenticationInfo"]);
    assert.equal(reply.headers.get("www-authenticate"), "Bearer");
    assert.equal((await server.call("GET", group)).status, 404);
    const records = await auditOf(server, correlationId);
    assert.deepEqual(
      records.map((record) => [record["phase"], record["caller"], record["result"], record["status"]]),
      [["refusal", "anonymous", "InvalidAuthenticationInfo", 401]],
    );
    assert.doesNotMatch(reply.text + [...reply.headers].join() + (await auditText(server)), /canary/);
  });
}

it("reading without a token is refused and audited as well, and no answer tells what exists", async () => {
  const headers = { "x-ms-correlation-request-id": "nosy" };

  const known = await server.call("GET", `${local}?${systemVersion}`, { token: null, headers });
  const unknown = await server.call("GET", `/planes/radius/nothing?${systemVersion}`, { token: null });

  assert.deepEqual([known.status, known.text], [unknown.status, unknown.text]);
  assert.equal((await auditOf(server, "nosy")).length, 1);
});

it("health, version and discovery need no token; everything else does", async () => {
  const base = "/apis/api.ucp.dev/v1alpha3";
  for (const path of ["/healthz", "/readyz", "/version", base, `${base}/openapi/v2`, `${base}/openapi/v3`]) {
    assert.equal((await server.call("GET", path, { token: null })).status, 200, path);
  }
  for (const path of ["/planes", "/metrics", "/audit", "/openapi.json", `${base}/planes`]) {
    assert.equal((await server.call("GET", `${path}?${systemVersion}`, { token: null })).status, 401, path);
  }
});

it("a body that cannot be read does not get past the identity check", async () => {
  const group = `${local}/resourcegroups/unread?${systemVersion}`;

  for (const body of ["{", JSON.stringify({ a: "x".repeat(9_000_000) })]) {
    const reply = await server.call("PUT", group, { body, token: "rad_unknown" });
    assert.deepEqual([reply.status, reply.code], [401, "InvalidAuthenticationInfo"]);
  }
});
