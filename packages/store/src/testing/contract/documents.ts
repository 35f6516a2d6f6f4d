import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import type { JsonObject } from "@rad/core";
import { listAll } from "../../documents/list-all.ts";
import type { ListQuery, Page, Store, StoreEvent } from "../../store.ts";
import { auditRecord, containerId, containerType, group, input, operation, put } from "./fixture.ts";
import type { OpenFixture } from "./fixture.ts";

export function describeDocuments(name: string, open: OpenFixture): void {
  it(`${name} returns a document as it was written, in wire form`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const body: JsonObject = { b: [1, { c: "\u0000 and ü and 𝄞" }], a: null, __proto: { x: 1 } };

    const written = await put(store, input(containerId("web"), body, { operationId: "op-1" }));
    const read = await store.get(containerId("web"));

    assert.ok(read);
    assert.equal(read.json, JSON.stringify(body));
    assert.deepEqual(read.body, body);
    assert.equal(read.apiVersion, "2023-10-01-preview");
    assert.equal(read.operationId, "op-1");
    assert.match(read.etag, /^32-[0-9a-f]{64}$/);
    assert.deepEqual(
      [written.id, written.type, written.etag, written.json, written.operationId],
      [read.id, read.type, read.etag, read.json, read.operationId],
    );
  });

  it(`${name} serves documents that were stored with indentation, and keeps the etag when nothing else changes`, async () => {
    await using fixture = await open();
    const id = containerId("web");
    const body: JsonObject = { a: { b: [1, "x"] } };
    await put(fixture.store, input(id, body));
    const etag = "32-of-the-indented-text";
    await fixture.overwrite(id, { body: JSON.stringify(body, null, 2), etag });
    const { store } = fixture;

    const before = await store.get(id);
    const same = await put(store, input(id, body), { etag });
    const changed = await put(store, input(id, { a: 1 }), { etag });

    assert.deepEqual([before?.json, before?.etag], [JSON.stringify(body, null, 2), etag]);
    assert.deepEqual([same.json, same.etag], [JSON.stringify(body), etag]);
    assert.notEqual(changed.etag, etag);
  });

  it(`${name} gives a changed document that was stored with indentation a new etag`, async () => {
    await using fixture = await open();
    const id = containerId("web");
    await put(fixture.store, input(id, { a: 1 }));
    const etag = "32-of-the-indented-text";

    for (const more of [
      { body: { a: 2 } },
      { apiVersion: "2024-01-01" },
      { operationId: "op-1" },
      { secrets: { "/a": 1 } },
    ]) {
      await put(fixture.store, input(id, { a: 1 }));
      await fixture.overwrite(id, { body: JSON.stringify({ a: 1 }, null, 2), etag });
      assert.notEqual((await put(fixture.store, { ...input(id, { a: 1 }), ...more })).etag, etag);
    }
  });

  it(`${name} ends a page where its bytes end, and gives a document that is larger a page of its own`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const sizes = { a: 300, b: 300, c: 5_000, d: 10, e: 10, f: 990, g: 900 };
    for (const [letter, size] of Object.entries(sizes)) {
      await put(store, input(containerId(letter), { text: "é".repeat(size / 2) }));
    }

    const pages: string[] = [];
    let after: string | undefined;
    do {
      const page = await store.list({
        under: group,
        maxBytes: 1_000,
        limit: 3,
        ...(after === undefined ? {} : { after }),
      });
      pages.push(page.items.map(({ id }) => id.at(-1)).join(""));
      after = page.next;
    } while (after !== undefined);

    assert.deepEqual(pages, ["ab", "c", "de", "f", "g"]);
    const exact = await store.list({ under: group, maxBytes: 2 * Buffer.byteLength('{"text":""}') + 600, limit: 3 });
    assert.equal(exact.items.length, 2);
  });

  it(`${name} lists documents without their text`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { etag } = await put(store, input(containerId("web"), { text: "long" }, { operationId: "op-1" }));

    for (const bounds of [{}, { limit: 1, maxBytes: 1 }]) {
      const { items, next } = await store.list({ under: group, withoutBodies: true, ...bounds });

      assert.deepEqual(
        items.map((item) => [item.id, item.type, item.etag, item.operationId, item.json]),
        [[containerId("web"), containerType, etag, "op-1", "{}"]],
      );
      assert.equal(items[0]?.bytes, Buffer.byteLength('{"text":"long"}'));
      assert.equal(next, undefined);
    }
  });

  it(`${name} lists everything page by page`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const names = Array.from({ length: 12 }, (_, index) => `r${String(index).padStart(2, "0")}`);
    for (const each of names) {
      await put(store, input(containerId(each), { text: "x".repeat(1_000_000) }));
    }

    const found: string[] = [];
    let pages = 0;
    const list = (query: ListQuery): Promise<Page> => {
      pages += 1;
      return store.list(query);
    };
    for await (const { id } of listAll(list, { under: group, type: containerType })) {
      found.push(id);
    }

    assert.deepEqual(
      found,
      names.map((each) => containerId(each)),
    );
    assert.ok(pages >= 3 && pages <= 4);
  });

  it(`${name} changes further documents together with the one that a write is about`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await put(store, input(containerId("old")));
    const heard: StoreEvent[] = [];
    using _subscription = store.subscribe((event) => heard.push(event));

    const stored = await store.write({
      document: { kind: "put", input: input(containerId("web"), { n: 1 }), expect: "absent" },
      also: [
        {
          kind: "put",
          input: input(containerId("record"), { n: 2 }, { secrets: { "/result": "s3cret" } }),
          expect: "absent",
        },
        { kind: "remove", id: containerId("old"), expect: "any" },
      ],
    });

    assert.deepEqual(stored?.body, { n: 1 });
    assert.deepEqual((await store.get(containerId("record")))?.body, { n: 2 });
    assert.deepEqual(await store.secrets(containerId("record")), { "/result": "s3cret" });
    assert.equal(await store.get(containerId("old")), undefined);
    assert.equal(heard.filter((event) => event.kind === "document").length, 3);
  });

  it(`${name} changes nothing when one of the further documents is not what it was believed to be`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await put(store, input(containerId("taken")));

    await assert.rejects(
      store.write({
        document: { kind: "put", input: input(containerId("web")), expect: "absent" },
        also: [
          { kind: "put", input: input(containerId("record")), expect: "absent" },
          { kind: "put", input: input(containerId("taken")), expect: "absent" },
        ],
      }),
      { code: "EtagMismatch" },
    );

    assert.equal(await store.get(containerId("web")), undefined);
    assert.equal(await store.get(containerId("record")), undefined);
  });

  it(`${name} has no document that nobody wrote`, async () => {
    await using fixture = await open();

    assert.equal(await fixture.store.get(containerId("web")), undefined);
  });

  it(`${name} finds a document in any casing and keeps that of the first write`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = containerId("Web");
    await put(store, input(id));

    const again = await put(store, input(id.toUpperCase(), { n: 2 }, { type: containerType.toUpperCase() }));
    const read = await store.get(`${id.toLowerCase()}/`);

    assert.deepEqual([again.id, again.type], [id, containerType]);
    assert.deepEqual([read?.id, read?.type, read?.body], [id, containerType, { n: 2 }]);
  });

  it(`${name} gives a new etag to every write that changes anything, and the same one to a write that does not`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = containerId("web");

    const first = await put(store, input(id, { n: 1 }));
    const same = await put(store, input(id, { n: 1 }));
    const otherBody = await put(store, input(id, { n: 2 }));
    const otherOperation = await put(store, input(id, { n: 2 }, { operationId: "op-1" }));
    const otherVersion = await put(store, input(id, { n: 2 }, { operationId: "op-1", apiVersion: "2" }));
    const withSecret = await put(
      store,
      input(id, { n: 2 }, { operationId: "op-1", apiVersion: "2", secrets: { "/p": "x" } }),
    );

    assert.equal(same.etag, first.etag);
    const etags = [first, otherBody, otherOperation, otherVersion, withSecret].map((document) => document.etag);
    assert.equal(new Set(etags).size, etags.length);
  });

  it(`${name} refuses a put or a removal when the document is not what the writer believed`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = containerId("web");
    const first = await put(store, input(id, { n: 1 }));
    await put(store, input(id, { n: 2 }), first);
    const remove = (expect: { etag: string } | "absent", target = id) =>
      store.write({ document: { kind: "remove", id: target, expect } });

    await assert.rejects(put(store, input(id, { n: 3 }), first), { code: "EtagMismatch" });
    await assert.rejects(put(store, input(id, { n: 3 }), "absent"), { code: "EtagMismatch" });
    await assert.rejects(put(store, input(containerId("none")), first), { code: "EtagMismatch" });
    await assert.rejects(remove(first), { code: "EtagMismatch" });
    await assert.rejects(remove("absent"), { code: "EtagMismatch" });
    await assert.rejects(remove(first, containerId("none")), { code: "EtagMismatch" });

    assert.deepEqual((await store.get(id))?.body, { n: 2 });
    assert.equal(await store.get(containerId("none")), undefined);
  });

  it(`${name} removes a document, and does not mind when it is gone already`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = containerId("web");
    const stored = await put(store, input(id));

    const removed = await store.write({ document: { kind: "remove", id: id.toUpperCase(), expect: stored } });
    const again = await store.write({ document: { kind: "remove", id, expect: "any" } });

    assert.deepEqual([removed, again], [undefined, undefined]);
    assert.equal(await store.get(id), undefined);
  });

  it(`${name} lets exactly one of many writers with the same etag win`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = containerId("web");
    const first = await put(store, input(id, { n: 0 }));

    const writes = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => put(store, input(id, { n }), first));
    const results = await Promise.allSettled(writes);

    const won = results.filter((result) => result.status === "fulfilled");
    assert.equal(won.length, 1);
    assert.equal((await store.get(id))?.etag, won[0]?.value.etag);
  });

  it(`${name} lets exactly one of many creators win`, async () => {
    await using fixture = await open();
    const { store } = fixture;

    const creators = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => put(store, input(containerId("web"), { n }), "absent"));
    const results = await Promise.allSettled(creators);

    const refused = results.filter((result) => result.status === "rejected");
    assert.deepEqual(
      refused.map((result) => result.reason.code),
      Array.from({ length: 7 }, () => "EtagMismatch"),
    );
  });

  it(`${name} writes a document, its operation and its audit records together or not at all`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const stored = await put(store, input(containerId("web")));
    const accepted = operation();

    const refused = store.write({
      document: { kind: "put", input: input(containerId("web"), { n: 1 }), expect: { etag: "32-other" } },
      operation: accepted,
      audit: [auditRecord()],
    });
    await assert.rejects(refused, { code: "EtagMismatch" });
    const afterRefusal = [await store.operations.get(accepted.id), await store.audit.list({ limit: 9 })];
    await store.write({
      document: { kind: "put", input: input(containerId("web"), { n: 1 }), expect: stored },
      operation: accepted,
      audit: [auditRecord()],
    });

    assert.deepEqual(afterRefusal, [undefined, []]);
    assert.equal((await store.operations.get(accepted.id))?.state, "Accepted");
    assert.equal((await store.audit.list({ limit: 9 })).length, 1);
  });

  it(`${name} keeps the writes that share a moment with a refused one`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await put(store, input(containerId("b")));

    const results = await Promise.allSettled([
      put(store, input(containerId("a")), "absent"),
      put(store, input(containerId("b")), "absent"),
      put(store, input(containerId("c")), "absent"),
    ]);

    assert.deepEqual(
      results.map((result) => result.status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.deepEqual(await names(store, { under: group }), ["a", "b", "c"]);
  });

  it(`${name} lists by type and scope, in any casing`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const plane = "/planes/radius/local";
    const child = `${containerId("web")}/logs/today`;
    await put(store, input(group, {}, { type: "System.Resources/resourceGroups" }));
    await put(store, input(`${group}2`, {}, { type: "System.Resources/resourceGroups" }));
    await put(store, input(containerId("web")));
    await put(store, input(containerId("far", `${group}2`)));
    await put(store, input(child, {}, { type: `${containerType}/logs` }));
    await put(store, input(`${plane}/providers/System.Resources/x/y`, {}, { type: "System.Resources/x" }));

    assert.deepEqual(await names(store, { under: group.toUpperCase() }), ["web", "today"]);
    assert.deepEqual(await names(store, { under: `${group}/` }), ["web", "today"]);
    assert.deepEqual(await names(store, { under: group, topLevel: true }), ["web"]);
    assert.deepEqual(await names(store, { under: plane, type: containerType.toUpperCase() }), ["web", "far"]);
    assert.deepEqual(await names(store, { under: plane, directly: true }), ["y"]);
    assert.deepEqual(await names(store, { under: plane, type: "system.resources/resourcegroups" }), ["dev", "dev2"]);
    assert.equal((await names(store, { under: "/planes" })).length, 6);
    assert.equal((await names(store, { under: "/" })).length, 6);
    assert.deepEqual(await names(store, { under: containerId("web") }), ["today"]);
    assert.deepEqual(await names(store, { under: "/planes/azure" }), []);
  });

  it(`${name} pages through a list without losing or repeating what stays, while others write`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    for (const letter of ["b", "d", "f", "h"]) {
      await put(store, input(containerId(letter)));
    }

    const first = await store.list({ under: group, limit: 2 });
    await put(store, input(containerId("a")));
    await put(store, input(containerId("e")));
    await store.write({ document: { kind: "remove", id: containerId("d"), expect: "any" } });
    const second = await store.list({ under: group, limit: 3, after: first.next ?? "" });

    assert.deepEqual(first.items.map(nameOf), ["b", "d"]);
    assert.deepEqual(second.items.map(nameOf), ["e", "f", "h"]);
    assert.equal(second.next, undefined);
  });

  it(`${name} refuses a page token that it did not make for this list`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    for (const letter of ["a", "b"]) {
      await put(store, input(containerId(letter)));
    }
    const { next = "" } = await store.list({ under: group, limit: 1 });

    for (const after of ["", "x", "!!", `${next}A`, `${next}=`, Buffer.from("1/zzz").toString("base64url")]) {
      await assert.rejects(store.list({ under: group, after }), { code: "InvalidToken" }, after);
    }
    await assert.rejects(store.list({ under: `${group}-other`, after: next }), { code: "InvalidToken" });
  });

  it(`${name} pages like a sorted list, whatever the ids`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const segment = fc.string({
      unit: fc.constantFrom("a", "B", "-", ".", "0", "ü", "ﬀ", "𝄞", " "),
      minLength: 1,
      maxLength: 3,
    });
    const ids = fc.uniqueArray(segment, { minLength: 1, maxLength: 12, selector: (text) => text.toLowerCase() });
    let round = 0;

    await fc.assert(
      fc.asyncProperty(ids, fc.integer({ min: 1, max: 5 }), async (segments, limit) => {
        round += 1;
        const scope = `${group}${round}`;
        await Promise.all(segments.map((text) => put(store, input(containerId(text, scope)))));
        const expected = segments.map((text) => containerId(text, scope)).sort(byKeyBytes);

        assert.deepEqual(await allPages(store, { under: scope, type: containerType, limit }), expected);
        assert.deepEqual(await allPages(store, { under: scope, limit }), expected);
        assert.deepEqual(
          (await store.list({ under: scope })).items.map((item) => item.id),
          expected,
        );
      }),
      { numRuns: 25 },
    );
  });

  it(`${name} announces which type was written or removed, after it happened`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const events: StoreEvent[] = [];
    const seen: Promise<unknown>[] = [];
    {
      using _subscription = store.subscribe((event) => {
        events.push(event);
        seen.push(store.get(containerId("web")));
      });
      await put(store, input(containerId("web")));
      await store.write({ document: { kind: "remove", id: containerId("web"), expect: "any" } });
      await store.write({ document: { kind: "remove", id: containerId("web"), expect: "any" } });
    }
    await put(store, input(containerId("unheard")));

    const event = { kind: "document", type: containerType.toLowerCase() };
    assert.deepEqual(events, [event, event]);
    assert.deepEqual((await Promise.all(seen)).map((document) => document !== undefined).at(-1), false);
  });

  it(`${name} goes on when a listener fails`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const heard: StoreEvent[] = [];
    using _broken = store.subscribe(() => {
      throw new Error("a bug in the listener");
    });
    using _other = store.subscribe((event) => heard.push(event));

    await put(store, input(containerId("web")));

    assert.equal(heard.length, 1);
  });

  it(`${name} answers a ping until it is closed`, async () => {
    const fixture = await open();
    const { store } = fixture;
    await store.ping();

    await fixture[Symbol.asyncDispose]();

    await assert.rejects(store.ping(), { code: "Unavailable" });
    await assert.rejects(put(store, input(containerId("web"))), { code: "Unavailable" });
  });
}

async function names(store: Store, query: ListQuery): Promise<string[]> {
  return (await store.list(query)).items.map(nameOf);
}

function nameOf({ id }: { readonly id: string }): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

async function allPages(store: Store, query: ListQuery & { readonly limit: number }): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const page = await store.list(after === undefined ? query : { ...query, after });
    assert.ok(page.items.length <= query.limit);
    assert.ok(page.items.length > 0, "a next token leads somewhere");
    ids.push(...page.items.map((item) => item.id));
    after = page.next;
  } while (after !== undefined);
  return ids;
}

function byKeyBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left.toLowerCase()), Buffer.from(right.toLowerCase()));
}
