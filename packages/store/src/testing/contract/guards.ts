import assert from "node:assert/strict";
import { it } from "node:test";
import type { Guard, Store, StoreError } from "../../store.ts";
import { containerId, containerType, group, input, put } from "./fixture.ts";
import type { OpenFixture } from "./fixture.ts";

const groupType = "System.Resources/resourceGroups";

export function describeGuards(name: string, open: OpenFixture): void {
  it(`${name} writes under a guard that the other document exists, with its etag if one is named`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const guarded = (guard: Guard) => create(store, [guard]);

    await assert.rejects(guarded({ kind: "exists", id: group }), { code: "GuardFailed" });
    const stored = await put(store, input(group, {}, { type: groupType }));
    await guarded({ kind: "exists", id: group.toUpperCase() });
    await guarded({ kind: "exists", id: group, etag: stored.etag });
    await put(store, input(group, { tags: {} }, { type: groupType }));

    await assert.rejects(guarded({ kind: "exists", id: group, etag: stored.etag }), { code: "GuardFailed" });
  });

  it(`${name} says which guard failed, and writes nothing`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await put(store, input(group, {}, { type: groupType }));
    const failing: Guard = { kind: "exists", id: "/planes/radius/other" };

    const error: StoreError = await create(store, [{ kind: "exists", id: group }, failing]).then(
      () => assert.fail("the write must be refused"),
      (reason: unknown) => reason as StoreError,
    );

    assert.deepEqual([error.code, error.guard], ["GuardFailed", failing]);
    assert.equal(await store.get(containerId("web")), undefined);
  });

  it(`${name} removes a scope only while it is empty, except for what goes with it`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const record = `${group}/providers/Microsoft.Resources/deployments/d`;
    await put(store, input(group, {}, { type: groupType }));
    await put(store, input(containerId("far", `${group}2`)));
    await put(store, input(record, {}, { type: "Microsoft.Resources/deployments" }));
    await put(store, input(containerId("web")));
    const remove = (except: readonly string[]) =>
      store.write({
        document: { kind: "remove", id: group, expect: "any" },
        also: except.map((id) => ({ kind: "remove", id, expect: "any" })),
        guards: [{ kind: "empty", under: group.toUpperCase(), except: except.map((id) => id.toUpperCase()) }],
      });

    await assert.rejects(remove([record]), { code: "GuardFailed" });
    await assert.rejects(remove([]), { code: "GuardFailed" });
    assert.notEqual(await store.get(record), undefined);
    await remove([record, containerId("web")]);

    assert.equal(await store.get(group), undefined);
    assert.equal(await store.get(record), undefined);
  });

  it(`${name} removes a type or a namespace only while no instance exists in the scope`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await put(store, input(containerId("web")));
    const guarded = (type: string, under = "/planes/radius/local") =>
      store.write({ guards: [{ kind: "noInstances", type, under }] });

    await assert.rejects(guarded(containerType.toUpperCase()), { code: "GuardFailed" });
    await assert.rejects(guarded("Applications.Core/"), { code: "GuardFailed" });
    await guarded("Applications.Core/container");
    await guarded("Applications.Cor/");
    await guarded("Applications.Core/containers/logs");
    await guarded(containerType, "/planes/radius/other");
  });

  it(`${name} never lets the removal of a group and a creation in it both succeed`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    for (let round = 0; round < 25; round += 1) {
      const scope = `${group}${round}`;
      await put(store, input(scope, {}, { type: groupType }));
      const remove = (): Promise<unknown> =>
        store.write({
          document: { kind: "remove", id: scope, expect: "any" },
          guards: [{ kind: "empty", under: scope }],
        });
      const creations = ["a", "b", "c"].map(
        (letter) => () =>
          store.write({
            document: { kind: "put", input: input(containerId(letter, scope)), expect: "absent" },
            guards: [{ kind: "exists", id: scope }],
          }),
      );
      const calls = creations.toSpliced(round % 4, 0, remove as (typeof creations)[number]);

      const results = await Promise.allSettled(calls.map((call) => call()));

      const groupLeft = (await store.get(scope)) !== undefined;
      const { items } = await store.list({ under: scope });
      assert.equal(items.length > 0, groupLeft, `round ${round}`);
      for (const result of results) {
        assert.ok(result.status === "fulfilled" || result.reason.code === "GuardFailed", `round ${round}`);
      }
    }
  });

  it(`${name} never lets the removal of a type and the creation of an instance both succeed`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    for (let round = 0; round < 25; round += 1) {
      const type = `My.Types/t${round}`;
      const typeId = `/planes/radius/local/providers/System.Resources/resourceProviders/My.Types/resourceTypes/t${round}`;
      await put(store, input(typeId, {}, { type: "System.Resources/resourceProviders/resourceTypes" }));

      await Promise.allSettled([
        store.write({
          document: { kind: "remove", id: typeId, expect: "any" },
          guards: [{ kind: "noInstances", type, under: "/planes/radius/local" }],
        }),
        store.write({
          document: { kind: "put", input: input(`${group}/providers/${type}/one`, {}, { type }), expect: "absent" },
          guards: [{ kind: "exists", id: typeId }],
        }),
      ]);

      const typeLeft = (await store.get(typeId)) !== undefined;
      const { items } = await store.list({ under: group, type });
      assert.equal(items.length > 0, typeLeft, `round ${round}`);
    }
  });
}

function create(store: Store, guards: readonly Guard[]): Promise<unknown> {
  return store.write({ document: { kind: "put", input: input(containerId("web")), expect: "any" }, guards });
}
