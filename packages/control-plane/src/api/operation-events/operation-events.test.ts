import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { it } from "node:test";
import { type JsonObject, silentLogger } from "@rad/core";
import { until } from "@rad/core/testing";
import { operationType } from "@rad/deployments";
import { OperationWaiter } from "@rad/operations";
import { type Lease, type Operation, type Store, StoreError, type StoreEvent } from "@rad/store";
import { openTemporaryStore } from "@rad/store/testing";
import type { ApiRequest } from "../api-request.ts";
import { OperationEvents, type OperationEventsOptions } from "./operation-events.ts";
import { OperationHub } from "./operation-hub.ts";

const deploymentId = "/planes/radius/local/resourceGroups/g/providers/Microsoft.Resources/deployments/d";
const never = new AbortController().signal;

/** A deployment that is being worked on, and events of it. */
class Kit implements AsyncDisposable {
  readonly store: Store;
  readonly operation: Operation;
  readonly lease: Lease;
  readonly events: OperationEvents;
  readonly reads = { records: 0, lists: 0, operations: 0 };
  fails = false;
  #announce: ((event: StoreEvent) => void) | undefined;
  #times = 0;
  readonly #cleanup = new AsyncDisposableStack();

  private constructor(store: Store, operation: Operation, lease: Lease, options: Partial<OperationEventsOptions>) {
    this.operation = operation;
    this.lease = lease;
    this.store = this.#cleanup.use(store);
    const counted = this.#counted(store);
    const waiter = this.#cleanup.use(new OperationWaiter({ store: counted, pollMs: 1_000_000_000 }));
    this.events = this.#cleanup.use(
      new OperationEvents({ store: counted, waiter, log: silentLogger, maxStreams: 2_000, closing: never, ...options }),
    );
  }

  static async open(options: Partial<OperationEventsOptions> = {}): Promise<Kit> {
    const store = await openTemporaryStore();
    const id = randomUUID();
    const work = { kind: "put", apiVersion: "2020-10-01", queue: "q", caller: "c", correlationId: "c" };
    await store.write({ operation: { id, resourceId: deploymentId, timeoutMs: 3_600_000, ...work } });
    const taken = await store.operations.take({ owner: "o", leaseMs: 600_000, queues: [{ name: "q" }] });
    assert.ok(taken !== undefined);
    return new Kit(store, taken.operation, taken.lease, options);
  }

  /** Writes a record as deployments do. */
  async record(name: string, state: string): Promise<void> {
    const id = `${deploymentId}/operations/${name}`;
    this.#times += 1;
    const timestamp = `2026-01-01T00:00:00.${String(this.#times).padStart(7, "0")}Z`;
    const body = { id, operationId: name, properties: { provisioningState: state, timestamp } };
    const input = { id, type: operationType, apiVersion: "x", body, secrets: {}, operationId: this.operation.id };
    await this.store.write({ lease: this.lease, also: [{ kind: "put", input, expect: "any" }] });
  }

  async end(): Promise<void> {
    await this.store.write({ lease: this.lease, outcome: { state: "Succeeded" } });
  }

  /** As after a gap in what PostgreSQL tells. */
  announce(event: StoreEvent): void {
    this.#announce?.(event);
  }

  follow(request: Partial<ApiRequest> = {}) {
    const asked = { lastEventId: undefined, disconnected: () => never, hangUp: () => {}, ...request } as ApiRequest;
    const answer = this.events.follow(asked, this.operation, "/status", () => true);
    return { answer, reader: new Reader((answer.body ?? nothing()) as AsyncIterable<Uint8Array | string>) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup.disposeAsync();
  }

  #counted(store: Store): Store {
    const count = (kind: keyof Kit["reads"]): void => {
      this.reads[kind] += 1;
      if (this.fails) {
        throw new StoreError("Unavailable", "The database is away.");
      }
    };
    const { operations } = store;
    const counted: Partial<Store> = {
      operations: {
        get: async (id: string) => {
          count("operations");
          return await operations.get(id);
        },
      } as Store["operations"],
      get: async (id) => {
        count("records");
        return await store.get(id);
      },
      list: async (query) => {
        count("lists");
        return await store.list(query);
      },
      subscribe: (listener) => {
        this.#announce = listener;
        return store.subscribe(listener);
      },
    };
    return counted as Store;
  }
}

