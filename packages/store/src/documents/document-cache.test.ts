import assert from "node:assert/strict";
import { it } from "node:test";
import { openTemporaryStore } from "../testing/temporary-store.ts";
import type { StoreError } from "../store.ts";
import { DocumentCache } from "./document-cache.ts";

const row = (body: string) => ({ id: "/x", type: "T", api_version: "1", etag: "e", operation_id: null, body });

it("keeps as much as it may, the latest reads last", () => {
  const cache = new DocumentCache(100);
  for (const key of ["a", "b", "c"]) {
    cache.add(key, row(key.repeat(10)));
  }
  for (let index = 0; index < 8; index += 1) {
    cache.add(`more-${index}`, row("1234567890"));
  }

  assert.equal(cache.get("a"), undefined);
  assert.equal(cache.get("b")?.body, "bbbbbbbbbb");
  cache.forget("b");
  assert.equal(cache.get("b"), undefined);
});

it("does not keep a document that would drive out many others", () => {
  const cache = new DocumentCache(100);

  cache.add("large", row("x".repeat(11)));

  assert.equal(cache.get("large"), undefined);
});

it("stays within its bounds, whatever is read, written and read again", () => {
  const cache = new DocumentCache(10_000, 50);

  for (let index = 0; index < 1_000; index += 1) {
    cache.add(`small-${index % 120}`, row("{}"));
    cache.add(`large-${index % 70}`, row("x".repeat(index)));
    cache.forget(`small-${(index * 7) % 120}`);

    const { rows, characters } = cache.size;
    assert(rows <= 50 && characters <= 10_000, `${rows} rows with ${characters} characters`);
  }
});

it("counts nothing any more when everything is forgotten", () => {
  const cache = new DocumentCache(10_000, 50);
  for (let index = 0; index < 100; index += 1) {
    cache.add(`key-${index}`, row("x".repeat(index)));
    cache.add(`key-${index}`, row("y"));
  }

  for (let index = 0; index < 100; index += 1) {
    cache.forget(`key-${index}`);
  }

  assert.deepEqual(cache.size, { rows: 0, characters: 0 });
});

it("a store shows a document as it is after writes that succeed, fail and remove it", async () => {
  await using store = await openTemporaryStore();
  const put = (n: number, etag?: string) =>
    store.write({
      document: {
        kind: "put",
        input: { id: "/planes/Cached", type: "T.T/t", apiVersion: "1", body: { n }, secrets: {} },
        expect: etag === undefined ? "any" : { etag },
      },
    });
  await put(1);
  const first = await store.get("/planes/cached");

  await put(2);
  const second = await store.get("/PLANES/cached");
  await assert.rejects(put(3, first?.etag), (error: StoreError) => error.code === "EtagMismatch");
  const third = await store.get("/planes/cached");
  await store.write({ document: { kind: "remove", id: "/planes/cached", expect: "any" } });

  assert.deepEqual([first?.body, second?.body, third?.body], [{ n: 1 }, { n: 2 }, { n: 2 }]);
  assert.equal(await store.get("/planes/cached"), undefined);
});
