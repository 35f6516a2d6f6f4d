import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { ApiError, type JsonObject, systemClock } from "@rad/core";
import { MovingClock } from "@rad/core/testing";
import { StoreError } from "@rad/store";
import type { ReadOrder, TypeOrder } from "../deployment-target.ts";
import type { ExternalPut, ExternalSent } from "../external-target.ts";
import { recordAfterwards } from "../record-afterwards.ts";
import { BoxProcess } from "../testing/boxes/box-process.ts";
import type { Endpoint, PlannedFault } from "../testing/boxes/box-provider.ts";
import { BoxTarget } from "../testing/boxes/box-target.ts";
import { box, boxTemplate } from "../testing/boxes/box-template.ts";
import { assertWhole, boxDeployment, boxOutcome, canary, scopeOf } from "./testing/box-deployments.ts";
import { Engine, group } from "./testing/engine-kit.ts";

let provider: BoxProcess;
before(async () => {
  provider = await BoxProcess.start();
});
after(async () => {
  await provider[Symbol.asyncDispose]();
});

function openEngine(target = new BoxTarget(provider)): Promise<Engine> {
  return Engine.open({
    clock: new MovingClock((ms, signal) => systemClock.sleep(Math.min(ms, 2), signal)),
    targets: (store) => ({ other: recordAfterwards(target, { store, clock: systemClock }) }),
  });
}

it("deploys to a provider that chooses the ids", async () => {
  await using engine = await openEngine();
  engine.worker();

  const { state, error } = await engine.deploy(boxDeployment("calm"));

  assert.equal(state, "Succeeded", JSON.stringify(error));
  await assertWhole(engine, provider, "calm", "calm");
  const { outputs } = await engine.properties("main", scopeOf("calm"));
  const { listed } = await boxOutcome(engine, provider, "calm");
  assert.ok((outputs as { ids: { value: string[] } }).ids.value.every((id) => listed.includes(id)));
  assert.equal((await provider.ledger()).actions, 1);
  const records = JSON.stringify(await engine.records("main", scopeOf("calm")));
  assert.doesNotMatch(records, new RegExp(canary));
});

it("puts every change outside on the audit log, before and after it", async () => {
  await using engine = await openEngine();
  engine.worker();

  await engine.deploy(boxDeployment("audited"));

  const { listed } = await boxOutcome(engine, provider, "audited");
  const lines = (await engine.store.audit.list({ limit: 100 })).map(({ phase, action, target, result = "" }) => {
    const what = target.startsWith("box-") ? "a box" : target.includes("/operations/") ? "a record" : target;
    return `${phase} ${action.replace("Test.Boxes/boxes/", "")} ${what} ${result}`.trim();
  });
  const count = (line: string): number => lines.filter((one) => one === line).length;
  assert.equal(count("intent write a record"), listed.length + 1, "one was refused at first");
  assert.equal(count("outcome write a record Failed"), 1);
  assert.equal(count("outcome write a box Succeeded") + count("outcome write a record Succeeded"), listed.length);
  assert.equal(count("intent listCombination/action a box"), 1);
  assert.equal(count("outcome listCombination/action a box Succeeded"), 1);
});

it("has on the audit log what became of a box that was accepted", async () => {
  await using engine = await openEngine();
  engine.worker();
  const template = boxTemplate({ fine: box({ workMs: 5 }), broken: box({ workMs: 5, fail: "It broke." }) });

  await engine.deploy({ template, parameters: { account: "accepted" } });

  const outcomes = (await engine.store.audit.list({ limit: 100 })).filter(({ phase }) => phase === "outcome");
  assert.deepEqual(outcomes.map(({ result = "" }) => result).toSorted(), ["Failed", "Succeeded"]);
  const { boxes } = await provider.ledger();
  const broken = boxes.find(({ properties }) => properties["fail"] === "It broke.");
  assert.equal(outcomes.find(({ result }) => result === "Failed")?.target, broken?.id);
});

it("waits for a provider that is away, however often it asks, in one attempt", async () => {
  await using engine = await openEngine();
  engine.worker();
  const away = (endpoint: Endpoint): PlannedFault[] => Array.from({ length: 50 }, () => ({ endpoint, fault: "away" }));
  await provider.plan([...away("put"), ...away("poll"), ...away("read"), ...away("act")]);

  const { state, attempt } = await engine.deploy(boxDeployment("away"));

  assert.equal(state, "Succeeded");
  assert.equal(attempt, 1);
  await assertWhole(engine, provider, "away", "away");
});

