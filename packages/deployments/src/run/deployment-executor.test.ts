import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError, type JsonObject, objectMember, systemClock } from "@rad/core";
import { MovingClock, until } from "@rad/core/testing";
import { deploymentId, Engine, thingId } from "./testing/engine-kit.ts";
import { module, propertyOf, template, thing } from "./testing/templates.ts";

it("sends every resource after those it depends on, with what they turned out to be", async () => {
  await using engine = await Engine.open();
  engine.worker();

  const { state } = await engine.deploy({
    template: template(
      {
        c: thing("c", { from: propertyOf("b", "from") }),
        a: thing("a", { value: "[parameters('p')]" }),
        b: thing("b", { from: propertyOf("a", "value"), slow: true }),
        lone: thing("lone", {}, { dependsOn: ["c"] }),
      },
      {
        parameters: { p: { type: "string" } },
        outputs: { o: { type: "string", value: propertyOf("c", "from") } },
      },
    ),
    parameters: { p: "hello" },
  });

  assert.equal(state, "Succeeded");
  assert.deepEqual(engine.target.puts, ["a", "b", "c", "lone"]);
  assert.equal((await engine.thing("c"))?.["from"], "hello");
  const properties = await engine.properties();
  assert.equal(properties["provisioningState"], "Succeeded");
  assert.deepEqual(properties["outputs"], { o: { type: "String", value: "hello" } });
  assert.deepEqual(
    properties["outputResources"],
    ["a", "b", "c", "lone"].map((name) => ({ id: thingId(name) })),
  );
  assert.deepEqual(await engine.recordLines(), [
    "Create thing a Succeeded Create",
    "Create thing b Succeeded Create",
    "Create thing c Succeeded Create",
    "Create thing lone Succeeded Create",
  ]);
});

it("has no more resources under way at once than it may, nested ones included", async () => {
  await using engine = await Engine.open({ concurrency: 3 });
  engine.worker();
  const many = template(
    Object.fromEntries(range(6).map((n) => [`t${n}`, thing(`[concat(deployment().name, '-${n}')]`, { slow: true })])),
  );

  await engine.deploy({
    template: template({
      ...Object.fromEntries(range(6).map((n) => [`own${n}`, thing(`own${n}`)])),
      m1: module("m1", many),
      m2: module("m2", many),
    }),
  });

  assert.equal(engine.target.most, 3);
  assert.equal(engine.target.puts.length, 18);
});

it("keeps the warnings of a resource in its record, also when it fails in the end", async () => {
  await using engine = await Engine.open();
  engine.worker();

  await engine.deploy({
    template: template({
      quiet: thing("quiet"),
      done: thing("done", { warn: "heed this" }),
      late: thing("late", { slow: true, warn: "heed that" }),
      broken: thing("broken", { slow: true, fail: "broke", warn: "too late" }),
    }),
  });

  const records = await engine.records();
  const warnings = records.map((record) => [
    objectMember(record, "targetResource")["resourceName"],
    record["warnings"],
  ]);
  assert.deepEqual(Object.fromEntries(warnings), {
    quiet: undefined,
    done: ["heed this"],
    late: ["heed that"],
    broken: ["too late"],
  });
});

it("does not start what depends on a failure, finishes the rest and tells all errors", async () => {
  await using engine = await Engine.open();
  engine.worker();

  const { state, error } = await engine.deploy({
    template: template({
      bad: thing("bad", { refuse: "not like this" }),
      late: thing("late", { slow: true, fail: "broke" }),
      after: thing("after", {}, { dependsOn: ["bad"] }),
      afterThat: thing("after-that", {}, { dependsOn: ["after"] }),
      fine: thing("fine"),
      finer: thing("finer", { x: propertyOf("fine", "missing") }),
    }),
  });

  assert.equal(state, "Failed");
  assert.deepEqual(engine.target.puts.toSorted(), ["bad", "fine", "late"]);
  assert.equal(error?.code, "DeploymentFailed");
  assert.match(error?.message ?? "", /^At least one resource deployment operation failed\./);
  assert.equal(error?.target, deploymentId("main"));
  assert.deepEqual(
    error?.details?.map(({ code, target }) => [code, target]),
    [
      ["BadRequest", thingId("bad")],
      ["ResourceDeploymentFailure", thingId("late")],
      ["InvalidTemplate", thingId("finer")],
      ["OK", thingId("fine")],
    ],
  );
  assert.deepEqual(error?.details?.[1]?.details, [{ code: "Internal", message: "broke" }]);
  assert.deepEqual(error?.details?.[0]?.additionalInfo, [
    { type: "TemplateViolation", info: { path: "$.resources.bad" } },
  ]);
  assert.deepEqual(await engine.recordLines(), [
    "Create thing bad Failed",
    "Create thing fine Succeeded Create",
    "Create thing finer Failed",
    "Create thing late Failed",
  ]);
  const properties = await engine.properties();
  assert.equal(properties["provisioningState"], "Failed");
  assert.equal(objectMember(properties, "error")["code"], "DeploymentFailed");
  assert.deepEqual(properties["outputResources"], [{ id: thingId("fine") }]);
});

