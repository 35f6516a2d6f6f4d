import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import type { ClientOptions } from "./client.ts";
import { createClient } from "./create-client.ts";
import { startTestServer } from "./testing/index.ts";
import type { RecordedRequest } from "./testing/test-server.ts";

const group = "/planes/radius/local/resourceGroups/dev";
const widgets = `${group}/providers/Contoso.Test/widgets`;
const version = { apiVersion: "2025-01-01" };

function replyJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  return true;
}

const preferenceOf = ({ headers }: RecordedRequest) => headers["prefer"];

/** A client that never waits and remembers for how long it would have. */
function impatient(endpoint: string, options: Partial<ClientOptions> = {}) {
  const waits: number[] = [];
  const client = createClient({
    endpoint,
    random: () => 1,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
    },
    ...options,
  });
  return { client, waits };
}

test("a put waits for its operation and resolves to the finished resource", async () => {
  await using server = await startTestServer({ polls: 4 });
  const { client, waits } = impatient(server.url);

  const resource = await client.resources.put(`${widgets}/w1`, { properties: { size: 3 } }, version);

  assert.deepEqual(resource["properties"], { size: 3, provisioningState: "Succeeded" });
  assert.deepEqual(waits, [50, 75, 112.5]);
});

/** A clock by which everything takes this long. */
function slowClock(stepMs: number): () => number {
  let now = 0;
  return () => (now += stepMs);
}

test("a control plane that waits itself is asked again without a pause", async () => {
  await using server = await startTestServer({ polls: 4, appliesWait: true });
  const { client, waits } = impatient(server.url, { now: slowClock(10_000) });

  await client.resources.put(`${widgets}/w1`, {}, version);

  assert.deepEqual(waits, []);
  const preferences = server.requests.filter(({ path }) => path.includes("operationStatuses")).map(preferenceOf);
  assert.deepEqual(
    preferences,
    Array.from({ length: 4 }, () => "wait=10"),
  );
});

test("a control plane that says it has waited, but answers at once, is asked ever less often", async () => {
  await using server = await startTestServer({ polls: 4, appliesWait: true });
  const { client, waits } = impatient(server.url, { now: slowClock(1) });

  await client.resources.put(`${widgets}/w1`, {}, version);

  assert.deepEqual(waits, [50, 75, 112.5]);
});

test("the control plane is asked to wait no longer than a request may take, nor than onlookers would", async () => {
  await using server = await startTestServer();

  await impatient(server.url, { requestTimeoutMs: 6_000 }).client.resources.put(`${widgets}/w1`, {}, version);
  await impatient(server.url, { requestTimeoutMs: 1_500 }).client.resources.put(`${widgets}/w2`, {}, version);
  const watched = { ...version, onProgress: () => {} };
  await impatient(server.url).client.resources.put(`${widgets}/w3`, {}, watched);

  const polls = server.requests.filter(({ path }) => path.includes("operationStatuses"));
  assert.deepEqual(polls.map(preferenceOf), ["wait=3", undefined, "wait=1"]);
});

test("polling never waits longer than Retry-After", async () => {
  await using server = await startTestServer({ polls: 20 });
  const { client, waits } = impatient(server.url);

  await client.resources.put(`${widgets}/w1`, {}, version);

  assert.equal(Math.max(...waits), 1000);
});

test("an operation that fails rejects with the operation's own error", async () => {
  const error = {
    code: "RecipeDeploymentFailed",
    message: "no quota",
    target: "t",
    details: [{ code: "A", message: "b" }],
  };
  await using server = await startTestServer({
    intercept: (request, response) =>
      request.path.includes("operationStatuses") && replyJson(response, 200, { id: "x", status: "failed", error }),
  });
  const { client } = impatient(server.url);

  const put = client.resources.put(`${widgets}/w1`, {}, version);

  await assert.rejects(put, { code: "RecipeDeploymentFailed", target: "t", details: error.details, wire: error });
});

test("deleting tells what was there from what was not", async () => {
  await using server = await startTestServer();
  const { client } = impatient(server.url);
  await client.resources.put(`${widgets}/w1`, {}, version);

  assert.equal(await client.resources.delete(`${widgets}/w1`, version), "deleted");
  assert.equal(await client.resources.delete(`${widgets}/w1`, version), "notFound");
  assert.equal(server.documents.size, 0);
});

