import assert from "node:assert/strict";
import { it } from "node:test";
import { Redactor, silentLogger } from "@rad/core";
import type { Logger } from "@rad/core";
import { loadServerConfig } from "../config/index.ts";
import { createServerInstruments } from "./server-instruments.ts";
import { startTelemetry } from "./start-telemetry.ts";
import { spansIn, startCollector } from "./testing/otlp-collector.ts";

const canary = "canary-s3cret";
const traceId = "0af7651916cd43dd8448eb211c80319c";

function start(text: string, redactor = new Redactor(), log: Logger = silentLogger) {
  return startTelemetry({ config: loadServerConfig({ env: {}, text }), redactor, log });
}

it("metrics are served in Prometheus's format", async () => {
  await using telemetry = await start("");
  createServerInstruments(telemetry.metrics).recordRequest({
    method: "GET",
    route: "resource",
    status: 200,
    durationMs: 12,
  });
  createServerInstruments(telemetry.metrics).recordRequest({
    method: "GET",
    route: "resource",
    status: 200,
    durationMs: 30,
  });
  createServerInstruments(telemetry.metrics).recordOperation({
    type: "A.B/c",
    kind: "put",
    outcome: "Succeeded",
    durationMs: 1500,
  });
  createServerInstruments(telemetry.metrics).recordLostRefusals(2);
  createServerInstruments(telemetry.metrics).recordDatabaseError("Unavailable");
  createServerInstruments(telemetry.metrics).recordLostLease("default");
  createServerInstruments(telemetry.metrics).observeOperationDepth(async () => [
    { queue: "default", state: "waiting", count: 3 },
  ]);

  const text = await telemetry.prometheus();

  assert.match(
    text,
    /^http_server_request_duration_seconds_count\{http_request_method="GET",http_route="resource",http_response_status_code="200"\} 2$/m,
  );
  assert.match(text, /^http_server_request_duration_seconds_bucket\{.*le="0.025"\} 1$/m);
  assert.match(text, /^radius_audit_lost_refusals_total 2$/m);
  assert.match(text, /^radius_operations_duration_seconds_sum\{type="A.B\/c",kind="put",outcome="Succeeded"\} 1.5$/m);
  assert.match(text, /^radius_operations_depth\{queue="default",state="waiting"\} 3$/m);
  assert.match(text, /^process_memory_usage_bytes \d{7,}$/m);
  assert.match(text, /^v8js_memory_heap_used_bytes\{v8js_heap_space_name="old_space"\} \d+$/m);
  assert.match(text, /^radius_database_errors_total\{error_type="Unavailable"\} 1$/m);
  assert.match(text, /^radius_operations_lost_leases_total\{queue="default"\} 1$/m);
  assert.match(text, /^target_info\{.*service_name="radius",service_version="\d+\.\d+\.\d+"\} 1$/m);
});

