import assert from "node:assert/strict";
import { it } from "node:test";
import type { StoreEvent } from "../store.ts";
import { decodeNotification, encodeNotification } from "./notifications.ts";

const ended: StoreEvent = { kind: "ended", operationId: "o" };

it("tells others everything that fits, and its own process what has to be in order", () => {
  const ordered: StoreEvent = { kind: "progress", operationId: "o", document: { id: "/a", etag: "e" } };
  const text = encodeNotification("us", [ordered, ended]);

  assert.deepEqual(decodeNotification("them", text), [ordered, ended]);
  assert.deepEqual(decodeNotification("us", text), [ordered]);
});

it("tells of too many documents only that there are any, once for each operation", () => {
  const documents = Array.from({ length: 100 }, (_, index): StoreEvent[] => [
    { kind: "document", type: "a.b/c" },
    { kind: "progress", operationId: index % 2 === 0 ? "o" : "p", document: { id: `/${"x".repeat(99)}`, etag: "e" } },
  ]).flat();
  const steps: StoreEvent = { kind: "progress", operationId: "o" };

  const text = encodeNotification("us", [...documents, steps, ended]);

  assert.ok(Buffer.byteLength(text) < 8_000);
  assert.deepEqual(decodeNotification("them", text), [
    { kind: "document", type: "*" },
    { kind: "progress", operationId: "o", document: "*" },
    { kind: "progress", operationId: "p", document: "*" },
    steps,
    ended,
  ]);
});
