import assert from "node:assert/strict";
import { it } from "node:test";
import type { StoredAuditRecord } from "@rad/store";
import { auditFilter } from "./audit-filter.ts";

const group = "/planes/radius/local/resourceGroups/team";
const record: Omit<StoredAuditRecord, "sequence"> = {
  phase: "intent",
  time: new Date("2025-03-01T10:00:00Z"),
  caller: "local-admin",
  action: "Test.Audit/things/write",
  target: `${group}/providers/Test.Audit/things/a`,
  apiVersion: "1",
  correlationId: "c",
  operationId: undefined,
  status: undefined,
  result: undefined,
  intentId: undefined,
};
const records: readonly StoredAuditRecord[] = [
  { ...record, sequence: 1 },
  { ...record, sequence: 2, phase: "outcome", result: "Succeeded", time: new Date("2025-03-01T12:00:00Z") },
  { ...record, sequence: 3, phase: "refusal", caller: "token:ci", result: "Forbidden", target: `${group}2` },
];

const cases: readonly (readonly [query: string, sequences: readonly number[]])[] = [
  ["", [1, 2, 3]],
  ["since=2025-03-01", [1, 2, 3]],
  ["since=2025-03-01T11:00:00Z", [2]],
  ["since=2025-03-01T12:00:00%2B01:00", [2]],
  ["since=2025-03-01T10:00Z", [1, 2, 3]],
  ["caller=token:ci", [3]],
  ["caller=ci", []],
  [`target=${group}`, [1, 2]],
  [`target=${group.toUpperCase()}/`, [1, 2]],
  ["target=/planes/radius/local", [1, 2, 3]],
  ["outcome=succeeded", [2]],
  ["outcome=Forbidden", [3]],
  ["outcome=Refused", [3]],
  ["outcome=Failed", []],
  [`caller=local-admin&outcome=Succeeded&target=${group}&since=2025-03-01`, [2]],
];
for (const [query, sequences] of cases) {
  it(`the audit log with "${query}" has ${sequences.join(", ") || "nothing"}`, () => {
    const parameters = new URLSearchParams(query);
    const wanted = auditFilter((name) => parameters.get(name) ?? undefined);

    assert.deepEqual(
      records.filter(wanted).map(({ sequence }) => sequence),
      sequences,
    );
  });
}

for (const since of ["", "yesterday", "1h", "2025-13-01", "2025-03-01T10:00:00", "2025-03-01T25:00:00Z"]) {
  it(`"${since}" is no time`, () => {
    assert.throws(() => auditFilter((name) => (name === "since" ? since : undefined)), { code: "BadRequest" });
  });
}