it("says where an output cannot be evaluated", async () => {
  await using engine = await Engine.open();
  engine.worker();

  const { state, error } = await engine.deploy({
    template: template({ a: thing("a") }, { outputs: { o: { type: "string", value: propertyOf("a", "nothing") } } }),
  });

  assert.deepEqual([state, error?.code], ["Failed", "DeploymentOutputEvaluationFailed"]);
  const info = objectMember({ info: error?.additionalInfo?.[0]?.info ?? null }, "info");
  assert.equal(info["path"], "$.outputs.o.value");
  assert.deepEqual(await engine.recordLines(), [
    "Create thing a Succeeded Create",
    "EvaluateDeploymentOutput deployment main Failed",
  ]);
});

it("runs the same name again, sends everything again and says what did not change", async () => {
  await using engine = await Engine.open();
  engine.worker();
  const first = { template: template({ a: thing("a"), b: thing("b", { n: 1 }), gone: thing("gone") }) };
  await engine.deploy(first);

  await engine.deploy({ template: template({ a: thing("a"), b: thing("b", { n: 2 }) }) });

  assert.deepEqual(engine.target.puts.length, 5);
  assert.deepEqual(await engine.recordLines(), [
    "Create thing a Succeeded NoChange",
    "Create thing b Succeeded Modify",
  ]);
});

it("asks for each call once, however many expressions need its answer", async () => {
  await using engine = await Engine.open();
  engine.worker();
  await engine.deploy({ name: "before", template: template({ a: thing("elsewhere", { v: "there" }) }) });
  const key = "[listSecrets('a', '2025-01-01').key]";
  const elsewhere = `[reference('${thingId("elsewhere")}', '2025-01-01').v]`;

  const { state } = await engine.deploy({
    template: template(
      {
        a: thing("a"),
        b: thing("b", { key, elsewhere }),
        c: thing("c", { key, elsewhere }),
      },
      { outputs: { o: { type: "string", value: elsewhere } } },
    ),
  });

  assert.equal(state, "Succeeded");
  assert.deepEqual(engine.target.actions, ["a listSecrets"]);
  assert.deepEqual(engine.target.reads, ["elsewhere"]);
  assert.deepEqual(await engine.store.secrets(thingId("b")), { "/properties/key": "key-of-a-1" });
  assert.deepEqual(await engine.store.secrets(thingId("c")), { "/properties/key": "key-of-a-1" });
  assert.deepEqual(await engine.thing("b"), await engine.thing("c"));
  assert.deepEqual(
    (await engine.recordLines()).filter((line) => !line.startsWith("Create")),
    ["Action thing a Succeeded", "Read thing elsewhere Succeeded"],
  );
});

it("reads existing resources, and takes null for an answer where that is allowed", async () => {
  await using engine = await Engine.open();
  engine.worker();
  await engine.deploy({ name: "before", template: template({ a: thing("there", { v: "x" }) }) });

  const { state } = await engine.deploy({
    template: template({
      there: thing("there", {}, { existing: true }),
      missing: thing("missing", {}, { existing: true, "@options": { nullIfNotFound: [] } }),
      unread: thing("unread", {}, { existing: true }),
      a: thing("a", { v: propertyOf("there", "v"), none: "[equals(reference('missing'), null())]" }),
    }),
  });
  const failing = await engine.deploy({
    name: "failing",
    template: template({
      missing: thing("missing", {}, { existing: true }),
      a: thing("b", { v: propertyOf("missing", "v") }),
    }),
  });

  assert.equal(state, "Succeeded");
  assert.deepEqual(await engine.thing("a"), { v: "x", none: true, provisioningState: "Succeeded" });
  assert.deepEqual((await engine.properties())["outputResources"], [{ id: thingId("a") }]);
  assert.equal(failing.error?.details?.[0]?.code, "NotFound");
});

