import assert from "node:assert/strict";
import { it } from "node:test";
import { containerId, input, put } from "./fixture.ts";
import type { OpenFixture } from "./fixture.ts";
import { newKey, oldKey } from "./keys.ts";

const canary = "canary-6f1d2c";

export function describeSealing(name: string, open: OpenFixture): void {
  it(`${name} returns secrets in clear only when asked for them`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const secrets = { "/properties/password": canary, "/properties/list/0": { deep: [canary, null, 7] } };

    const stored = await put(store, input(containerId("web"), { properties: { password: null } }, { secrets }));

    assert.deepEqual(await store.secrets(containerId("WEB")), secrets);
    assert.equal(stored.json.includes(canary), false);
    assert.deepEqual(await store.secrets(containerId("none")), {});
    assert.equal((await fixture.contents()).includes(canary), false);
  });

  it(`${name} keeps the secrets of a document, or replaces them all`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = containerId("web");
    await put(store, input(id, {}, { secrets: { "/a": 1, "/b": 2 } }));

    await put(store, input(id, { n: 1 }, { secrets: "keep" }));
    const kept = await store.secrets(id);
    await put(store, input(id, { n: 1 }, { secrets: { "/a": 3 } }));
    const replaced = await store.secrets(id);
    await put(store, input(id, { n: 1 }));
    const cleared = await store.secrets(id);
    await put(store, input(containerId("new"), {}, { secrets: "keep" }));

    assert.deepEqual([kept, replaced, cleared], [{ "/a": 1, "/b": 2 }, { "/a": 3 }, {}]);
    assert.deepEqual(await store.secrets(containerId("new")), {});
  });

  it(`${name} does not give a removed document's secrets to its successor`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = containerId("web");
    await put(store, input(id, {}, { secrets: { "/a": canary } }));
    await store.write({ document: { kind: "remove", id, expect: "any" } });

    await put(store, input(id, {}, { secrets: "keep" }));

    assert.deepEqual(await store.secrets(id), {});
  });

  it(`${name} erases text that was replaced or removed, and goes on working`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await put(store, input(containerId("web"), { password: canary }));
    await put(store, input(containerId("gone"), { password: canary }));
    await put(store, input(containerId("web"), { password: null }));
    await store.write({ document: { kind: "remove", id: containerId("gone"), expect: "any" } });
    const meanwhile = put(store, input(containerId("meanwhile"), { n: 1 }));

    const isErased = await store.eraseReplaced();

    assert.equal(isErased, name === "SQLite");
    assert.equal((await fixture.contents()).includes(canary), false);
    await meanwhile;
    await put(store, input(containerId("later"), { n: 2 }));
    assert.deepEqual((await store.get(containerId("later")))?.body, { n: 2 });
    assert.deepEqual((await store.get(containerId("meanwhile")))?.body, { n: 1 });
  });

  it(`${name} seals again with a new key, after which the old one is not needed, and no etag changes`, async () => {
    await using fixture = await open();
    const ids = Array.from({ length: 230 }, (_, n) => containerId(`n${n}`));
    const before = await Promise.all(
      ids.map((id) => put(fixture.store, input(id, {}, { secrets: { "/a": `${canary}-${id}` } }))),
    );
    await put(fixture.store, input(containerId("without")));

    const rotating = await fixture.reopen({ keys: [newKey, oldKey] });
    const resealed = await rotating.reseal();
    const again = await rotating.reseal();
    const after = await fixture.reopen({ keys: [newKey] });

    assert.deepEqual([resealed, again], [230, 0]);
    for (const document of before) {
      assert.deepEqual(await after.secrets(document.id), { "/a": `${canary}-${document.id}` });
      assert.equal((await after.get(document.id))?.etag, document.etag);
    }
    assert.equal((await fixture.contents()).includes(canary), false);
  });

  it(`${name} lets writes win over sealing again at the same time`, async () => {
    await using fixture = await open();
    const ids = Array.from({ length: 20 }, (_, n) => containerId(`n${n}`));
    await Promise.all(ids.map((id) => put(fixture.store, input(id, {}, { secrets: { "/a": "old" } }))));
    const store = await fixture.reopen({ keys: [newKey, oldKey] });

    const [, ...written] = await Promise.all([
      store.reseal(),
      ...ids.map((id) => put(store, input(id, {}, { secrets: { "/a": "new" } }))),
    ]);

    for (const document of written) {
      assert.deepEqual(await store.secrets(document.id), { "/a": "new" });
      assert.equal((await store.get(document.id))?.etag, document.etag);
    }
  });

  it(`${name} does not open with a wrong key, or without one that is needed, and changes nothing`, async () => {
    await using fixture = await open();
    const id = containerId("web");
    await put(fixture.store, input(id, {}, { secrets: { "/a": canary } }));
    const impostor = { id: oldKey.id, secret: newKey.secret };

    for (const keys of [[impostor], [newKey], [newKey, impostor], []]) {
      await assert.rejects(fixture.reopen({ keys }), { code: "CannotOpen" });
    }

    const store = await fixture.reopen({ keys: [oldKey] });
    assert.deepEqual(await store.secrets(id), { "/a": canary });
  });

  it(`${name} does not open with a wrong key even while nothing is sealed`, async () => {
    await using fixture = await open();

    await assert.rejects(fixture.reopen({ keys: [newKey] }), { code: "CannotOpen" });

    await fixture.reopen({ keys: [oldKey] });
  });
}