test("deleting in a group that is not there finds nothing; a 404 of something else is an error", async () => {
  const answers = [{ error: { code: "NotFound", message: "no such group" } }, { message: "no such page" }];
  await using server = await startTestServer({ intercept: (_, response) => replyJson(response, 404, answers.shift()) });
  const { client } = impatient(server.url);

  assert.equal(await client.resources.delete(`${widgets}/w1`, version), "notFound");
  await assert.rejects(client.resources.delete(`${widgets}/w1`, version), { status: 404 });
});

test("a force delete says so in the query", async () => {
  await using server = await startTestServer();
  const { client } = impatient(server.url);

  await client.resources.delete(`${widgets}/w1`, { ...version, force: true });

  assert.match(server.requests[0]?.path ?? "", /[?&]force=true/);
});

test("a list follows the links to all its pages", async () => {
  await using server = await startTestServer({ pageSize: 2 });
  const { client } = impatient(server.url);
  for (const name of ["a", "b", "c", "d", "e"]) {
    await client.resources.put(`${widgets}/${name}`, {}, version);
  }

  const items = await client.resources.list(widgets, version);

  assert.deepEqual(
    items.map((item) => item.name),
    ["a", "b", "c", "d", "e"],
  );
});

test("pages that go round in a circle are an error", async () => {
  await using server = await startTestServer({
    intercept: (request, response) => replyJson(response, 200, { value: [], nextLink: request.path }),
  });
  const { client } = impatient(server.url);

  await assert.rejects(client.resources.list("/planes"), { code: "UnexpectedResponse" });
});

test("an empty list may be written as null", async () => {
  await using server = await startTestServer({
    intercept: (_, response) => replyJson(response, 200, { value: null }),
  });

  assert.deepEqual(await impatient(server.url).client.groups.list(), []);
});

test("links through an internal host are followed on the configured one", async () => {
  await using server = await startTestServer({ pageSize: 1, linkOrigin: "http://ucp.radius-system.svc:443" });
  const { client } = impatient(server.url);
  await client.resources.put(`${widgets}/a`, {}, version);
  await client.resources.put(`${widgets}/b`, {}, version);

  assert.equal((await client.resources.list(widgets, version)).length, 2);
});

test("a link elsewhere is refused, and the token stays here", async () => {
  await using thief = await startTestServer();
  await using server = await startTestServer({
    intercept: (_, response) => replyJson(response, 200, { value: [], nextLink: `${thief.url}/steal` }),
  });
  const { client } = impatient(server.url, { token: "canary-token" });

  await assert.rejects(client.groups.list(), { code: "UntrustedLink" });
  assert.deepEqual(thief.requests, []);
});

test("a redirect is not followed", async () => {
  await using thief = await startTestServer();
  await using server = await startTestServer({
    intercept: (_, response) => replyJson(response, 307, {}, { location: `${thief.url}/planes` }),
  });

  await assert.rejects(impatient(server.url, { token: "canary-token" }).client.groups.list(), {
    code: "UnexpectedRedirect",
  });
  assert.deepEqual(thief.requests, []);
});

for (const status of [429, 502, 503, 504]) {
  test(`a put that meets ${status} is repeated until it passes`, async () => {
    let failures = 2;
    await using server = await startTestServer({
      intercept: (request, response) => request.method === "PUT" && failures-- > 0 && replyJson(response, status, {}),
    });
    const { client, waits } = impatient(server.url);

    await client.groups.put("dev");

    assert.equal(server.requests.length, 3);
    assert.deepEqual(waits, [100, 200]);
  });
}

test("retries stop after four tries", async () => {
  await using server = await startTestServer({ intercept: (_, response) => replyJson(response, 503, {}) });

  await assert.rejects(impatient(server.url).client.groups.list(), { status: 503 });
  assert.equal(server.requests.length, 4);
});

test("a conflict is reported at once", async () => {
  const error = { code: "Conflict", message: "busy" };
  await using server = await startTestServer({ intercept: (_, response) => replyJson(response, 409, { error }) });

  await assert.rejects(impatient(server.url).client.groups.put("dev"), { code: "Conflict", status: 409 });
  assert.equal(server.requests.length, 1);
});