async function* nothing(): AsyncGenerator<string> {}

/** Reads a stream to its end. */
class Reader {
  text = "";
  readonly #chunks: AsyncIterable<Uint8Array | string>;

  constructor(chunks: AsyncIterable<Uint8Array | string>) {
    this.#chunks = chunks;
  }

  async readOn(): Promise<void> {
    for await (const chunk of this.#chunks) {
      this.text += Buffer.from(chunk as Uint8Array).toString();
    }
  }

  get data(): JsonObject[] {
    return [...this.text.matchAll(/^data: (.*)$/gm)].map(([, json = ""]) => JSON.parse(json) as JsonObject);
  }

  /** `a Running`, in the order in which they came. */
  get records(): string[] {
    return this.data
      .filter(({ operationId }) => operationId !== undefined)
      .map(
        ({ operationId, properties }) =>
          `${String(operationId)} ${String((properties as JsonObject)["provisioningState"])}`,
      );
  }
}

it("reads each change once, however many follow", async () => {
  await using kit = await Kit.open();
  await kit.record("a", "Succeeded");
  const readers = Array.from({ length: 1_000 }, () => kit.follow().reader);
  const reading = readers.map((reader) => reader.readOn());
  const all = (what: string) => until(what, () => readers.every(({ text }) => text.includes(what)));
  await all('"a"');
  assert.deepEqual(kit.reads, { records: 0, lists: 1, operations: 1 });

  for (const name of ["b", "c", "d"]) {
    await kit.record(name, "Running");
    await all(`"${name}"`);
  }
  assert.deepEqual(kit.reads, { records: 3, lists: 1, operations: 1 });
  await kit.store.operations.progress(kit.lease, [{ name: "s", state: "Running", startTime: "t" }]);
  await all('"steps"');
  assert.deepEqual(kit.reads, { records: 3, lists: 1, operations: 2 });
  await kit.end();
  await Promise.all(reading);

  assert.deepEqual(kit.reads, { records: 3, lists: 2, operations: 3 });
  for (const reader of readers) {
    assert.deepEqual(reader.records, ["a Succeeded", "b Running", "c Running", "d Running"]);
    assert.equal(reader.data.at(-1)?.["status"], "Succeeded");
  }
});

it("waits for the announced version of a record, so that ids stay in the order of the commits", async () => {
  await using kit = await Kit.open();
  const { reader } = kit.follow();
  const reading = reader.readOn();
  await until("the status is there", () => reader.data.length === 1);
  await kit.record("a", "Running");
  await until("it is there", () => reader.records.length === 1);

  kit.announce({
    kind: "progress",
    operationId: kit.operation.id,
    document: { id: `${deploymentId}/operations/a`, etag: "of a version that is gone" },
  });
  await kit.record("b", "Running");
  await until("it is there", () => reader.records.length === 2);
  await kit.end();
  await reading;

  assert.deepEqual(reader.records, ["a Running", "b Running"]);
});

it("keeps no more than a few spellings of the status, however many callers think of", async () => {
  await using kit = await Kit.open();
  const { store, operation } = kit;
  using waiter = new OperationWaiter({ store });
  using hub = new OperationHub({ store, waiter, operation, onChange: () => {}, onFailure: () => {} });
  await until("the status is known", () => hub.statusVersion > 0);
  const first = hub.statusChunk("/first");
  assert.equal(hub.statusChunk("/first"), first);

  for (let index = 0; index < 100; index += 1) {
    hub.statusChunk(`/other-${index}`);
  }

  assert.notEqual(hub.statusChunk("/first"), first);
  assert.deepEqual(hub.statusChunk("/first"), first);
});

it("goes on after the last id, with nothing twice", async () => {
  await using kit = await Kit.open();
  for (const name of ["a", "b", "c"]) {
    await kit.record(name, "Running");
  }
  await kit.record("a", "Succeeded");
  const { reader: first } = kit.follow();
  void first.readOn();
  await until("all are there", () => first.records.length === 3);
  const ids = [...first.text.matchAll(/^id: (.*)$/gm)].map(([, id = ""]) => id);

  const resumed = ids.map((lastEventId) => kit.follow({ lastEventId }).reader);
  const reading = resumed.map((reader) => reader.readOn());
  await until("all are there", () => resumed.every(({ data }) => data.length > 0));
  await kit.record("b", "Succeeded");
  await kit.end();
  await Promise.all(reading);

  assert.deepEqual(first.records, ["b Running", "c Running", "a Succeeded", "b Succeeded"]);
  assert.deepEqual(
    resumed.map(({ records }) => records),
    [
      ["b Running", "c Running", "a Succeeded", "b Succeeded"],
      ["c Running", "a Succeeded", "b Succeeded"],
      ["a Succeeded", "b Succeeded"],
      ["b Succeeded"],
    ],
  );
});

