import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { it } from "node:test";
import { type JsonObject, objectMember } from "@rad/core";
import { OperationWaiter } from "@rad/operations";
import type { Store } from "@rad/store";
import type { FinishOrder, PutOrder, Sent } from "../deployment-target.ts";
import { Engine } from "./testing/engine-kit.ts";
import { template, thing } from "./testing/templates.ts";
import { ThingsTarget } from "./testing/things-target.ts";

/** Things that operations of another queue carry out, as resources of asynchronous types are. */
class OperationsTarget extends ThingsTarget {
  readonly #waiter: OperationWaiter;

  constructor(store: Store) {
    super(store);
    this.#waiter = new OperationWaiter({ store });
  }

  override async put({ id = "", apiVersion = "", body, record, lease }: PutOrder): Promise<Sent> {
    const tracking = randomUUID();
    const input = { id, type: "Radius.Test/things", apiVersion, body: { id, ...body }, secrets: {} };
    await this.store.write({
      document: { kind: "put", input, expect: "any" },
      also: [record({ change: "create", tracking, id, warnings: [] })],
      lease,
      operation: {
        id: tracking,
        resourceId: id,
        kind: "put",
        apiVersion,
        queue: "resources",
        timeoutMs: 3_600_000,
        caller: "tester",
        correlationId: "c",
        awaitedBy: lease.operationId,
      },
    });
    return { kind: "accepted", change: "create", tracking };
  }

  override async finish({ id = "", tracking, signal }: FinishOrder): Promise<JsonObject> {
    const operation = await this.#waiter.wait(tracking, signal);
    assert.equal(operation?.state, "Succeeded");
    return (await this.store.get(id))?.body ?? {};
  }
}

/** One slot. A thing that `deploys` something starts that deployment and waits until it has ended. */
function startResourceWorker(engine: Engine): void {
  const started = new Map<string, string>();
  engine.workers.start({
    queues: [{ name: "resources" }],
    slots: 1,
    maxAttempts: 1,
    run: async ({ operation }) => {
      const body = (await engine.store.get(operation.resourceId))?.body ?? {};
      const name = objectMember(body, "properties")["deploys"];
      if (typeof name !== "string" || started.has(name)) {
        return undefined;
      }
      const inner = template({ leaf: thing(`leaf-of-${name}`) });
      const id = await engine.submit({ name, template: inner });
      started.set(name, id);
      return { kind: "waiting", for: [id] };
    },
  });
}

it("a deployment waits for a resource that waits for another deployment, with one slot each", async () => {
  await using engine = await Engine.open({ slots: 1, target: (store) => new OperationsTarget(store) });
  engine.worker();
  startResourceWorker(engine);

  const { state } = await engine.deploy({
    name: "outer",
    template: template({
      a: thing("a", { deploys: "inner-a" }),
      b: thing("b", { deploys: "inner-b" }),
      last: thing("last", {}, { dependsOn: ["a", "b"] }),
    }),
  });

  assert.equal(state, "Succeeded");
  for (const name of ["outer", "inner-a", "inner-b"]) {
    assert.equal((await engine.properties(name))["provisioningState"], "Succeeded", name);
  }
});

it("pauses of a deployment leave its slot to others", async () => {
  await using engine = await Engine.open({ slots: 1 });
  engine.target.beingChanged.add("busy");
  engine.worker();

  const waiting = await engine.submit({ name: "waiting", template: template({ a: thing("busy") }) });
  const other = await engine.deploy({ name: "other", template: template({ a: thing("free") }) });
  engine.target.beingChanged.clear();

  assert.equal(other.state, "Succeeded");
  assert.equal((await engine.ended(waiting)).state, "Succeeded");
});
