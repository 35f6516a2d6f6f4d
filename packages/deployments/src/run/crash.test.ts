import assert from "node:assert/strict";
import { it } from "node:test";
import { type JsonObject, type JsonValue, objectMember } from "@rad/core";
import type { Store } from "@rad/store";
import { operationType } from "../records/operation-records.ts";
import { CrashingStore, type CrashTime } from "./testing/crashing-store.ts";
import { attempt } from "./testing/attempt.ts";
import { Engine } from "./testing/engine-kit.ts";
import { module, outputOf, propertyOf, template, thing } from "./testing/templates.ts";
import { ThingsTarget } from "./testing/things-target.ts";

const leaf = template(
  { l: thing("[concat(parameters('p'), '-leaf')]", { slow: true, v: "[parameters('p')]" }) },
  {
    parameters: { p: { type: "string" }, fresh: { type: "string", defaultValue: "[newGuid()]" } },
    outputs: {
      o: { type: "string", value: propertyOf("l", "v") },
      secret: { type: "securestring", value: "[concat('secret-', parameters('p'))]" },
    },
  },
);

const middle = template(
  {
    mods: module(
      "[concat(parameters('p'), copyIndex())]",
      leaf,
      { p: "[concat(parameters('p'), copyIndex())]" },
      {
        copy: { name: "mods", count: 2 },
      },
    ),
    own: thing("[concat(parameters('p'), '-own')]", { v: outputOf("mods[0]", "o") }),
  },
  {
    parameters: { p: { type: "string" } },
    outputs: { o: { type: "string", value: "[concat(reference('mods[1]').outputs.o.value, '!')]" } },
  },
);

const canary = "canary-91c2";

/** Nothing here says that anything is secret. */
const quiet = template(
  {
    q: thing(
      "[concat('q', copyIndex())]",
      { list: ["x", "[parameters('plain')]"], made: "[variables('v')]" },
      { copy: { name: "q", count: 2 } },
    ),
  },
  { parameters: { plain: { type: "string" } }, variables: { v: "[toUpper(parameters('plain'))]" } },
);

/** Something of everything. */
const everything = template(
  {
    a: thing("a", { guid: "[parameters('guid')]" }),
    b: thing("b", { slow: true, warn: "heed this", guid: propertyOf("a", "guid") }),
    sight: thing("a", {}, { existing: true, dependsOn: ["a"] }),
    key: thing("key", { length: "[length(listSecrets('b', '2025-01-01').key)]", seen: propertyOf("sight", "guid") }),
    mid: module("mid", middle, { p: "[concat('m', '')]" }, { dependsOn: ["a"] }),
    leafs: module("leaf", leaf, { p: "x" }),
    last: thing("last", {
      mid: outputOf("mid", "o"),
      length: "[length(listOutputsWithSecureValues('leafs', '2025-04-01').secret)]",
      guid: propertyOf("a", "guid"),
    }),
    hidden: thing("hidden", {
      slow: true,
      env: { PASSWORD: { value: "[parameters('s')]" }, LEVEL: { value: "info" } },
    }),
    quiet: module("quiet", quiet, { plain: "[concat('made of ', parameters('s'))]" }),
    bad: thing("bad", { refuse: "no" }),
    never: thing("never", {}, { dependsOn: ["bad"] }),
    skipped: thing("skipped", {}, { condition: false }),
  },
  {
    parameters: {
      guid: { type: "string", defaultValue: "[newGuid()]" },
      s: { type: "securestring", defaultValue: canary },
    },
  },
);

const good = {
  ...everything,
  resources: Object.fromEntries(
    Object.entries(objectMember(everything, "resources")).filter(([name]) => name !== "bad" && name !== "never"),
  ),
  outputs: {
    guid: { type: "string", value: propertyOf("last", "guid") },
    mid: { type: "string", value: outputOf("mid", "o") },
    secret: { type: "securestring", value: "[listOutputsWithSecureValues('leafs', '2025-04-01').secret]" },
  },
};

for (const [what, deployed] of [
  ["succeeds", good],
  ["fails in the middle", everything],
] as const) {
  it(`resumes a deployment that ${what} after a crash at any write`, async () => {
    await using engine = await Engine.open({ concurrency: 3 });
    const undisturbed = await runWithCrash(engine, deployed, "calm", Infinity, "before");
    assert.equal(undisturbed.attempts, 1);
    assert.ok(undisturbed.writes > 20, `${undisturbed.writes} writes`);
    assert.doesNotMatch(JSON.stringify(undisturbed.end), /canary/i);
    assert.match(JSON.stringify(undisturbed.end), /"warnings":\["heed this"\]/);
    const sealed = await sealedIn(engine.store, "calm");
    assert.deepEqual(sealed, {
      hidden: { "/properties/env/PASSWORD/value": canary },
      key: { "/properties/length": 10 },
      last: { "/properties/length": 8 },
      q0: { "/properties/list/1": `made of ${canary}`, "/properties/made": `MADE OF ${canary.toUpperCase()}` },
      q1: { "/properties/list/1": `made of ${canary}`, "/properties/made": `MADE OF ${canary.toUpperCase()}` },
    });

    for (const time of ["before", "after"] as const) {
      for (let n = 1; n <= undisturbed.writes; n += 1) {
        const crashed = await runWithCrash(engine, deployed, `${time}${n}`, n, time);

        const wasLast = time === "after" && n === undisturbed.writes;
        assert.equal(crashed.attempts, wasLast ? 1 : 2);
        assert.deepEqual(crashed.sentAgain, [], `finished nodes are not sent again (${time} write ${n})`);
        assert.deepEqual(crashed.end, undisturbed.end, `${time} write ${n}`);
        assert.deepEqual(await sealedIn(engine.store, `${time}${n}`), sealed, `${time} write ${n}`);
      }
    }
  });
}