test("an action is sent once, whatever happens", async () => {
  await using server = await startTestServer({ intercept: (_, response) => replyJson(response, 503, {}) });

  await assert.rejects(impatient(server.url).client.resources.action(`${widgets}/w1`, "listSecrets"), { status: 503 });
  assert.equal(server.requests.length, 1);
});

test("a delete whose first answer got lost counts as deleted", async () => {
  let dropped = false;
  await using server = await startTestServer({
    intercept: (request, response) => {
      if (request.method !== "DELETE" || dropped) {
        return false;
      }
      dropped = true;
      response.socket?.resetAndDestroy();
      return true;
    },
  });

  assert.equal(await impatient(server.url).client.groups.delete("dev"), "deleted");
  assert.equal(server.requests.length, 2);
});

test("waiting for an operation survives a control plane that restarts", async () => {
  let away = 5;
  await using server = await startTestServer({
    intercept: (request, response) => {
      if (!request.path.includes("operationStatuses") || away-- <= 0) {
        return false;
      }
      response.socket?.resetAndDestroy();
      return true;
    },
  });

  const resource = await impatient(server.url).client.resources.put(`${widgets}/w1`, {}, version);

  assert.equal(resource.name, "w1");
});

test("nobody listening is one line that names the endpoint", async () => {
  const server = await startTestServer();
  await server[Symbol.asyncDispose]();

  await assert.rejects(impatient(server.url).client.groups.list(), (error: Error & { code: string }) => {
    assert.equal(error.code, "ConnectionFailed");
    assert.ok(error.message.includes(server.url) && !error.message.includes("\n"), error.message);
    return true;
  });
});

test("a request that is not answered in time says so", async () => {
  await using server = await startTestServer({ intercept: () => true });

  await assert.rejects(impatient(server.url, { requestTimeoutMs: 30 }).client.groups.list(), {
    code: "RequestTimeout",
  });
});

test("the caller's abort ends a call with the caller's reason", async () => {
  const controller = new AbortController();
  await using server = await startTestServer({
    intercept: () => {
      controller.abort(new Error("enough"));
      return true;
    },
  });

  await assert.rejects(impatient(server.url, { signal: controller.signal }).client.groups.list(), {
    message: "enough",
  });
});

test("the caller's abort ends waiting for an operation", async () => {
  const controller = new AbortController();
  await using server = await startTestServer({ polls: Number.POSITIVE_INFINITY });
  const client = createClient({ endpoint: server.url, signal: controller.signal });

  const put = client.resources.put(
    `${widgets}/w1`,
    {},
    { ...version, onProgress: () => controller.abort(new Error("enough")) },
  );

  await assert.rejects(put, { message: "enough" });
});

test("an error page is told from a control plane's error", async () => {
  await using server = await startTestServer({
    intercept: (_, response) => {
      response.writeHead(404, { "content-type": "text/html" }).end("<h1>nginx</h1>");
      return true;
    },
  });

  await assert.rejects(impatient(server.url).client.groups.list(), { code: "UnexpectedResponse", status: 404 });
});

test("requests carry token, trace and agent", async () => {
  await using server = await startTestServer({ token: "secret-1" });
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const { client } = impatient(server.url, { token: "secret-1", traceparent, userAgent: "rad/1.0" });

  await client.groups.list();

  assert.equal(server.requests[0]?.headers["traceparent"], traceparent);
  assert.equal(server.requests[0]?.headers["user-agent"], "rad/1.0");
  await assert.rejects(impatient(server.url).client.groups.list(), { code: "InvalidAuthenticationInfo", status: 401 });
});

test("a long answer arrives in pieces, an error as an error", async () => {
  await using server = await startTestServer({
    intercept: (request, response) => {
      if (request.path !== "/audit?after=3") {
        return false;
      }
      response.writeHead(200).end('{"n":4}\n{"n":5}\n');
      return true;
    },
  });
  const { client } = impatient(server.url);

  const pieces = await Array.fromAsync(client.stream("/audit", { after: "3" }));

  assert.equal(pieces.join(""), '{"n":4}\n{"n":5}\n');
  await assert.rejects(Array.fromAsync(client.stream("/a/b/c")), { code: "NotFound" });
});