it("gives a reader who was slow the last state of everything, and only that", async () => {
  await using kit = await Kit.open();
  const { reader: quick } = kit.follow();
  const { reader: slow } = kit.follow();
  const reading = quick.readOn();
  for (let round = 0; round < 50; round += 1) {
    for (const name of ["a", "b"]) {
      await kit.record(name, `Round${round}`);
      await until("it is there", () => quick.records.includes(`${name} Round${round}`));
    }
  }
  await kit.end();
  await reading;
  await slow.readOn();

  assert.equal(quick.records.length, 100);
  assert.deepEqual(slow.records, ["a Round49", "b Round49"]);
  assert.deepEqual(
    slow.data.map(({ status }) => status).filter((status) => status !== undefined),
    ["Succeeded"],
  );
});

it("lists the records again when it cannot know which of them changed", async () => {
  await using kit = await Kit.open();
  const { reader } = kit.follow();
  const reading = reader.readOn();
  await kit.record("a", "Running");
  await until("it is there", () => reader.records.includes("a Running"));
  const { records, lists } = kit.reads;

  for (const event of [
    { kind: "document", type: "*" },
    { kind: "progress", operationId: kit.operation.id, document: "*" },
  ] as const) {
    const before = kit.reads.lists;
    kit.announce(event);
    await until("they are listed", () => kit.reads.lists > before);
  }
  await kit.end();
  await reading;

  assert.deepEqual(kit.reads, { ...kit.reads, records, lists: lists + 3 });
  assert.deepEqual(reader.records, ["a Running"]);
});

it("says something now and then, and ends a stream that has gone on for long", async () => {
  await using kit = await Kit.open({ keepAliveMs: 20, longestStreamMs: 200 });
  const hangUps: string[] = [];
  const { reader } = kit.follow({ hangUp: () => hangUps.push("reader") });
  kit.follow({ hangUp: () => hangUps.push("does not read") });

  await reader.readOn();
  await until("the other is cut", () => hangUps.length > 0);

  assert.match(reader.text, /^:$/m);
  assert.doesNotMatch(reader.text, /"Succeeded"/);
  assert.deepEqual(hangUps, ["does not read"]);
});

it("forgets who is gone, read or not, and then the operation", async () => {
  await using kit = await Kit.open();
  const gone = Array.from({ length: 3 }, () => new AbortController());
  gone.forEach((controller) => kit.follow({ disconnected: () => controller.signal }));
  const { reader } = kit.follow({ disconnected: () => AbortSignal.abort() });
  await reader.readOn();
  await kit.record("a", "Running");
  await until("it was read", () => kit.reads.records === 1);

  gone.forEach((controller) => controller.abort());
  await kit.record("b", "Running");
  await kit.record("c", "Running");

  assert.equal(kit.reads.records, 1);
});

it("refuses more streams than it has room for until somebody leaves", async () => {
  await using kit = await Kit.open({ maxStreams: 2 });
  const gone = new AbortController();
  kit.follow({ disconnected: () => gone.signal });
  kit.follow();

  const { answer } = kit.follow();
  assert.equal(answer.status, 503);
  assert.equal(answer.headers?.["Retry-After"], "5");
  assert.match(answer.json ?? "", /"ServiceUnavailable"/);
  gone.abort();
  assert.equal(kit.follow().answer.status, 200);
});

it("ends the streams when the store cannot be read, and starts over for who comes back", async () => {
  await using kit = await Kit.open();
  const { reader } = kit.follow();
  const reading = reader.readOn();
  await until("the status is there", () => reader.data.length === 1);
  kit.fails = true;
  await kit.record("a", "Running");
  await reading;
  kit.fails = false;

  const { reader: again } = kit.follow();
  await kit.end();
  await again.readOn();

  assert.deepEqual(again.records, ["a Running"]);
});