it("the process that accepted a deployment goes on from the records of another one that began with it", async () => {
  await using engine = await Engine.open();
  const operationId = await engine.submit({
    template: template({ a: thing("a"), b: thing("b", {}, { dependsOn: ["a"] }) }),
  });
  const crashing = new CrashingStore(engine.store, 2);
  await attempt(engine, crashing.store, new ThingsTarget(crashing.store));
  engine.clock.aheadMs += 120_000; // the lease of the dead process runs out

  engine.worker();
  const { state } = await engine.ended(operationId);

  assert.equal(state, "Succeeded");
  assert.deepEqual(engine.target.puts, ["b"]);
});

interface Outcome {
  readonly attempts: number;
  /** In the first attempt. */
  readonly writes: number;
  /** What the second attempt sent although the first had stored that it was sent. */
  readonly sentAgain: readonly string[];
  /** Everything that is stored in the end, without what differs from run to run. */
  readonly end: JsonValue;
}

async function runWithCrash(
  engine: Engine,
  deployed: JsonObject,
  name: string,
  crashAt: number,
  time: CrashTime,
): Promise<Outcome> {
  const scope = `/planes/radius/local/resourcegroups/${name}`;
  const operationId = await engine.submit({ template: deployed, scope });
  const crashing = new CrashingStore(engine.store, crashAt, time);
  const target = new ThingsTarget(crashing.store);
  let attempts = 1;
  let sentAgain: string[] = [];
  const isAlive = await attempt(engine, crashing.store, target);
  const ended = (await engine.store.operations.get(operationId))?.endedAt;
  if (!isAlive && ended === undefined) {
    attempts += 1;
    const recorded = await recordedNames(engine.store, scope);
    const second = new ThingsTarget(engine.store);
    engine.clock.aheadMs += 120_000; // the lease of the dead process runs out
    assert.ok(await attempt(engine, engine.store, second));
    sentAgain = second.puts.filter((put, index) => recorded.has(put) || second.puts.indexOf(put) < index);
  }
  assert.notEqual((await engine.store.operations.get(operationId))?.endedAt, undefined);
  return { attempts, writes: crashing.writes, sentAgain, end: await snapshot(engine.store, scope, operationId) };
}

/** Names of the things for which a record says that they were sent. */
async function recordedNames(store: Store, scope: string): Promise<Set<string>> {
  const { items } = await store.list({ type: operationType, under: scope });
  const created = items.filter(({ body }) => objectMember(body, "properties")["provisioningOperation"] === "Create");
  return new Set(created.map(({ body }) => String(targetOf(body)["resourceName"])));
}

/** By name of the thing. */
async function sealedIn(store: Store, name: string): Promise<JsonObject> {
  const { items } = await store.list({
    type: "Radius.Test/things",
    under: `/planes/radius/local/resourcegroups/${name}`,
  });
  const sealed: JsonObject = {};
  for (const { id } of items) {
    const secrets = await store.secrets(id);
    if (Object.keys(secrets).length > 0) {
      sealed[id.slice(id.lastIndexOf("/") + 1)] = secrets;
    }
  }
  return sealed;
}

async function snapshot(store: Store, scope: string, operationId: string): Promise<JsonValue> {
  const { items } = await store.list({ under: scope });
  const guid = objectMember(items.find(({ id }) => id.endsWith("/things/a"))?.body ?? {}, "properties")["guid"];
  assert.equal(typeof guid, "string");
  const documents: [string, JsonValue][] = [];
  for (const { id, type, body, operationId: holder } of items) {
    const pointers = Object.keys(await store.secrets(id));
    const isRecord = type === operationType;
    const name = isRecord
      ? `${id.slice(0, id.lastIndexOf("/"))} ${JSON.stringify(targetOf(body))} ${String(objectMember(body, "properties")["provisioningOperation"])}`
      : id;
    documents.push([name, { body: steady(body), pointers, isFree: holder === undefined }]);
  }
  const operation = await store.operations.get(operationId);
  const text = JSON.stringify({
    documents: Object.fromEntries(documents.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    state: operation?.state ?? "",
    error: steady((operation?.error ?? null) as unknown as JsonValue),
  });
  const known = text.replaceAll(scope, "{scope}").replaceAll(String(guid), "{guid}");
  return JSON.parse(known.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "{another guid}")) as JsonValue;
}

function targetOf(body: JsonObject): JsonObject {
  return objectMember(objectMember(body, "properties"), "targetResource");
}

/** Without times and ids of runs; lists whose order is the order of events are sorted. */
function steady(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.map(steady).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const changing = new Set(["timestamp", "duration", "operationId", "trackingId"]);
  const isRecordId = (name: string, member: JsonValue): boolean =>
    name === "id" && typeof member === "string" && member.includes("/operations/");
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !changing.has(name) && !isRecordId(name, member))
      .map(([name, member]) => [name, steady(member)]),
  );
}