test("names with characters of URLs stay names", async () => {
  await using server = await startTestServer();
  const { client } = impatient(server.url);

  await client.groups.put("a?b#c");

  assert.ok(server.documents.has("/planes/radius/local/resourcegroups/a?b#c"));
  await assert.rejects(client.groups.get(".."), { code: "InvalidPath" });
});

for (const endpoint of ["", "nonsense", "ftp://host", "http://user:pw@host", "http://host/?a=b"]) {
  test(`"${endpoint}" is not an endpoint`, () => {
    assert.throws(() => createClient({ endpoint }), { code: "InvalidEndpoint" });
  });
}

test("a put tells the warnings of its answer, and an operation its steps", async () => {
  const steps = [{ name: "recipe", state: "Running", detail: "planning", share: 0.25 }];
  const seen: (string | undefined)[] = [];
  await using server = await startTestServer({
    polls: 2,
    intercept: (request, response) => {
      if (request.method === "PUT") {
        response.setHeader("warning", ['299 - "depth is unknown"', '299 - "width is unknown"']);
      }
      const isStatus = request.path.includes("/operationStatuses/");
      return isStatus && seen.length === 0
        ? replyJson(response, 200, { status: "Updating", properties: { steps } })
        : false;
    },
  });
  const { client } = impatient(server.url);
  const warnings: string[] = [];

  await client.resources.put(
    `${widgets}/w1`,
    {},
    {
      ...version,
      onProgress: (status) => seen.push(status.steps[0]?.detail),
      onWarnings: (texts) => warnings.push(...texts),
    },
  );

  assert.deepEqual(warnings, ["depth is unknown", "width is unknown"]);
  assert.deepEqual(seen, ["planning", undefined, undefined]);
});

test("an operation of a resource is found by the namespace of the resource", async () => {
  await using server = await startTestServer({
    intercept: (_, response) => replyJson(response, 200, { id: "x", status: "Updating" }),
  });
  const { client } = impatient(server.url);

  await client.operations.ofResource(`${widgets}/w1`, "42");
  await client.operations.ofResource(group, "43");

  const place = (namespace: string) => `/planes/radius/local/providers/${namespace}/locations/global/operationStatuses`;
  assert.deepEqual(
    server.requests.map(({ path }) => path.replace(/\?.*/, "")),
    [`${place("Contoso.Test")}/42`, `${place("System.Resources")}/43`],
  );
  await assert.rejects(client.operations.ofResource("nonsense", "1"), { code: "InvalidPath" });
});

test("summaries come with the etag of the list, and are not sent again while it holds", async () => {
  const link = (url: string) => `${url}/apis/api.ucp.dev/v1alpha3/planes/radius/local/providers?skipToken=2`;
  const summary = (name: string) => ({ name, locations: {}, resourceTypes: {} });
  let url = "";
  await using server = await startTestServer({
    intercept: ({ path, headers }, response) => {
      if (headers["if-none-match"] === '"one"') {
        response.writeHead(304, { etag: '"one"' }).end();
        return true;
      }
      return path.includes("skipToken")
        ? replyJson(response, 200, { value: [summary("Contoso.B")] }, { etag: '"of the page"' })
        : replyJson(response, 200, { value: [summary("Contoso.A")], nextLink: link(url) }, { etag: '"one"' });
    },
  });
  url = server.url;
  const { client } = impatient(server.url);

  const first = await client.providers.summariesUnless(undefined);
  const changed = await client.providers.summariesUnless('"zero"');

  assert.equal(first?.etag, '"one"');
  assert.deepEqual(first, changed);
  assert.deepEqual(
    first.summaries.map(({ name }) => name),
    ["Contoso.A", "Contoso.B"],
  );
  assert.equal(await client.providers.summariesUnless('"one"'), undefined);
});

test("a 304 that nobody asked for is no answer", async () => {
  await using server = await startTestServer({
    intercept: (_, response) => {
      response.writeHead(304).end();
      return true;
    },
  });

  await assert.rejects(impatient(server.url).client.providers.summaries(), { code: "UnexpectedRedirect" });
});
