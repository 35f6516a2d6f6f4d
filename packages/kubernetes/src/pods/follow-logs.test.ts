import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError, type JsonObject } from "@rad/core";
import { FakeClock, until } from "@rad/core/testing";
import { MemoryApiClient } from "../testing/memory-api-client.ts";
import { followLogs, type LogEntry } from "./follow-logs.ts";

const pods = "/api/v1/namespaces/shop/pods";
const running = { state: { running: {} } };
const ended = { state: { terminated: { exitCode: 0 } } };

it("reads init and ephemeral containers too, and those only that have started", async () => {
  const client = new MemoryApiClient();
  client.log = (container) => printing(`2026-11-16T18:00:00Z ${container}`);
  client.put(pods, {
    metadata: { name: "web-1", uid: "1" },
    status: {
      initContainerStatuses: [{ name: "init", ...ended }],
      containerStatuses: [
        { name: "web", ...running },
        { name: "slow", state: { waiting: { reason: "ContainerCreating" } } },
      ],
      ephemeralContainerStatuses: [{ name: "debugger", ...running }],
    },
  });
  const { signal } = new AbortController();

  const entries = await Array.fromAsync(
    followLogs(client, { namespace: "shop", selector: "a=b", sinceSeconds: 60, follow: false, signal }),
  );

  assert.deepEqual(entries.map(textOf).toSorted(), ["web debugger debugger", "web init init", "web web web"]);
  assert.deepEqual(
    client.calls.filter((call) => call.startsWith("log")),
    ["log init since 60", "log web since 60", "log debugger since 60"],
  );
});

it("goes on where a connection was cut, without repeating or leaving out a line", async () => {
  const connections = [
    cutAfter("2026-11-16T18:00:00.1Z one\n2026-11-16T18:00:00.2Z two\n2026-11-16T18:00:00.3Z thr"),
    printing("2026-11-16T18:00:00.1Z one\n2026-11-16T18:00:00.2Z two\n2026-11-16T18:00:00.3Z three"),
  ];
  await using log = follow((client) => {
    client.log = () => connections.shift() ?? printing("");
    client.put(pods, podWith({ name: "web", ...running }));
  });

  await log.until(() => log.lines().length === 3);

  assert.deepEqual(log.lines(), ["web web one", "web web two", "web web three"]);
  assert.ok(log.client.calls.includes("log web since 2026-11-16T18:00:00.200000000Z"), log.client.calls.join("\n"));
});

it("reads the log of a container again when it was restarted, and not before", async () => {
  await using log = follow((client) => {
    client.log = () => printing("2026-11-16T18:00:01Z first");
    client.put(pods, podWith({ name: "web", restartCount: 0, ...ended }));
  });
  await log.until(() => log.lines().length === 1);
  for (let step = 0; step < 20; step += 1) {
    log.clock.advance(10_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const reads = log.client.calls.filter((call) => call.startsWith("log")).length;

  log.client.log = () => printing("2026-11-16T18:00:01Z first\n2026-11-16T18:00:02Z second");
  log.client.put(pods, podWith({ name: "web", restartCount: 1, ...running }));
  await log.until(() => log.lines().length === 2);

  assert.equal(reads, 1);
  assert.deepEqual(log.lines(), ["web web first", "web web second"]);
});

it("tells a failure once, and reads the log when it is over", async () => {
  const refusal = new ApiError("ServiceUnavailable", "the node does not answer", { transient: true });
  await using log = follow((client) => {
    client.log = () => printing("2026-11-16T18:00:01Z hello");
    client.put(pods, podWith({ name: "web", ...running }));
  });
  await log.until(() => log.lines().length === 1);
  log.client.log = () => {
    throw refusal;
  };
  await log.until(() => log.client.calls.filter((call) => call.startsWith("log")).length > 4);

  log.client.log = () => printing("2026-11-16T18:00:02Z again");
  await log.until(() => log.lines().includes("web web again"));

  assert.deepEqual(log.lines(), ["web web hello", "web web the node does not answer", "web web again"]);
});

it("ends the log of a pod that is gone, and everything with its signal", async () => {
  await using log = follow((client) => {
    client.log = (_container, signal) => endless("2026-11-16T18:00:00Z hello\n", signal);
    client.put(pods, podWith({ name: "web", ...running }));
  });
  await log.until(() => log.lines().length === 1);

  log.client.remove(pods, "web-1");
  await log.until(() => open.size === 0);
  log.client.put(pods, podWith({ name: "web", ...running }));
  await log.until(() => log.lines().length === 2);
  await log[Symbol.asyncDispose]();

  assert.equal(open.size, 0);
  assert.equal(log.client.openWatches, 0);
  assert.equal(log.clock.sleeping, 0);
});

const open = new Set<object>();

async function* endless(text: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const connection = {};
  open.add(connection);
  try {
    yield Buffer.from(text);
    await new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
  } finally {
    open.delete(connection);
  }
}

async function* printing(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function* cutAfter(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
  throw new ApiError("ServiceUnavailable", "the connection was cut off", { transient: true });
}

function podWith(container: JsonObject): JsonObject {
  return { metadata: { name: "web-1", uid: "1" }, status: { containerStatuses: [container] } };
}

function follow(prepare: (client: MemoryApiClient) => void) {
  const client = new MemoryApiClient();
  const clock = new FakeClock();
  const stop = new AbortController();
  const entries: LogEntry[] = [];
  prepare(client);
  const options = { namespace: "shop", selector: "a=b", follow: true, signal: stop.signal, clock };
  const reading = (async () => {
    for await (const entry of followLogs(client, options)) {
      entries.push(entry);
    }
  })();
  return {
    client,
    clock,
    /** Cut connections are told as notes, which these tests are not about. */
    lines: () => entries.map(textOf).filter((text) => !text.endsWith("cut off")),
    async until(isDone: () => boolean): Promise<void> {
      await until(
        () => `the log is complete: ${entries.map(textOf).join(", ")}`,
        () => {
          if (!isDone()) {
            clock.advance(500);
          }
          return isDone();
        },
      );
    },
    async [Symbol.asyncDispose](): Promise<void> {
      stop.abort();
      await reading;
    },
  };
}

function textOf(entry: LogEntry): string {
  return `${entry.resource} ${entry.container} ${entry.kind === "line" ? entry.line : entry.note}`;
}
