import assert from "node:assert/strict";
import { once } from "node:events";
import { it } from "node:test";
import { type LogFields, type Logger, noMetrics, noTracing, Redactor, silentLogger, systemClock } from "@rad/core";
import { until } from "@rad/core/testing";
import type { Route } from "@rad/modules";
import { anonymousCaller } from "@rad/resources";
import { RefusalLog } from "../audit/refusal-log.ts";
import { serverRouteTable } from "../merge-modules.ts";
import { createServerInstruments } from "../telemetry/index.ts";
import { type Backend, createHttpServer, type HttpServerOptions } from "./http-server.ts";

interface Line {
  readonly message: string;
  readonly error: unknown;
}

function recordingLogger(lines: Line[]): Logger {
  const record = (message: string, { error }: LogFields = {}): void => void lines.push({ message, error });
  const log: Logger = { debug: () => {}, info: () => {}, warn: record, error: record, child: () => log };
  return log;
}

/** A listener without a database. */
async function serve(
  route: Route,
  more: Partial<HttpServerOptions> = {},
): Promise<{ url: string; lines: Line[]; redactor: Redactor } & AsyncDisposable> {
  const lines: Line[] = [];
  const redactor = new Redactor();
  const http = createHttpServer({
    backend: () => undefined,
    authenticator: { authenticate: async () => anonymousCaller },
    authorizer: { allows: () => true, mayReadBelow: () => true },
    routes: serverRouteTable([route]),
    limits: { maxBodyBytes: 1_000, maxDepth: 10, maxValues: 100, maxHeaderBytes: 10_000, requestTimeoutSeconds: 60 },
    basePaths: [],
    clock: systemClock,
    log: recordingLogger(lines),
    redactor,
    instruments: createServerInstruments(noMetrics),
    tracing: noTracing,
    ...more,
  });
  const url = await http.listen({ host: "127.0.0.1", port: 0, tls: undefined });
  return { url, lines, redactor, [Symbol.asyncDispose]: async () => await http.close() };
}

it("a stream that fails is logged, and what the request hides is hidden until then", async () => {
  const secret = "canary-of-stream";
  let redacted = "";
  await using server = await serve({
    method: "GET",
    path: "/fails",
    permission: undefined,
    handle: (request) => ({
      status: 200,
      body: (async function* () {
        request.hide([secret]);
        yield "some";
        await systemClock.sleep(1);
        redacted = server.redactor.redact(secret);
        throw new Error("the source is gone");
      })(),
    }),
  });

  await assert.rejects(async () => await (await fetch(`${server.url}/fails`)).text());

  await until("it is logged", () => server.lines.length > 0);
  assert.deepEqual(server.lines, [
    { message: "the answer could not be sent whole", error: new Error("the source is gone") },
  ]);
  assert.doesNotMatch(redacted, /canary/);
  assert.equal(server.redactor.redact(secret), secret);
});

it("a caller who leaves is no failure of ours", async () => {
  let ended = false;
  await using server = await serve({
    method: "GET",
    path: "/waits",
    permission: undefined,
    handle: (request) => ({
      status: 200,
      body: (async function* () {
        try {
          yield "some";
          await once(request.signal(), "abort");
          throw new Error("told to stop");
        } finally {
          ended = true;
        }
      })(),
    }),
  });
  const leave = new AbortController();
  const response = await fetch(`${server.url}/waits`, { signal: leave.signal });
  await response.body?.getReader().read();

  leave.abort();

  await until("the stream has ended", () => ended);
  await systemClock.sleep(10);
  assert.deepEqual(server.lines, []);
});

it("a refusal is answered when the audit log has it, not before", async () => {
  const events: string[] = [];
  const append = async (): Promise<void> => {
    await systemClock.sleep(100);
    events.push("recorded");
  };
  const audit = {
    append,
    abandon: () => {},
    closeAbandoned: async () => 0,
    list: async () => [],
    prune: async () => 0,
  };
  const refusals = new RefusalLog({ audit, log: silentLogger, onLost: () => {} });
  await using server = await serve(
    { method: "POST", path: "/closed", permission: "Test.Any/things/write", handle: () => ({ status: 204 }) },
    {
      backend: () => ({ refusals }) as Backend,
      authorizer: { allows: () => false, mayReadBelow: () => false },
    },
  );

  const { status } = await fetch(`${server.url}/closed`, { method: "POST" });
  events.push(`answered ${status}`);

  assert.deepEqual(events, ["recorded", "answered 403"]);
});
