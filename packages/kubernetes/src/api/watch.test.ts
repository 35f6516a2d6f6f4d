import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError } from "@rad/core";
import { FakeClock, until } from "@rad/core/testing";
import { MemoryApiClient } from "../testing/memory-api-client.ts";
import { everything, named, ofOwner, Watches } from "./watch.ts";

const path = "/apis/apps/v1/namespaces/shop/replicasets";
const collection = { path };
const away = new ApiError("ServiceUnavailable", "connect ECONNREFUSED", { transient: true });
const tooOld = new ApiError("BadRequest", "too old resource version", { status: 410 });

it("shows what is listed, and what changes then", async () => {
  const { client, watches, signal } = setUp();
  client.put(path, { metadata: { name: "web", ownerReferences: [{ uid: "1" }] } });
  client.put(path, { metadata: { name: "api", ownerReferences: [{ uid: "2" }] } });
  using observer = watches.observe();
  await observer.join(collection, signal);
  await until("the watch is open", () => client.openWatches === 1);
  const listed = [everything, named("web"), ofOwner("2"), ofOwner("3")].map((key) =>
    namesOf(observer.read(collection, key)),
  );

  client.put(path, { metadata: { name: "web", ownerReferences: [{ uid: "3" }] } });
  await observer.changed(signal);
  const adopted = [ofOwner("1"), ofOwner("3")].map((key) => namesOf(observer.read(collection, key)));
  client.remove(path, "web");
  await observer.changed(signal);

  assert.deepEqual(listed, [["web", "api"], ["web"], ["api"], []]);
  assert.deepEqual(adopted, [[], ["web"]]);
  assert.deepEqual(namesOf(observer.read(collection, everything)), ["api"]);
});

it("wakes only those who have read what changed", async () => {
  const { client, watches, signal } = setUp();
  using web = watches.observe();
  using api = watches.observe();
  await Promise.all([web, api].map((observer) => observer.join(collection, signal)));
  await until("the watch is open", () => client.openWatches === 1);
  web.read(collection, named("web"));
  api.read(collection, named("api"));
  let woken = 0;
  const waiting = api.changed(signal).then(() => (woken += 1));

  client.put(path, { metadata: { name: "web" } });
  await web.changed(signal);
  const wokenBefore = woken;
  client.put(path, { metadata: { name: "api" } });
  await waiting;

  assert.equal(wokenBefore, 0);
});

it("shares one watch between all observers, and ends it with the last", async () => {
  const { client, clock, watches, signal } = setUp();
  const observers = Array.from({ length: 200 }, () => watches.observe());
  await Promise.all(observers.map((observer) => observer.join(collection, signal)));
  await until("the watch is open", () => client.openWatches === 1);
  const calls = [...client.calls];
  const last = observers.pop();

  for (const observer of observers) {
    observer[Symbol.dispose]();
  }
  const openBefore = watches.open;
  last?.[Symbol.dispose]();
  await until("nothing is left", () => client.openWatches === 0 && clock.sleeping === 0);

  assert.deepEqual(calls, [`list ${path}`, `watch ${path} from 1`]);
  assert.equal(openBefore, 1);
  assert.equal(watches.open, 0);
});

it("reads a long list in pages", async () => {
  const { client, watches, signal } = setUp();
  client.pageSize = 2;
  for (const name of ["a", "b", "c", "d", "e"]) {
    client.put(path, { metadata: { name } });
  }
  using observer = watches.observe();

  await observer.join(collection, signal);

  assert.deepEqual(namesOf(observer.read(collection, everything)), ["a", "b", "c", "d", "e"]);
  assert.equal(client.calls.filter((call) => call.startsWith("list")).length, 3);
});

it("goes on from the last bookmark when a connection is cut", async () => {
  const { client, clock, watches, signal } = setUp();
  using observer = watches.observe();
  await observer.join(collection, signal);
  await until("the watch is open", () => client.openWatches === 1);
  observer.read(collection, everything);
  client.send(path, { type: "BOOKMARK", object: { metadata: { resourceVersion: "50" } } });

  client.cut(new Error("read ECONNRESET"));
  await until("the watches have ended", () => client.openWatches === 0);
  await passTime(clock, () => client.openWatches === 1);
  client.put(path, { metadata: { name: "late" } });
  await observer.changed(signal);

  assert.equal(client.calls.at(-1), `watch ${path} from 50`);
  assert.deepEqual(namesOf(observer.read(collection, everything)), ["late"]);
});

it("asks again at once when the server ends a watch in its time", async () => {
  const { client, clock, watches, signal } = setUp();
  using observer = watches.observe();
  await observer.join(collection, signal);
  await until("the watch is open", () => client.openWatches === 1);

  clock.advance(60_000);
  client.cut();
  await until("the watch is open", () => client.calls.length === 3 && client.openWatches === 1);

  assert.equal(observer.away, undefined);
});

