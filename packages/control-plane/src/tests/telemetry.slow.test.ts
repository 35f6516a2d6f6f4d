// Metrics, traces and logs of a whole server, and what must never be in them.
import { freePort } from "@rad/store/testing";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { promisify } from "node:util";
import type { JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import { createAuthority, issueCertificate } from "../loopback-tls/certificates.ts";
import { type SentSpan, spansIn, startCollector } from "../telemetry/testing/otlp-collector.ts";
import { local, type Reply, startTestServer, systemVersion } from "../testing/test-server.ts";
import { startChildServer } from "./support/child-server.ts";
import { assign, configuredTokens, createIdentity } from "../testing/identities.ts";

const group = `${local}/resourcegroups/telemetry`;
const v = "api-version=2025-01-01";
const traceId = "0af7651916cd43dd8448eb211c80319c";
const callerSpan = "b7ad6b7169203331";
const sensitive = {
  type: "object",
  properties: { password: { type: "string", "x-radius-sensitive": true }, size: { type: "integer" } },
};

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "radius-telemetry-"));
});
afterEach(() => rm(directory, { recursive: true }));

it("metrics count requests and operations, for those who may read them", async () => {
  const [scraper, stranger] = [createIdentity("scraper"), createIdentity("stranger")];
  const gate = Promise.withResolvers<void>();
  await using server = await startTestServer({
    overrides: {
      metricsProvider: { enabled: true },
      authentication: configuredTokens(scraper, stranger),
      authorization: {
        roles: [{ name: "scraper", permissions: ["System.Resources/metrics/read"] }],
        assignments: [assign("scraper", scraper, "/")],
      },
    },
    handlers: { "Test.Metrics/waits": { put: () => gate.promise } },
  });
  await server.register("Test.Metrics", { items: {}, waits: {} });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  const path = `${group}/providers/Test.Metrics/items/one?${v}`;
  await server.settle(await server.call("PUT", path, { body: { properties: {} } }));
  await server.call("PUT", path, { body: "{" });
  const waiting = await server.call("PUT", path.replace("/items/", "/waits/"), { body: { properties: {} } });

  const scraped = await until("the operation runs", async () => {
    const reply = await server.call("GET", "/metrics", { token: scraper.token });
    return reply.text.includes('state="running"} 1') ? reply : undefined;
  });
  gate.resolve();
  await server.settle(waiting);

  assert.equal(scraped.status, 200);
  assert.match(scraped.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
  for (const line of [
    /^http_server_request_duration_seconds_count\{[^}]*method="PUT"[^}]*route="resource"[^}]*status_code="201"\} \d+$/m,
    /^http_server_request_duration_seconds_count\{[^}]*method="PUT"[^}]*route="resource"[^}]*status_code="400"\} 1$/m,
    /^radius_operations_duration_seconds_count\{type="Test\.Metrics\/items",kind="put",outcome="Succeeded"\} 1$/m,
    /^radius_operations_depth\{queue="[^"]+",state="running"\} 1$/m,
  ]) {
    assert.match(scraped.text, line);
  }
  assert.doesNotMatch(scraped.text, /items\/one/, "resources have no place in metrics: there is no end of them");
  assert.equal((await server.call("GET", "/metrics", { token: stranger.token })).status, 403);
  assert.equal((await server.call("GET", "/metrics", { token: null })).status, 401);
});

it("the time that callers asked to be kept waiting does not count as slow", async () => {
  const gate = Promise.withResolvers<void>();
  await using server = await startTestServer({
    overrides: { metricsProvider: { enabled: true } },
    handlers: { "Test.Metrics/waits": { put: () => gate.promise } },
  });
  await server.register("Test.Metrics", { waits: {} });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  const path = `${group}/providers/Test.Metrics/waits/one?${v}`;
  await server.call("PUT", path, { body: { properties: {} } });

  await server.call("GET", path, { headers: { prefer: "wait=2" } });
  const { text } = await server.call("GET", "/metrics");
  gate.resolve();

  const line = /^http_server_request_duration_seconds_sum\{[^}]*method="GET"[^}]*route="resource"[^}]*\} ([\d.e+-]+)$/m;
  const sum = Number(line.exec(text)?.[1]);
  assert.ok(sum < 1.5, `${sum} s`);
});