it("leaves a resource alone that must not be replaced", async () => {
  await using engine = await Engine.open();
  engine.worker();
  await engine.deploy({ name: "before", template: template({ a: thing("a", { v: 1 }) }) });

  await engine.deploy({
    template: template({
      a: thing("a", { v: 2 }, { "@options": { onlyIfNotExists: [] } }),
      b: thing("b", { v: propertyOf("a", "v") }),
    }),
  });

  assert.equal((await engine.thing("b"))?.["v"], 1);
});

it("tries again what was refused for a reason that may pass, as often as it may", async () => {
  const pauses: number[] = [];
  const clock = new MovingClock(async (ms) => void pauses.push(ms));
  await using engine = await Engine.open({ clock });
  engine.worker();
  engine.target.busy.set("a", 2);
  engine.target.busy.set("b", 3);
  const retrying = { "@options": { retryOn: [["Conflict"], 2] } };

  const { error } = await engine.deploy({
    template: template({ a: thing("a", {}, retrying), b: thing("b", {}, retrying) }),
  });

  assert.deepEqual(engine.target.puts.toSorted(), ["a", "a", "a", "b", "b", "b"]);
  assert.deepEqual(
    error?.details?.map(({ code }) => code),
    ["Conflict", "OK"],
  );
  assert.equal(pauses.length, 4);
});

it("waits until others are done with a resource", async () => {
  const pauses: number[] = [];
  const clock = new MovingClock(async (ms) => {
    if (pauses.push(ms) === 3) {
      engine.target.beingChanged.delete("a");
    }
  });
  await using engine = await Engine.open({ clock });
  engine.worker();
  engine.target.beingChanged.add("a");

  const { state } = await engine.deploy({ template: template({ a: thing("a"), b: thing("b") }) });

  assert.equal(state, "Succeeded");
  assert.deepEqual(pauses, [100, 200, 400]);
});

it("a cancelled deployment does not go on waiting for others", async () => {
  await using engine = await Engine.open();
  engine.worker();
  engine.target.beingChanged.add("a");
  const operationId = await engine.submit({ template: template({ a: thing("a") }) });
  await until("it was sent again", () => engine.target.puts.length > 1);

  await engine.store.operations.requestCancel(operationId, "enough");

  assert.equal((await engine.ended(operationId)).state, "Canceled");
});

it("waits until a resource is as far as it has to be, and not for ever", async () => {
  const clock = new MovingClock(async (ms) => void (clock.aheadMs += ms));
  await using engine = await Engine.open({ clock });
  engine.worker();
  const waiting = (least: number): JsonObject => ({
    "@options": {
      waitUntil: [`[lambda('x', greaterOrEquals(lambdaVariables('x').properties.later, ${least}))]`, "PT30S"],
    },
  });

  const fine = await engine.deploy({ name: "fine", template: template({ a: thing("a", { later: 0 }, waiting(3)) }) });
  const never = await engine.deploy({
    name: "never",
    template: template({ a: thing("a", { later: 0 }, waiting(999)) }),
  });

  assert.equal(fine.state, "Succeeded");
  assert.equal(never.error?.details?.[0]?.code, "RequestTimeout");
});

it("goes on waiting for a resource after a restart, whatever the wall clock says by then", async () => {
  let wallAheadMs = 0;
  const paused = Promise.withResolvers<void>();
  class SetClock extends MovingClock {
    override now(): Date {
      return new Date(super.now().getTime() + wallAheadMs);
    }
  }
  const clock = new SetClock(async (ms, signal) => {
    if (wallAheadMs === 0) {
      paused.resolve();
      await systemClock.sleep(60_000, signal);
    }
    clock.aheadMs += ms;
  });
  await using engine = await Engine.open({ clock });
  const first = engine.worker();
  const waitUntil = ["[lambda('x', greaterOrEquals(lambdaVariables('x').properties.later, 3))]", "PT30S"];
  const id = await engine.submit({
    template: template({ a: thing("a", { later: 0 }, { "@options": { waitUntil } }) }),
  });
  await paused.promise;

  await first.drain();
  wallAheadMs = 86_400_000;
  engine.worker();

  const { state, error } = await engine.ended(id);
  assert.equal(state, "Succeeded", JSON.stringify(error));
});

it("tells the resource as it was before, also to a second evaluation", async () => {
  await using engine = await Engine.open();
  engine.worker();
  const next = {
    template: template({ a: thing("a", { n: "[add(coalesce(tryGet(target(), 'properties', 'n'), 0), 1)]" }) }),
  };

  await engine.deploy(next);
  await engine.deploy(next);

  assert.equal((await engine.thing("a"))?.["n"], 2);
});