for (const [name, expire] of [
  ["in an event", (client: MemoryApiClient) => client.send(path, gone)],
  [
    "in an answer",
    (client: MemoryApiClient) => {
      client.refusals.push(tooOld);
      client.cut(new Error("read ECONNRESET"));
    },
  ],
] as const) {
  it(`lists anew after 410 ${name}, and forgets what was deleted meanwhile`, async () => {
    const { client, clock, watches, signal } = setUp();
    client.put(path, { metadata: { name: "old" } });
    using observer = watches.observe();
    await observer.join(collection, signal);
    await until("the watch is open", () => client.openWatches === 1);
    observer.read(collection, everything);

    expire(client);
    await until("the watches have ended", () => client.openWatches === 0);
    client.remove(path, "old");
    client.put(path, { metadata: { name: "new" } });
    await passTime(clock, () => client.openWatches === 1);
    await observer.changed(signal);

    assert.deepEqual(namesOf(observer.read(collection, everything)), ["new"]);
    assert.equal(client.calls.filter((call) => call.startsWith("list")).length, 2);
  });
}

const gone = { type: "ERROR", object: { kind: "Status", code: 410, message: "too old resource version" } };

it("says why the server cannot be reached, and comes back to it", async () => {
  const { client, clock, watches, signal } = setUp();
  using observer = watches.observe();
  await observer.join(collection, signal);
  await until("the watch is open", () => client.openWatches === 1);
  client.refusals.push(away, away, away, away, away);

  client.cut(new Error("read ECONNRESET"));
  await until("the server is away", () => observer.away !== undefined);
  await passTime(clock, () => client.refusals.length === 0);
  const problem = observer.away;
  await passTime(clock, () => client.openWatches === 1);

  assert.equal(problem?.message, "connect ECONNREFUSED");
  await until("the server is back", () => observer.away === undefined);
});

it("gives up a watch that stalls", async () => {
  const { client, clock, watches, signal } = setUp();
  using observer = watches.observe();
  await observer.join(collection, signal);
  await until("the watch is open", () => client.openWatches === 1);

  clock.advance(76_000);
  await until("the server is away", () => observer.away !== undefined);
  await passTime(clock, () => client.calls.length === 3 && client.openWatches === 1);

  assert.equal(client.calls.at(-1), `watch ${path} from 1`);
});

it("does not ask again in a tight loop when watches end at once", async () => {
  const { client, clock, watches, signal } = setUp();
  using observer = watches.observe();
  await observer.join(collection, signal);
  await until("the watch is open", () => client.openWatches === 1);

  client.cut();
  await until("the watch has ended and waits for its next try", () => clock.sleeping === 1 && client.openWatches === 0);

  assert.equal(client.calls.length, 2);
});

it("fails for everybody when the server refuses, and asks anew for the next one", async () => {
  const { client, watches, signal } = setUp();
  client.refusals.push(new ApiError("Forbidden", "replicasets is forbidden"));
  using first = watches.observe();
  using second = watches.observe();

  const joined = await Promise.allSettled([first, second].map((observer) => observer.join(collection, signal)));
  using third = watches.observe();
  await third.join(collection, signal);

  assert.deepEqual(
    joined.map((result) => (result.status === "rejected" ? (result.reason as ApiError).code : "")),
    ["Forbidden", "Forbidden"],
  );
  assert.equal(watches.open, 1);
});

it("tells those who wait that the right to watch was taken away", async () => {
  const { client, clock, watches, signal } = setUp();
  using observer = watches.observe();
  await observer.join(collection, signal);
  await until("the watch is open", () => client.openWatches === 1);
  observer.read(collection, everything);
  client.refusals.push(new ApiError("Forbidden", "replicasets is forbidden"));

  client.cut(new Error("read ECONNRESET"));
  await passTime(clock, () => client.refusals.length === 0);
  await observer.changed(signal);

  assert.throws(() => observer.read(collection, everything), { code: "Forbidden" });
});

it("stops waiting with the signal's reason", async () => {
  const { watches } = setUp();
  const stop = new AbortController();
  using observer = watches.observe();
  await observer.join(collection, stop.signal);
  const reason = new Error("enough");
  const waiting = observer.changed(stop.signal);

  stop.abort(reason);

  await assert.rejects(waiting, reason);
  await assert.rejects(observer.join(collection, stop.signal), reason);
});

function setUp() {
  const client = new MemoryApiClient();
  const clock = new FakeClock();
  return { client, clock, watches: new Watches(client, clock, () => 0.5), signal: new AbortController().signal };
}

function namesOf(objects: readonly { metadata: { name: string } }[]): string[] {
  return objects.map(({ metadata }) => metadata.name);
}

/** Moves the clock on as often as it takes, no further than back-off does. */
async function passTime(clock: FakeClock, isDone: () => boolean): Promise<void> {
  await until("enough time has passed", () => {
    if (!isDone()) {
      clock.advance(500);
    }
    return isDone();
  });
}