it("waits for a provider that is away when a module is checked, in one attempt", async () => {
  let checks = 0;
  class Away extends BoxTarget {
    override async checkType(order: TypeOrder): Promise<void> {
      checks += 1;
      if (checks > 1 && checks < 30) {
        throw new ApiError("ServiceUnavailable", "Come back later.", { transient: true });
      }
      await super.checkType(order);
    }
  }
  await using engine = await openEngine(new Away(provider));
  engine.worker();

  const { state, attempt } = await engine.deploy(boxDeployment("unchecked"));

  assert.equal(state, "Succeeded");
  assert.equal(attempt, 1);
});

it("waits until a box is ready by the id that only its end tells", async () => {
  const reads: (string | undefined)[] = [];
  class Slow extends BoxTarget {
    override async read(order: ReadOrder): Promise<JsonObject | undefined> {
      const found = await super.read(order);
      reads.push(order.id);
      return reads.length < 2 ? found : found && { ...found, ready: true };
    }
  }
  await using engine = await openEngine(new Slow(provider));
  engine.worker();
  const waitUntil = ["[lambda('x', contains(lambdaVariables('x'), 'ready'))]", "PT1M"];
  const template = boxTemplate({ slow: box({ workMs: 5, lateId: true }, { "@options": { waitUntil } }) });

  const { state, error } = await engine.deploy({ template, parameters: { account: "ready" } });

  assert.equal(state, "Succeeded", JSON.stringify(error));
  const { boxes } = await provider.ledger();
  const { id } = boxes.find(({ account }) => account === "ready") ?? assert.fail("there is no box");
  assert.deepEqual(reads, [id, id]);
  assert.deepEqual((await engine.properties())["outputResources"], [{ id }]);
});

it("does not send again under the same key what was refused", async () => {
  await using engine = await openEngine();
  engine.worker();

  await engine.deploy(boxDeployment("refused"));

  const records = await engine.records("main", scopeOf("refused"));
  const keys = records.flatMap(({ serviceRequestId }) =>
    typeof serviceRequestId === "string" ? serviceRequestId : [],
  );
  assert.equal(new Set(keys.map((key) => key.slice(0, -2))).size, keys.length, "each node has its own");
  assert.deepEqual(keys.map((key) => key.slice(-2)).toSorted(), ["-1", "-1", "-1", "-1", "-2"]);
});

it("says so when a provider has forgotten what it was doing, and did not do it", async () => {
  await using engine = await openEngine();
  engine.worker();
  const template = boxTemplate({ gone: box({ workMs: -1, lateId: true }) });
  await provider.plan([{ endpoint: "poll", fault: "forgetTracking", after: 1 }]);

  const { state, error } = await engine.deploy({ template, parameters: { account: "gone" } });

  assert.equal(state, "Failed");
  assert.match(JSON.stringify(error), /knows nothing of '[0-9a-f-]{36}' any more, and the resource is not there/);
});

it("what a target breaks on is sent again, and in the end nobody knows", async () => {
  class Broken extends BoxTarget {
    readonly sent: (readonly [string, boolean])[] = [];
    override async put({ key, sentBefore }: ExternalPut): Promise<ExternalSent> {
      this.sent.push([key, sentBefore]);
      throw new TypeError("a bug");
    }
  }
  const broken = new Broken(provider);
  await using engine = await Engine.open({
    targets: (store) => ({ other: recordAfterwards(broken, { store, clock: systemClock }) }),
  });
  engine.worker();

  const { error } = await engine.deploy({
    template: boxTemplate({ b: box({}) }),
    parameters: { account: "broken" },
  });

  assert.equal(error?.details?.[0]?.code, "Internal");
  assert.match(JSON.stringify(error), /it is not known whether the resource was made/);
  assert.doesNotMatch(JSON.stringify(error), /a bug/);
  const [key] = broken.sent[0] ?? [];
  assert.deepEqual(broken.sent, [
    [key, false],
    [key, true],
    [key, true],
  ]);
});

for (const [what, answer] of Object.entries({
  "no id": { kind: "done", change: "create", body: {} },
  "an empty id": { kind: "done", change: "create", id: "", body: {} },
  "no body": { kind: "done", change: "create", id: "box-1", body: null },
  "nothing to follow it by": { kind: "accepted", change: "create", id: "box-1", tracking: "" },
})) {
  it(`an answer with ${what} is none`, async () => {
    class Lacking extends BoxTarget {
      override async put(): Promise<ExternalSent> {
        return answer as unknown as ExternalSent;
      }
    }
    await using engine = await openEngine(new Lacking(provider));
    engine.worker();

    const { error } = await engine.deploy({ template: boxTemplate({ b: box({}) }), parameters: { account: "a" } });

    assert.match(JSON.stringify(error), /EffectUnknown/);
    assert.equal((await engine.records())[0]?.["provisioningState"], "Failed");
  });
}

