import assert from "node:assert/strict";
import { test } from "node:test";
import { auditQuery } from "./print-audit.ts";

const now = Date.parse("2025-03-10T12:00:00Z");
for (const [since, expected] of [
  ["30s", "2025-03-10T11:59:30.000Z"],
  ["15m", "2025-03-10T11:45:00.000Z"],
  ["12h", "2025-03-10T00:00:00.000Z"],
  ["7d", "2025-03-03T12:00:00.000Z"],
  ["2025-03-01T10:00:00+01:00", "2025-03-01T09:00:00.000Z"],
  ["2025-03-01", new Date(2025, 2, 1).toISOString()],
] as const) {
  test(`--since ${since} is ${expected}`, () => {
    assert.deepEqual(auditQuery({ since }, now), { since: expected });
  });
}

for (const flags of [
  { since: "" },
  { since: "yesterday" },
  { since: "1w" },
  { since: "2025-13-01" },
  { since: "999999999d" },
  { after: "-1" },
  { after: "x" },
]) {
  test(`${JSON.stringify(flags)} is refused`, () => {
    assert.throws(() => auditQuery(flags, now), { code: "InvalidUsage" });
  });
}

test("filters are passed on as they are", () => {
  const flags = { after: "7", caller: "oidc:alice", target: "/planes/radius/local", outcome: "Failed" };

  assert.deepEqual(auditQuery(flags, now), flags);
});
