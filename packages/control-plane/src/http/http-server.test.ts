import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { it } from "node:test";
import { type LogFields, type Logger, noMetrics, noTracing, Redactor, silentLogger, systemClock } from "@rad/core";
import { until } from "@rad/core/testing";
import type { Route } from "@rad/modules";
import { anonymousCaller } from "@rad/resources";
import { RefusalLog } from "../audit/refusal-log.ts";
import { createAuthority, issueCertificate } from "../loopback-tls/certificates.ts";
import { serverRouteTable } from "../merge-modules.ts";
import { createServerInstruments } from "../telemetry/index.ts";
import { type Backend, createHttpServer, type HttpServer, type HttpServerOptions } from "./http-server.ts";

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
  const http = create(route, { log: recordingLogger(lines), redactor, ...more });
  const { url } = await http.listen({ host: "127.0.0.1", port: 0, tls: undefined });
  return { url, lines, redactor, [Symbol.asyncDispose]: async () => await http.close() };
}

function create(route: Route, more: Partial<HttpServerOptions> = {}): HttpServer {
  return createHttpServer({
    backend: () => undefined,
    authenticator: { authenticate: async () => anonymousCaller },
    authorizer: { allows: () => true, mayReadBelow: () => true },
    routes: serverRouteTable([route]),
    limits: { maxBodyBytes: 1_000, maxDepth: 10, maxValues: 100, maxHeaderBytes: 10_000, requestTimeoutSeconds: 60 },
    basePaths: [],
    clock: systemClock,
    log: silentLogger,
    redactor: new Redactor(),
    instruments: createServerInstruments(noMetrics),
    tracing: noTracing,
    ...more,
  });
}

/** Sends `text`, then `later` once something was answered, and resolves to all that came until the connection ended. */
async function converse(url: string, text: string, later?: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let received = "";
  socket.on("error", () => {}); // a reset is an end, too
  socket.setEncoding("latin1").on("data", (text) => (received += String(text)));
  if (later !== undefined) {
    socket.once("data", () => socket.write(later));
  }
  socket.write(text);
  await once(socket, "close");
  return received;
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

it("bytes that are no request do not get into an answer that is being sent", async () => {
  await using server = await serve({
    method: "GET",
    path: "/long",
    permission: undefined,
    handle: (request) => ({
      status: 200,
      headers: { "Content-Length": "1000" },
      body: (async function* () {
        yield "some";
        await once(request.signal(), "abort");
      })(),
    }),
  });

  const answer = await converse(server.url, "GET /long HTTP/1.1\r\nHost: a\r\n\r\n", "NO REQUEST\r\n\r\n");

  assert.match(answer, /\r\n\r\nsome$/);
});

it("a request whose own body is broken gets an answer", async () => {
  await using server = await serve({
    method: "POST",
    path: "/json",
    permission: undefined,
    body: "json",
    handle: () => ({ status: 204 }),
  });
  const head = "POST /json HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";

  assert.match(await converse(server.url, `${head}no length\r\n`), /^HTTP\/1\.1 400 /);
});

it("a stream's answer has each header once, however its module spells it", async () => {
  await using server = await serve({
    method: "GET",
    path: "/stream",
    permission: undefined,
    handle: () => ({
      status: 200,
      headers: { "X-Ms-Request-Id": "theirs" },
      body: (async function* () {
        yield "some";
      })(),
    }),
  });

  const { headers } = await fetch(`${server.url}/stream`);

  assert.equal(headers.get("x-ms-request-id"), "theirs");
});

it("connections that never began to speak TLS are cut like the others", { timeout: 20_000 }, async (t) => {
  const http = create({ method: "GET", path: "/", permission: undefined, handle: () => ({ status: 204 }) });
  const now = new Date();
  const identity = issueCertificate(createAuthority(now, 2), { now, validDays: 1, addresses: [] });
  const tls = { ...identity, minVersion: "TLSv1.2" } as const;
  const { url } = await http.listen({ host: "127.0.0.1", port: 0, tls });
  const silent = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
  t.after(() => silent.destroy());
  await once(silent, "connect");

  const closed = http.close();
  await systemClock.sleep(50);
  http.cut();

  await closed;
});