it("goes on in another attempt when a target needs our store while that is away", async () => {
  class Dependent extends BoxTarget {
    readonly keys: string[] = [];
    override async put(order: ExternalPut): Promise<ExternalSent> {
      const sent = await super.put(order);
      this.keys.push(order.key);
      if (this.keys.length <= 3) {
        throw new StoreError("Unavailable", "The database is away.");
      }
      return sent;
    }
  }
  const dependent = new Dependent(provider);
  await using engine = await openEngine(dependent);
  engine.worker();

  const { state, attempt } = await engine.deploy({
    template: boxTemplate({ b: box({}) }),
    parameters: { account: "dependent" },
  });

  assert.deepEqual([state, attempt], ["Succeeded", 2]);
  assert.equal(new Set(dependent.keys).size, 1);
});

it("a retry of what nobody knows is the same send again, so that nothing is made twice", async () => {
  class Garbling extends BoxTarget {
    readonly keys: string[] = [];
    override async put(order: ExternalPut): Promise<ExternalSent> {
      const sent = await super.put(order);
      this.keys.push(order.key);
      if (this.keys.length <= 3) {
        throw new TypeError("half an answer");
      }
      return sent;
    }
  }
  const garbling = new Garbling(provider);
  await using engine = await openEngine(garbling);
  engine.worker();
  const retried = box({}, { "@options": { retryOn: [["Internal"], 1] } });

  const { state } = await engine.deploy({ template: boxTemplate({ retried }), parameters: { account: "garbled" } });

  assert.equal(state, "Succeeded");
  assert.equal(garbling.keys.length, 4);
  assert.equal(new Set(garbling.keys).size, 1);
  const { boxes } = await provider.ledger();
  assert.equal(boxes.filter(({ account }) => account === "garbled").length, 1);
});

it("hands the configuration of the extension to the target, and hides what is secret in it", async () => {
  const configs: unknown[] = [];
  class Listening extends BoxTarget {
    override async put(order: ExternalPut): Promise<ExternalSent> {
      configs.push(order.extension);
      const echo = JSON.stringify(order.extension);
      const additionalInfo = [{ type: "Echo", info: { echo } }];
      const details = [{ code: "BadRequest", message: echo, additionalInfo }];
      throw new ApiError("BadRequest", `Cannot log in with ${echo}.`, { details, additionalInfo });
    }
  }
  const target = new Listening(provider);
  await using engine = await Engine.open({
    targets: (store) => ({ other: recordAfterwards(target, { store, clock: systemClock }) }),
  });
  engine.worker();
  const template = {
    ...boxTemplate({ b: box({}) }, { parameters: { s: { type: "securestring" } } }),
    imports: {
      boxes: { provider: "Boxes", version: "1.0.0", config: { host: "h", password: "[toUpper(parameters('s'))]" } },
    },
  };

  await engine.deploy({ template, parameters: { account: "a", s: canary } });

  assert.deepEqual(configs, [
    { name: "Boxes", version: "1.0.0", config: { host: "h", password: canary.toUpperCase() } },
  ]);
  const told = JSON.stringify([await engine.properties(), await engine.records()]);
  assert.match(told, /Cannot log in/);
  assert.doesNotMatch(told, /canary/i);
});

it("asks for permission at the scope of the deployment, before it starts and while it runs", async () => {
  const asked = new Set<string>();
  await using engine = await Engine.open({
    targets: (store) => ({ other: recordAfterwards(new BoxTarget(provider), { store, clock: systemClock }) }),
    authorize: (_caller, permission, id) => void asked.add(`${permission} ${id}`),
  });
  engine.worker();

  const { state } = await engine.deploy({
    template: boxTemplate({
      a: box({ title: "permitted" }),
      b: box({ combination: "[listCombination('a', 'v1').combination]" }),
      c: box({ title: "permitted" }, { existing: true, dependsOn: ["a"] }),
      d: box({ of: "[reference('c').id]" }),
    }),
    parameters: { account: "permitted" },
  });

  assert.equal(state, "Succeeded");
  assert.deepEqual([...asked].toSorted(), [
    `Test.Boxes/boxes/listCombination/action ${group}`,
    `Test.Boxes/boxes/read ${group}`,
    `Test.Boxes/boxes/write ${group}`,
  ]);
});

it("refuses a type that the provider does not have", async () => {
  await using engine = await openEngine();

  const wrong = { ...box({}), type: "Test.Boxes/crates@v1" };
  const submitted = engine.submit({ template: boxTemplate({ wrong }), parameters: { account: "a" } });

  await assert.rejects(submitted, { code: "InvalidTemplateDeployment" });
});
