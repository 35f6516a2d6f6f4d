import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import { after, before, it } from "node:test";
import { silentLogger, systemClock } from "@rad/core";
import type { Store } from "@rad/store";
import { openTemporaryStore } from "@rad/store/testing";
import { recordInput, type RunRecord, runRecordId } from "../runs/records/run-record.ts";
import { HttpStates } from "./http-states.ts";
import { StateBackend, type StateRequest } from "./state-backend.ts";
import { StateReaders } from "../runs/state-readers.ts";

let store: Store;
let backend: StateBackend;
const readers = new StateReaders();
before(async () => {
  store = await openTemporaryStore();
  backend = new StateBackend({ store, clock: systemClock, log: silentLogger, readers });
});
after(async () => await store[Symbol.asyncDispose]());

/** Puts a run on record. @returns the header that it authenticates with */
async function openRun(name: string, change: Partial<RunRecord> = {}): Promise<string> {
  const resourceId = `/planes/radius/local/resourceGroups/g/providers/Example.Stores/things/${name}`;
  const id = runRecordId(resourceId);
  const token = randomBytes(16).toString("hex");
  const record: RunRecord = {
    state: "running",
    runId: token.slice(0, 8),
    resourceId,
    purpose: "deploy",
    backend: { backend: "http", name },
    machine: { host: "h", id: "h" },
    server: { pid: 1, startTime: "1" },
    supervisor: { pid: 2, startTime: "2" },
    folder: "/nowhere",
    startedAt: "",
    leaseMs: 1,
    expires: 0,
    tokenHash: createHash("sha256").update(token).digest("hex"),
    planned: [],
    creations: [],
    lockWindows: [],
    hasUnsavedState: false,
    ...change,
  };
  await store.write({ document: { kind: "put", input: recordInput(id, record), expect: "any" } });
  return `Basic ${Buffer.from(`${id.split("/").at(-1)}:${token}`).toString("base64")}`;
}

interface Options {
  readonly body?: string;
  readonly lockId?: string;
  readonly md5?: string;
}

async function send(method: string, name: string, authorization: string | undefined, options: Options = {}) {
  const request: StateRequest = {
    method,
    name,
    authorization,
    lockId: options.lockId,
    contentMd5: options.md5,
    body: async () => Buffer.from(options.body ?? ""),
  };
  return await backend.handle(request);
}

function stateOf(serial: number, lineage = "line", value = "x"): string {
  return JSON.stringify({ version: 4, serial, lineage, resources: [{ value }] });
}

it("keeps what Terraform saves, and gives it back byte by byte", async () => {
  const run = await openRun("plain");
  const text = stateOf(1, "line", "wörld");

  assert.equal((await send("GET", "plain", run)).status, 404);
  assert.equal((await send("POST", "plain", run, { body: text })).status, 200);

  const { status, body, headers } = await send("GET", "plain", run);
  assert.deepEqual([status, body], [200, text]);
  assert.equal(headers?.["Content-MD5"], createHash("md5").update(text).digest("base64"));
  assert.equal(await new HttpStates(store).has("plain"), true);
  assert.deepEqual(await new HttpStates(store).read("plain"), JSON.parse(text));
  const [summary] = await Array.fromAsync(new HttpStates(store).list());
  assert.deepEqual([summary?.name, summary?.serial, summary?.isLocked], ["plain", 1, false]);
  await new HttpStates(store).remove("plain");
  assert.equal((await send("GET", "plain", run)).status, 404);
});

it("keeps a state of 20 MB that cannot be compressed, and a smaller one in its place", async () => {
  const run = await openRun("large");
  const large = stateOf(1, "line", randomBytes(15_000_000).toString("base64"));
  assert.ok(large.length > 20_000_000 * 0.99);

  const md5 = createHash("md5").update(large).digest("base64");

  let turns = 0;
  const counting = setInterval(() => (turns += 1), 1);
  await send("POST", "large", run, { body: large, md5 });
  const { body, headers } = await send("GET", "large", run);
  clearInterval(counting);
  assert.equal(body, large);
  assert.equal(headers?.["Content-MD5"], md5);
  assert.ok(turns > 5, "others had no turn");
  await send("POST", "large", run, { body: stateOf(2) });
  assert.equal((await send("GET", "large", run)).body, stateOf(2));

  await new HttpStates(store).remove("large");
  const { items } = await store.list({ under: "/system/terraformStates/large" });
  assert.deepEqual(items, []);
});