it("starts nothing more when it is cancelled, and waits for what runs", async () => {
  await using engine = await Engine.open();
  engine.worker();
  const id = await engine.submit({
    template: template({
      a: thing("a", { hold: true }),
      b: thing("b", {}, { dependsOn: ["a"] }),
      m: module("m", template({ c: thing("c", { hold: true }), d: thing("d", {}, { dependsOn: ["c"] }) })),
    }),
  });
  await until("both were sent", () => engine.target.puts.length === 2);

  await engine.store.operations.requestCancel(id, "enough");
  engine.target.release("a");
  engine.target.release("c");
  const { state } = await engine.ended(id);

  assert.equal(state, "Canceled");
  assert.deepEqual(engine.target.puts.toSorted(), ["a", "c"]);
  assert.equal((await engine.thing("a"))?.["provisioningState"], "Succeeded");
  const properties = await engine.properties();
  assert.deepEqual(objectMember(properties, "error")["code"], "DeploymentCanceled");
  assert.deepEqual((await engine.properties("m"))["provisioningState"], "Canceled");
  assert.deepEqual(await engine.recordLines(), ["Create deployment m Canceled", "Create thing a Succeeded Create"]);
  assert.equal((await engine.store.get(deploymentId("m")))?.operationId, undefined);
});

it("goes on after a drain with what is not done, and waits for what it had sent", async () => {
  await using engine = await Engine.open();
  const first = engine.worker();
  const id = await engine.submit({
    template: template(
      {
        a: thing("a", { v: "[parameters('guid')]" }),
        b: thing("b", { slow: true, holdEnd: true, v: propertyOf("a", "v") }),
        c: thing("c", { v: propertyOf("b", "v") }),
      },
      { parameters: { guid: { type: "string", defaultValue: "[newGuid()]" } } },
    ),
  });
  await until("the first is finished", () => engine.target.finishes.length === 1);

  await first.drain();
  engine.target.release("b");
  engine.worker();
  const { state, attempt } = await engine.ended(id);

  assert.deepEqual([state, attempt], ["Succeeded", 1]);
  assert.deepEqual(engine.target.puts, ["a", "b", "c"]);
  assert.deepEqual(engine.target.finishes, ["b operation-of-b", "b operation-of-b"]);
  assert.equal((await engine.thing("c"))?.["v"], (await engine.thing("a"))?.["v"]);
});

it("asks for permission before each send, and fails what is refused meanwhile", async () => {
  let asked: string[] = [];
  let refuse = "";
  await using engine = await Engine.open({
    authorize: (caller, permission, id) => {
      asked.push(`${caller.subject} ${permission} ${id.slice(id.lastIndexOf("/") + 1)}`);
      if (id === refuse) {
        throw new ApiError("Forbidden", "no");
      }
    },
  });
  const id = await engine.submit({
    template: template({
      a: thing("a"),
      b: thing("b", { k: "[listSecrets('a', '2025-01-01').key]" }),
      m: module("m", template({ c: thing("c") })),
    }),
  });
  const accepted = asked;
  asked = [];
  refuse = thingId("c");

  engine.worker();
  const { error } = await engine.ended(id);

  assert.deepEqual(accepted, [
    "tester Radius.Test/things/write a",
    "tester Radius.Test/things/write b",
    "tester Microsoft.Resources/deployments/write m",
    "tester Radius.Test/things/write c",
  ]);
  assert.ok(asked.includes("tester Radius.Test/things/listSecrets/action a"));
  assert.deepEqual(
    error?.details?.map(({ code }) => code),
    ["Forbidden", "OK", "OK"],
  );
});

it("gives up when attempts bring nothing to an end", async () => {
  await using engine = await Engine.open();
  const id = await engine.submit({ template: template({ a: thing("a") }) });
  for (let crash = 0; crash < 11; crash += 1) {
    await engine.store.operations.take({ owner: `dead-${crash}`, leaseMs: 1, queues: [{ name: "deployments" }] });
    engine.clock.aheadMs += 1_000;
  }

  engine.worker();
  const { state, error } = await engine.ended(id);

  assert.deepEqual([state, error?.code], ["Failed", "Internal"]);
  assert.deepEqual(engine.target.puts, []);
  assert.equal((await engine.properties())["provisioningState"], "Failed");
});

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}