it("depths that cannot be read leave the other metrics alone", async () => {
  await using telemetry = await start("");
  createServerInstruments(telemetry.metrics).observeOperationDepth(() => Promise.reject(new Error("database gone")));

  const text = await telemetry.prometheus();

  assert.doesNotMatch(text, /radius_operations_depth\{/);
  assert.match(text, /process_memory_usage/);
});

it("without metrics and without an endpoint everything is empty and still works", async () => {
  await using telemetry = await start("metricsProvider: { enabled: false }");
  createServerInstruments(telemetry.metrics).recordRequest({
    method: "GET",
    route: "resource",
    status: 200,
    durationMs: 1,
  });

  const seen = await telemetry.tracing.withSpan({ name: "x" }, async (span) => {
    span.setAttributes({ a: 1 });
    return telemetry.tracing.currentTraceparent();
  });

  assert.equal(seen, undefined);
  assert.equal(await telemetry.prometheus(), "");
});

it("tracing can be turned off although an endpoint is set", async () => {
  await using collector = await startCollector();
  const telemetry = await start(`{ tracerProvider: { enabled: false, otlp: { endpoint: "${collector.url}" } } }`);

  await telemetry.tracing.withSpan({ name: "x" }, async () => {});
  await telemetry.shutdown();

  assert.deepEqual(spansIn(collector), []);
});

it("spans continue the caller's trace, nest, and reach the collector with metrics", async () => {
  await using collector = await startCollector();
  const telemetry = await start(`{ tracerProvider: { otlp: { endpoint: "${collector.url}/" } } }`);
  const { tracing } = telemetry;
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

  const stored = await tracing.withSpan(
    { name: "request", traceparent, attributes: { method: "PUT" } },
    async (span) => {
      span.setAttributes({ status: 201 });
      await Promise.resolve();
      return tracing.withSpan({ name: "store" }, async () => tracing.currentTraceparent());
    },
  );
  await tracing.withSpan({ name: "operation", traceparent: stored }, async () => {});
  const outside = tracing.currentTraceparent();
  await telemetry.shutdown();

  const [store, request, operation] = ["store", "request", "operation"].map((name) =>
    spansIn(collector).find((span) => span.name === name),
  );
  assert(request !== undefined && store !== undefined);
  assert.deepEqual(
    [request, store, operation].map((span) => span?.traceId),
    [traceId, traceId, traceId],
  );
  assert.equal(request.parentSpanId, "b7ad6b7169203331");
  assert.equal(store.parentSpanId, request.spanId);
  assert.equal(stored, `00-${traceId}-${store.spanId}-01`);
  assert.equal(operation?.parentSpanId, store.spanId);
  assert.equal(outside, undefined);
  assert.deepEqual(
    request.attributes.map((attribute) => attribute.key),
    ["method", "status"],
  );
  assert(collector.received.some((sent) => sent.path === "/v1/metrics"));
});

it("a caller that does not want its trace recorded is obeyed, and the trace is passed on", async () => {
  await using collector = await startCollector();
  const telemetry = await start(`{ tracerProvider: { otlp: { endpoint: "${collector.url}" } } }`);
  const traceparent = `00-${traceId}-b7ad6b7169203331-00`;

  const stored = await telemetry.tracing.withSpan({ name: "quiet", traceparent }, async () =>
    telemetry.tracing.currentTraceparent(),
  );
  await telemetry.shutdown();

  assert.match(stored ?? "", new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  assert.deepEqual(spansIn(collector), []);
});

it("a failure ends the span with its code and is thrown on", async () => {
  await using collector = await startCollector();
  const telemetry = await start(`{ tracerProvider: { otlp: { endpoint: "${collector.url}" } } }`);
  const failure = Object.assign(new Error("no such thing"), { code: "NotFound" });

  await assert.rejects(
    telemetry.tracing.withSpan({ name: "get" }, () => Promise.reject(failure)),
    failure,
  );
  await telemetry.shutdown();

  const [span] = spansIn(collector);
  assert.deepEqual(span?.status, { code: 2, message: "no such thing" });
  assert.deepEqual(span?.attributes, [{ key: "error.type", value: { stringValue: "NotFound" } }]);
});

it("secret values never reach the collector, even when they are forgotten before the export", async () => {
  await using collector = await startCollector();
  const redactor = new Redactor();
  const telemetry = await start(`{ tracerProvider: { otlp: { endpoint: "${collector.url}" } } }`, redactor);
  {
    using _hidden = redactor.add([canary]);
    const attributes = { plain: canary, [`key ${canary}`]: 1, encoded: Buffer.from(canary).toString("base64") };
    const work = telemetry.tracing.withSpan({ name: `span ${canary}`, attributes }, async (span) => {
      span.setAttributes({ later: `x${canary}x` });
      throw Object.assign(new Error(`failed with ${canary}`), { code: canary });
    });
    await assert.rejects(work);
    createServerInstruments(telemetry.metrics).recordOperation({
      type: `A.B/${canary}`,
      kind: "put",
      outcome: "Failed",
      durationMs: 1,
    });
  }

  const scraped = await telemetry.prometheus();
  await telemetry.shutdown();

  const sent = Buffer.concat(collector.received.map(({ body }) => body));
  assert.equal(spansIn(collector).length, 1);
  assert(collector.received.some(({ path }) => path === "/v1/metrics"));
  assert(!sent.includes(canary) && !sent.includes(Buffer.from(canary).toString("base64")));
  assert(!scraped.includes(canary));
});

it("a collector that refuses is logged once, and does not get in the way", async () => {
  await using collector = await startCollector();
  collector.status = 400;
  const lines: string[] = [];
  const log = { ...silentLogger, warn: (message: string) => void lines.push(message) };
  const text = `{ metricsProvider: { enabled: false }, tracerProvider: { otlp: { endpoint: "${collector.url}" } } }`;
  const telemetry = await start(text, new Redactor(), log);

  const result = await telemetry.tracing.withSpan({ name: "x" }, async () => 7);
  await telemetry.shutdown();

  assert.equal(result, 7);
  assert.deepEqual(lines, ["traces cannot be delivered to the collector"]);
});