it("seals states: no document has a word of them", async () => {
  const run = await openRun("sealed");

  await send("POST", "sealed", run, { body: stateOf(1, "line", "canary-of-the-state") });

  const { items } = await store.list({ under: "/system" });
  assert.ok(!items.some(({ json }) => json.includes("canary") || json.includes(btoa("canary").slice(0, 6))));
});

const refused: readonly (readonly [string, Options, string])[] = [
  ["an older state", { body: stateOf(4) }, "Conflict"],
  ["another state with the same serial", { body: stateOf(5, "line", "y") }, "Conflict"],
  ["the state of something else", { body: stateOf(9, "other") }, "Conflict"],
  ["what is no state", { body: "{}" }, "BadRequest"],
  ["what is no JSON", { body: "{" }, "BadRequest"],
  ["damaged content", { body: stateOf(6), md5: "AAAA" }, "BadRequest"],
  ["a writer with another lock", { body: stateOf(6), lockId: "other" }, "Conflict"],
];

for (const [what, options, code] of refused) {
  it(`refuses ${what}`, async () => {
    const name = `refused-${refused.findIndex(([other]) => other === what)}`;
    const run = await openRun(name);
    await send("LOCK", name, run, { body: JSON.stringify({ ID: "mine" }) });
    await send("POST", name, run, { body: stateOf(5), lockId: "mine" });

    await assert.rejects(send("POST", name, run, { lockId: "mine", ...options }), { code });

    assert.equal((await send("GET", name, run)).body, stateOf(5));
  });
}

it("takes the same state twice, as Terraform sends it again when an answer got lost", async () => {
  const run = await openRun("twice");
  await send("POST", "twice", run, { body: stateOf(1) });

  assert.equal((await send("POST", "twice", run, { body: stateOf(1) })).status, 200);
});

it("a lock of a dead run goes over to the next, and its holder can write no more", async () => {
  const first = await openRun("locked");
  await send("LOCK", "locked", first, { body: JSON.stringify({ ID: "a", Who: "one" }) });
  await send("POST", "locked", first, { body: stateOf(1), lockId: "a" });

  const second = await openRun("locked");
  await send("LOCK", "locked", second, { body: JSON.stringify({ ID: "b", Who: "two" }) });

  await assert.rejects(send("POST", "locked", first, { body: stateOf(2), lockId: "a" }), {
    code: "InvalidAuthenticationInfo",
  });
  await assert.rejects(send("UNLOCK", "locked", second, { body: JSON.stringify({ ID: "a" }) }), { code: "Conflict" });
  await send("POST", "locked", second, { body: stateOf(2), lockId: "b" });
  await send("UNLOCK", "locked", second, { body: JSON.stringify({ ID: "b" }) });
  await send("POST", "locked", second, { body: stateOf(3) });
});

const strangers: readonly (readonly [string, () => Promise<string | undefined>])[] = [
  ["nobody", async () => undefined],
  ["a bearer token", async () => "Bearer abc"],
  ["the run of another state", async () => await openRun("elsewhere")],
  ["a run that has ended", async () => await openRun("mine", { state: "ended" })],
  ["a wrong token", async () => `Basic ${btoa(`${runRecordId("x").split("/").at(-1)}:wrong`)}`],
];

for (const [who, authorization] of strangers) {
  it(`does not open a state to ${who}`, async () => {
    await assert.rejects(send("GET", "mine", await authorization()), { code: "InvalidAuthenticationInfo" });
  });
}

it("a reader gets the state that it was admitted to, and changes nothing, until it leaves", async () => {
  const writer = await openRun("read-state");
  await send("POST", "read-state", writer, { body: JSON.stringify({ lineage: "l", serial: 1 }) });
  const { username, password, ...reader } = readers.admit("read-state");
  const header = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  const wrong = `Basic ${Buffer.from(`${username}:x`).toString("base64")}`;

  assert.equal((await send("GET", "read-state", header)).status, 200);
  for (const method of ["POST", "DELETE", "LOCK", "UNLOCK"]) {
    await assert.rejects(send(method, "read-state", header, { body: "{}" }), { code: "InvalidAuthenticationInfo" });
  }
  await assert.rejects(send("GET", "another-state", header), { code: "InvalidAuthenticationInfo" });
  await assert.rejects(send("GET", "read-state", wrong), { code: "InvalidAuthenticationInfo" });
  reader[Symbol.dispose]();
  await assert.rejects(send("GET", "read-state", header), { code: "InvalidAuthenticationInfo" });
});
