import assert from "node:assert/strict";
import { it } from "node:test";
import { auditRecord } from "./fixture.ts";
import type { OpenFixture } from "./fixture.ts";

export function describeAudit(name: string, open: OpenFixture): void {
  it(`${name} returns audit records as they were written, oldest first, from any point on`, async () => {
    await using fixture = await open();
    const { audit } = fixture.store;
    const full = auditRecord({ phase: "refusal", operationId: "op-1", status: 403, result: "Forbidden" });
    const bare = auditRecord();

    await audit.append([full, bare]);
    await audit.append([auditRecord({ caller: "ben" })]);
    const all = await audit.list({ limit: 10 });
    const first = await audit.list({ limit: 1 });
    const rest = await audit.list({ after: all[0]?.sequence ?? 0, limit: 10 });

    assert.deepEqual(
      all,
      [full, bare, auditRecord({ caller: "ben" })].map((record, index) => ({
        ...absent,
        ...record,
        sequence: all[index]?.sequence,
      })),
    );
    assert.deepEqual(first, all.slice(0, 1));
    assert.deepEqual(rest, all.slice(1));
    assert.deepEqual(await audit.list({ after: rest.at(-1)?.sequence ?? 0, limit: 10 }), []);
  });

  it(`${name} numbers audit records upwards, also when many are written at once and old ones are gone`, async () => {
    await using fixture = await open();
    const { audit } = fixture.store;
    await Promise.all(Array.from({ length: 10 }, (_, n) => audit.append([auditRecord({ correlationId: `c-${n}` })])));
    const before = await audit.list({ limit: 100 });

    await audit.prune(0);
    await audit.append([auditRecord()]);
    const after = await audit.list({ limit: 100 });

    const numbers = [...before, ...after].map((record) => record.sequence);
    assert.equal(after.length, 1);
    assert.equal(numbers.length, 11);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    );
  });

  it(`${name} forgets audit records older than asked for, and no others`, async () => {
    await using fixture = await open();
    const { audit } = fixture.store;
    const now = Date.now();
    await audit.append([new Date(now - 100_000), new Date(now + 100_000)].map((time) => auditRecord({ time })));

    const pruned = await audit.prune(50_000);

    assert.equal(pruned, 1);
    assert.deepEqual(
      (await audit.list({ limit: 10 })).map((record) => record.time.getTime()),
      [now + 100_000],
    );
  });
}

const absent = { operationId: undefined, status: undefined, result: undefined };
