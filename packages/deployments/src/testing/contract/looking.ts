import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError } from "@rad/core";
import { TargetKit } from "./target-kit.ts";
import { idIn, type OpenWorld, propertiesOf, type TargetAbilities } from "./target-world.ts";

const canary = "canary-4c1d";

export function describeLooking(name: string, can: TargetAbilities, open: OpenWorld): void {
  it(`${name}: reads by id, and nothing where there is nothing`, async () => {
    await using kit = await TargetKit.open(open);
    const { target } = kit.world;
    const made = await kit.made(kit.sample("one", { size: 1 }));
    await kit.made(kit.sample("two", { size: 2 }));

    const order = { ...kit.sample("one"), ...kit.orderedBy(), body: undefined };
    const found = await target.read({ ...order, id: idIn(made) });
    const nothing = await target.read({ ...order, id: `${idIn(made)}-not` });

    assert.equal(propertiesOf(found)["size"], 1);
    assert.equal(found?.["id"], made["id"]);
    assert.equal(nothing, undefined);
  });

  if (can.findByProperties) {
    it(`${name}: finds what the template describes without an id`, async () => {
      await using kit = await TargetKit.open(open);
      const { target } = kit.world;
      const made = await kit.made(kit.sample("one", { size: 1 }));
      await kit.made(kit.sample("two", { size: 2 }));

      const found = await target.read({ ...kit.sample("one"), ...kit.orderedBy(), id: undefined });
      const nothing = await target.read({ ...kit.sample("three"), ...kit.orderedBy(), id: undefined });

      assert.equal(found?.["id"], made["id"]);
      assert.equal(nothing, undefined);
    });
  }

  it(`${name}: a preview tells what would change, changes nothing and shows no secret`, async () => {
    await using kit = await TargetKit.open(open);
    const { target } = kit.world;
    const order = { ...kit.orderedBy(), method: "PUT", onlyIfAbsent: false } as const;

    const creating = await target.preview({ ...kit.sample("one", { size: 1, secret: canary }), ...order });
    const { id } = kit.sample("one");
    const nothing = id === undefined ? undefined : await kit.read(kit.sample("one"));
    await kit.made(kit.sample("one", { size: 1, secret: canary }));
    const same = await target.preview({ ...kit.sample("one", { size: 1, secret: canary }), ...order });
    const other = await target.preview({ ...kit.sample("one", { size: 2, secret: `${canary}-2` }), ...order });

    assert.equal(nothing, undefined);
    assert.equal(creating.before, undefined);
    assert.deepEqual([same.before, same.changedSecrets], [same.after, []]);
    assert.deepEqual([propertiesOf(other.before)["size"], propertiesOf(other.after)["size"]], [1, 2]);
    assert.equal(other.changedSecrets.length, 1);
    assert.doesNotMatch(JSON.stringify([creating, same, other]), /canary/);
    assert.equal(await kit.sizeOf(kit.sample("one")), 1);
  });

  it(`${name}: a refusal has no effect and shows no secret`, async () => {
    await using kit = await TargetKit.open(open);
    const sample = kit.sample("bad", { course: "refused", secret: canary });

    const failure = await kit.put(sample).then(
      () => assert.fail("it was accepted"),
      (error: unknown) => error,
    );

    assert.ok(failure instanceof ApiError && !failure.transient, String(failure));
    assert.doesNotMatch(kit.redactor.redact(JSON.stringify(failure.toDetail())), /canary/);
    assert.deepEqual(kit.effects, []);
    const { target } = kit.world;
    const isFindable = sample.id !== undefined || can.findByProperties;
    assert.equal(isFindable ? await target.read({ ...sample, ...kit.orderedBy() }) : undefined, undefined);
  });
}
