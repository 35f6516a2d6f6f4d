import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { it } from "node:test";
import { ApiError } from "@rad/core";
import { TargetKit } from "./target-kit.ts";
import { idIn, type OpenWorld, propertiesOf, type TargetAbilities } from "./target-world.ts";

export function describeChanges(name: string, can: TargetAbilities, open: OpenWorld): void {
  it(`${name}: refuses types and versions that do not exist, whatever else is known`, async () => {
    await using kit = await TargetKit.open(open);
    const { target } = kit.world;
    const { type, apiVersion, id } = kit.sample("one");
    const unknown = type.replace(/[^/]*$/, "unknowns");

    await target.checkType({ type, apiVersion, id });

    const isClientError = (error: unknown): boolean => error instanceof ApiError && error.status < 500;
    const unknownId = id?.replace(type, unknown);
    await assert.rejects(target.checkType({ type: unknown, apiVersion, id: unknownId }), isClientError);
    await assert.rejects(target.checkType({ type, apiVersion: "1999-01-01", id }), isClientError);
  });

  it(`${name}: creates, modifies, and tells when nothing changes`, async () => {
    await using kit = await TargetKit.open(open);

    const created = await kit.made(kit.sample("one", { size: 1 }));
    const modified = await kit.made(kit.sample("one", { size: 2 }));
    const same = await kit.made(kit.sample("one", { size: 2 }));

    assert.deepEqual(
      kit.effects.map(({ change }) => change),
      ["create", "modify", "none"],
    );
    const [{ id } = assert.fail("nothing was recorded")] = kit.effects;
    assert.ok(id !== undefined && id !== "");
    for (const body of [created, modified, same]) {
      assert.equal(body["id"], id);
    }
    assert.deepEqual(
      [created, modified, same].map((body) => propertiesOf(body)["size"]),
      [1, 2, 2],
    );
    assert.deepEqual(await kit.record(), { state: "sent", change: "none", id });
  });

  it(`${name}: leaves a resource alone that is there already, where it is told to`, async () => {
    await using kit = await TargetKit.open(open);

    const created = await kit.made(kit.sample("one", { size: 1 }), { onlyIfAbsent: true });
    const kept = await kit.made(kit.sample("one", { size: 2 }), { onlyIfAbsent: true });

    assert.deepEqual(
      kit.effects.map(({ change }) => change),
      ["create", "none"],
    );
    assert.equal(kept["id"], created["id"]);
    assert.equal(propertiesOf(kept)["size"], 1);
    assert.equal(await kit.sizeOf(kit.sample("one")), 1);
  });

  it(`${name}: PATCH keeps what it does not mention, PUT does not`, async () => {
    await using kit = await TargetKit.open(open);
    await kit.made(kit.sample("one", { size: 1, color: "red" }));

    const patched = propertiesOf(await kit.made(kit.sample("one", { size: 2 }), { method: "PATCH" }));
    const put = propertiesOf(await kit.made(kit.sample("one", { size: 3 })));

    assert.deepEqual([patched["size"], patched["color"]], [2, "red"]);
    assert.deepEqual([put["size"], put["color"]], [3, undefined]);
  });

  it(`${name}: the same key has one effect, another key after it has another`, async () => {
    await using kit = await TargetKit.open(open);
    const key = randomUUID();

    const first = await kit.put(kit.sample("one", { size: 1 }), { key });
    const again = await kit.put(kit.sample("one", { size: 1 }), { key, sentBefore: true });
    const other = await kit.put(kit.sample("one", { size: 2 }));

    assert.ok(first.kind === "done" && again.kind === "done");
    assert.deepEqual(again.body, first.body);
    assert.equal(again.change, can.keepKeys ? "create" : "none");
    assert.equal(other.change, "modify");
    assert.equal(new Set(kit.effects.map(({ id }) => id)).size, 1, "it is one resource");
    assert.equal(await kit.sizeOf(kit.sample("one")), 2);
  });

  it(`${name}: a deployment that lost its lease changes nothing`, async () => {
    await using kit = await TargetKit.open(open);
    const lease = { ...kit.lease, fence: kit.lease.fence + 1 };

    await assert.rejects(kit.put(kit.sample("one"), { lease }), { code: "LeaseLost" });

    const { target } = kit.world;
    const isFindable = kit.sample("one").id !== undefined || can.findByProperties;
    assert.equal(isFindable ? await target.read({ ...kit.sample("one"), ...kit.orderedBy() }) : undefined, undefined);
    assert.equal(await kit.record(), undefined);

    await kit.made(kit.sample("two", { size: 2 }));
    await assert.rejects(kit.delete(kit.sample("two"), randomUUID(), lease), { code: "LeaseLost" });
    assert.equal(await kit.sizeOf(kit.sample("two")), 2);
  });

  for (const course of can.workLater ? (["quick", "slow"] as const) : (["quick"] as const)) {
    it(`${name}: deletes what was ${course}; what is gone, or about to go, is deleted`, async () => {
      await using kit = await TargetKit.open(open);
      const sample = kit.sample("one", { course });
      const key = randomUUID();
      const made = await kit.made(sample);

      const first = await kit.delete(sample, key);
      await kit.gone(sample, await kit.delete(sample, key));
      await kit.gone(sample, first);
      const left = await kit.world.target.read({ ...sample, ...kit.orderedBy(), id: idIn(made) });
      await kit.gone(sample, await kit.delete(sample, key));
      await kit.gone(sample, await kit.delete(sample, randomUUID()));

      assert.equal(left, undefined);
    });
  }

  it(`${name}: acts, once per key where it keeps keys, and refuses actions that there are not`, async () => {
    await using kit = await TargetKit.open(open);
    const { action } = kit.world;
    const key = randomUUID();
    await kit.made(kit.sample("one"));

    if (action === undefined) {
      const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status < 500;
      await assert.rejects(kit.act(kit.sample("one"), key), isRefusal);
      return;
    }

    await kit.act(kit.sample("one"), key);
    const repeated = await action.count();
    await kit.act(kit.sample("one"), key);
    const afterwards = await action.count();
    await kit.act(kit.sample("one"), randomUUID());

    assert.equal(repeated, 1);
    assert.equal(afterwards, can.keepKeys ? 1 : 2);
    assert.equal(await action.count(), afterwards + 1);
  });
}