it("every route has a name, and queues and deployments count also while nothing is in them", async () => {
  await using server = await startTestServer({ overrides: { metricsProvider: { enabled: true } } });
  for (const path of ["/apis/api.ucp.dev/v1alpha3", "/", "/nothing/here", "/%zz", "/healthz", "/planes"]) {
    await server.call("GET", path);
    await server.call("DELETE", path);
  }

  const { text } = await server.call("GET", "/metrics");

  assert.doesNotMatch(text, /http_route=""/);
  assert.match(text, /http_route="\/"/);
  for (const state of ["waiting", "running"]) {
    assert.match(text, new RegExp(`^radius_deployments\\{state="${state}"\\} 0$`, "m"));
    for (const queue of ["default", "deployments"]) {
      assert.match(text, new RegExp(`^radius_operations_depth\\{queue="${queue}",state="${state}"\\} 0$`, "m"));
    }
  }
});

it("metrics can have a port of their own, which serves nothing else, to those who may read them", async () => {
  const port = await freePort();
  const [scraper, stranger] = [createIdentity("scraper"), createIdentity("stranger")];
  await using server = await startTestServer({
    overrides: {
      metricsProvider: { enabled: true, prometheus: { port } },
      authentication: configuredTokens(scraper, stranger),
      authorization: { assignments: [assign("radius-reader", scraper, "/")] },
    },
  });
  await server.call("GET", `/planes?${systemVersion}`);
  const get = (path: string, { token }: { token: string }): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });

  const scraped = await get("/metrics", scraper);

  assert.equal(scraped.status, 200);
  assert.match(await scraped.text(), /^http_server_request_duration_seconds_count\{/m);
  for (const path of ["/", "/planes", "/audit", "/healthz", "/Metrics", "/metrics/"]) {
    assert.equal((await get(path, server)).status, 404, path);
  }
  assert.equal((await get("/metrics", stranger)).status, 403);
  assert.equal((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 401);
});

it("the port of the metrics speaks the API's TLS", async () => {
  const port = await freePort();
  const { cert, key } = issueCertificate(createAuthority(new Date(), 2), {
    now: new Date(),
    validDays: 1,
    addresses: [],
  });
  await writeFile(join(directory, "tls.crt"), cert);
  await writeFile(join(directory, "tls.key"), key, { mode: 0o600 });
  await using server = await startTestServer({
    overrides: {
      server: { tlsCertificateDirectory: directory },
      metricsProvider: { enabled: true, prometheus: { port } },
    },
  });

  await assert.rejects(fetch(`http://127.0.0.1:${port}/metrics`), "plain HTTP gets no answer");
  await assert.rejects(fetch(`https://127.0.0.1:${port}/metrics`), (error: Error) => {
    assert.match(String(error.cause), /certificate/);
    return true;
  });
  assert.ok(server.url.startsWith("https:"));
});

it("a key opens the port of the metrics to anybody, and the log says so", async () => {
  const port = await freePort();
  await using server = await startChildServer({
    overrides: {
      server: { port: 0 },
      databaseProvider: { sqlite: { directory } },
      metricsProvider: { prometheus: { port, anonymous: true } },
    },
  });

  const scraped = await fetch(`http://127.0.0.1:${port}/metrics`);

  assert.equal(scraped.status, 200);
  assert.equal((await fetch(`http://127.0.0.1:${port}/planes`)).status, 404);
  assert.match(server.log, /"level":"warn".*metrics are open/);
});

it("a request and the operation it started are one trace, which is the caller's", async () => {
  await using collector = await startCollector();
  let id = "";
  {
    await using server = await startTestServer({
      overrides: { tracerProvider: { otlp: { endpoint: collector.url } } },
      handlers: { "Test.Traced/items": { put: async () => {} } },
    });
    await server.register("Test.Traced", { items: {} });
    await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
    const headers = { traceparent: `00-${traceId}-${callerSpan}-01` };
    const path = `${group}/providers/Test.Traced/items/one?${v}`;
    const accepted = await server.call("PUT", path, { body: { properties: {} }, headers });
    await server.settle(accepted);
    id = /operationStatuses\/([^?]+)/.exec(accepted.headers.get("azure-asyncoperation") ?? "")?.[1] ?? "";
  }

  const spans = spansIn(collector).filter((span) => span.traceId === traceId);
  const [request, operation] = ["HTTP PUT", "operation put"].map((name) => spans.find((span) => span.name === name));

  assert.deepEqual([request?.kind, operation?.kind], [2, 5]);
  assert.match(
    collector.received.map(({ body }) => body.toString()).join(),
    /"service.version","value":\{"stringValue":"\d/,
  );
  assert.equal(request?.parentSpanId, callerSpan);
  assert.equal(operation?.parentSpanId, request?.spanId);
  assert.deepEqual(attribute(operation, "radius.operation"), { stringValue: id });
  assert.ok(spansIn(collector).length > spans.length, "requests without a trace begin one of their own");
});

it("a collector that is gone does not get in the way of requests or of stopping", async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  await using server = await startTestServer({
    overrides: { tracerProvider: { otlp: { endpoint } }, metricsProvider: { enabled: true } },
  });

  assert.equal((await server.call("GET", `/planes?${systemVersion}`)).status, 200);
});

