import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { local, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { auditOf } from "./support/audit.ts";

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server[Symbol.asyncDispose]());

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/;
const requests = [
  ["a resource", "GET", `${local}?${systemVersion}`, 200],
  ["a list", "GET", `${local}/resourceGroups?${systemVersion}`, 200],
  ["a stream", "GET", "/audit", 200],
  ["text", "GET", "/healthz", 200],
  ["a refusal", "GET", local, 400],
  ["what does not exist", "GET", `${local}/resourceGroups/none?${systemVersion}`, 404],
  ["an answer without a body", "DELETE", `${local}/resourceGroups/none?${systemVersion}`, 204],
  ["a URL that cannot be read", "GET", "/planes/%zz", 400],
  ["another method", "POST", "/healthz", 405],
] as const;
for (const [what, method, path, status] of requests) {
  it(`${what} has a request id of its own, and the caller's correlation id`, async () => {
    const one = await server.call(method, path);
    const other = await server.call(method, path, { headers: { "x-ms-correlation-request-id": "mine" } });

    const ids = [one, other].map(({ headers }) => headers.get("x-ms-request-id") ?? "");
    assert.deepEqual([one.status, other.status], [status, status]);
    ids.forEach((id) => assert.match(id, uuid));
    assert.notEqual(ids[0], ids[1]);
    assert.equal(one.headers.get("x-ms-correlation-request-id"), ids[0]);
    assert.equal(other.headers.get("x-ms-correlation-request-id"), "mine");
  });
}

it("the audit log has the correlation id that the answer has", async () => {
  const { headers } = await server.call("PUT", `${local}/resourceGroups/found?${systemVersion}`, {
    body: { location: "global" },
  });

  const records = await auditOf(server, headers.get("x-ms-correlation-request-id") ?? "");
  assert.deepEqual(
    records.map(({ phase, target }) => [phase, target]),
    ["intent", "outcome"].map((phase) => [phase, `${local}/resourcegroups/found`]),
  );
});
