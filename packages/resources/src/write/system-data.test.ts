import assert from "node:assert/strict";
import { it } from "node:test";
import type { Caller } from "../caller.ts";
import { mergeSystemData, systemDataFor } from "./system-data.ts";

const now = new Date("2025-03-01T10:00:00Z");
const proxy: Caller = { kind: "frontProxy", subject: "proxy:alice", groups: [] };
const local: Caller = { kind: "token", subject: "local-admin", groups: [] };

it("system data comes from the caller", () => {
  assert.deepEqual(systemDataFor(local, now), {
    createdBy: "local-admin",
    createdByType: "User",
    createdAt: "2025-03-01T10:00:00.000Z",
    lastModifiedBy: "local-admin",
    lastModifiedByType: "User",
    lastModifiedAt: "2025-03-01T10:00:00.000Z",
  });
});

it("tokens of programs and service accounts count as applications", () => {
  const types = [
    { kind: "token", subject: "token:ci", groups: [] } as const,
    { kind: "frontProxy", subject: "proxy:system:serviceaccount:radius-system:controller", groups: [] } as const,
    { kind: "oidc", subject: "oidc:ann", groups: [] } as const,
    proxy,
  ].map((caller) => systemDataFor(caller, now).createdByType);

  assert.deepEqual(types, ["Application", "Application", "User", "User"]);
});

it("creation is kept and the last change overwritten", () => {
  const first = systemDataFor(local, now);
  const second = systemDataFor(proxy, new Date("2025-03-02T10:00:00Z"));

  assert.deepEqual(mergeSystemData(undefined, first), first);
  assert.deepEqual(mergeSystemData(first, second), {
    createdBy: "local-admin",
    createdByType: "User",
    createdAt: "2025-03-01T10:00:00.000Z",
    lastModifiedBy: "proxy:alice",
    lastModifiedByType: "User",
    lastModifiedAt: "2025-03-02T10:00:00.000Z",
  });
});

it("a missing creation record is filled from the last change, and a missing change keeps the earlier one", () => {
  const changed = { lastModifiedBy: "bob", lastModifiedAt: "2025-01-01T00:00:00Z" };

  assert.deepEqual(mergeSystemData({}, changed), {
    createdBy: "bob",
    createdAt: "2025-01-01T00:00:00Z",
    ...changed,
  });
  assert.deepEqual(mergeSystemData(changed, { createdBy: "eve", createdAt: "2026-01-01T00:00:00Z" }), {
    createdBy: "eve",
    createdAt: "2026-01-01T00:00:00Z",
    ...changed,
  });
});