it("secrets and tokens are in no answer, log line, trace, metric, audit record or database file", async () => {
  await using collector = await startCollector();
  const server = await startChildServer({
    overrides: {
      server: { port: 0 },
      databaseProvider: { sqlite: { directory } },
      logging: { level: "debug" },
      tracerProvider: { otlp: { endpoint: collector.url } },
    },
  });
  const answers: string[] = [];
  const leak = `${group}/providers/Test.Child/leaks/one`;
  async function send(method: string, path: string, options: Parameters<typeof server.call>[2] = {}): Promise<Reply> {
    const reply = await server.call(method, `${path}?${v}`, options);
    answers.push(reply.text, JSON.stringify([...reply.headers]));
    return reply;
  }
  try {
    await server.register("Test.Child", { leaks: sensitive });
    await server.register("Radius.Core", { leaks: sensitive });
    await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });

    const accepted = await send("PUT", leak, { body: { properties: { password: "canary-1" } } });
    const status = await server.settle(accepted);
    const bug = await send("POST", `${leak}/fail`, { body: { note: "canary-2" } });
    const atOnce = leak.replace("Test.Child", "Radius.Core");
    const refusals = [
      await send("PUT", atOnce, { body: { location: "global", properties: { password: "canary-9" } } }),
      await send("PUT", atOnce, { body: { location: "global", properties: { password: "canary-0", refused: true } } }),
    ];
    await send("PUT", leak, { body: { properties: { password: "canary-3", size: "big" } } });
    await send("PUT", leak, { body: { properties: { password: { wrong: "canary-4" } } } });
    await send("PUT", leak, { body: '{"properties":{"password":"canary-5"' });
    await send("PUT", leak, { body: "password=canary-6", headers: { "content-type": "text/plain" } });
    await send("GET", leak, { token: "canary-7" });
    await send("GET", leak, { token: null, headers: { authorization: "Basic canary-8" } });
    await send("GET", leak);
    await send("GET", "/audit");
    await send("GET", "/metrics");
    answers.push(JSON.stringify(status));

    assert.deepEqual([accepted.status, status["status"], bug.code], [201, "Failed", "Internal"]);
    for (const refusal of refusals) {
      assert.equal(refusal.code, "BadRequest");
      assert.match(refusal.text, /\[redacted\]/);
    }
    assert.match((status["error"] as JsonObject)["message"] as string, /cannot log in with .*\[redacted\]/);
  } finally {
    await server.end("SIGTERM");
  }

  const sent = collector.received.map(({ body }) => body.toString("latin1")).join("\n");
  const places = { "an answer": answers.join("\n"), "the log": server.log, "a trace or metric": sent };
  for (const [place, text] of Object.entries({ ...places, "a file": await filesOf(directory) })) {
    for (const canary of ["canary-", "Y2FuYXJ5LT", server.token]) {
      const at = text.indexOf(canary); // the second is the first in base64
      assert.equal(at === -1 ? "" : text.slice(Math.max(0, at - 200), at + 40), "", `in ${place}`);
    }
  }
  assert.match(server.log, /the secret is .*\[redacted\]/, "the handler's line is there, without the secret");
  assert.match(server.log, /a bug that shows .*\[redacted\]/);
  assert.ok(spansIn(collector).some((span) => span.name === "operation put"));
});

for (const [what, isTerminal, json, expected] of [
  ["lines for people on a terminal", true, undefined, /^\S+Z INFO {2}ready url=http:\S+ /m],
  ["JSON elsewhere", false, undefined, /^\{"level":"info",.*"message":"ready"\}$/m],
  ["JSON on a terminal where the configuration says so", true, true, /^\{"level":"info",.*"message":"ready"\}$/m],
] as const) {
  it(`the log has ${what}`, async () => {
    const overrides = { server: { port: 0 }, databaseProvider: { sqlite: { directory } }, logging: { json } };
    const program = `
      import { loadServerConfig, startServer } from ${JSON.stringify(new URL("../index.ts", import.meta.url).href)};
      const config = loadServerConfig({ env: {}, overrides: ${JSON.stringify(overrides)} });
      await using _ = await startServer({ config, modules: [], isTerminal: ${isTerminal} });`;

    const { stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);

    assert.match(stderr, expected);
  });
}

/** All but the files that exist to hold a secret. */
async function filesOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name !== "key" && name !== "token");
  return (await Promise.all(names.map((name) => readFile(join(folder, name), "latin1")))).join("\n");
}

function attribute(span: SentSpan | undefined, key: string): unknown {
  return span?.attributes.find((one) => one.key === key)?.value;
}
