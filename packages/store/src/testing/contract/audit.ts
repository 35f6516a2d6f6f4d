import assert from "node:assert/strict";
import { it } from "node:test";
import type { Store } from "../../store.ts";
import { accept, auditRecord } from "./fixture.ts";
import { oldKey } from "./keys.ts";
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

    await fixture.advance(1);
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
    await audit.append([auditRecord({ caller: "ana", time: new Date() })]);
    await fixture.advance(100_000);
    await audit.append([auditRecord({ caller: "ben", time: new Date(0) })]); // by a process whose clock is wrong

    const pruned = await audit.prune(50_000);

    assert.equal(pruned, 1);
    assert.deepEqual(
      (await audit.list({ limit: 10 })).map(({ caller }) => caller),
      ["ben"],
    );
  });

  it(`${name} records one intent and one outcome, however often they are written`, async () => {
    await using fixture = await open();
    const { audit } = fixture.store;
    const intent = auditRecord({ intentId: "i-1" });
    const outcome = auditRecord({ intentId: "i-1", phase: "outcome", result: "Succeeded" });

    await audit.append([outcome]);
    await audit.append([intent]);
    await audit.append([intent]);
    await fixture.store.write({ audit: [outcome] });
    await audit.append([{ ...outcome, result: "Failed" }]);

    assert.deepEqual(await trail(fixture.store), ["intent", "outcome Succeeded"]);
  });

  it(`${name} leaves the intents of a living process open`, async () => {
    await using fixture = await open();
    await fixture.store.audit.append([auditRecord({ intentId: "i-1" })]);

    await fixture.advance(hour);
    const closed = await fixture.store.audit.closeAbandoned();

    assert.equal(closed, 0);
    assert.deepEqual(await trail(fixture.store), ["intent"]);
  });

  it(`${name} ends intents as unknown once their process is gone`, async () => {
    await using fixture = await open();
    await fixture.store.audit.append([
      auditRecord({ intentId: "i-1", correlationId: "cut off" }),
      auditRecord({ intentId: "i-2" }),
      auditRecord({ intentId: "i-2", phase: "outcome", result: "Succeeded" }),
    ]);

    const store = await fixture.reopen({ keys: [oldKey] });
    await fixture.advance(hour);
    await Promise.all([store.audit.closeAbandoned(), store.audit.closeAbandoned()]);

    assert.deepEqual(await trail(store), ["intent", "intent", "outcome Succeeded", "outcome Unknown"]);
    const [first, , , last] = await store.audit.list({ limit: 9 });
    const { time: _time, ...unknown } = { ...last, sequence: first?.sequence, phase: first?.phase, result: undefined };
    const { time: _since, ...intent } = first ?? auditRecord();
    assert.deepEqual(unknown, intent);
  });

  it(`${name} ends intents as unknown that their process has given up`, async () => {
    await using fixture = await open();
    const { audit } = fixture.store;
    await audit.append([auditRecord({ intentId: "i-1" })]);

    audit.abandon("i-1");
    await fixture.advance(hour);
    await audit.closeAbandoned();
    await audit.append([auditRecord({ intentId: "i-1", phase: "outcome", result: "Succeeded" })]);

    assert.deepEqual(await trail(fixture.store), ["intent", "outcome Unknown"]);
  });

  it(`${name} keeps the intents of an operation open until that has ended`, async () => {
    await using fixture = await open();
    const operationId = await accept(fixture.store, { timeoutMs: 24 * hour });
    await fixture.store.audit.append([auditRecord({ intentId: "i-1", operationId })]);

    const store = await fixture.reopen({ keys: [oldKey] });
    await fixture.advance(hour);
    await store.audit.closeAbandoned();
    const before = await trail(store);
    await store.write({ supersede: operationId });
    await store.audit.closeAbandoned();

    assert.deepEqual(before, ["intent"]);
    assert.deepEqual(await trail(store), ["intent", "outcome Unknown"]);
  });

  it(`${name} records a cancellation together with its effect, and none that has no effect`, async () => {
    await using fixture = await open();
    const { operations } = fixture.store;
    const id = await accept(fixture.store);
    const record = auditRecord({ operationId: id });

    const first = await operations.requestCancel(id, "enough", [record]);
    await fixture.store.write({ supersede: id });
    const second = await operations.requestCancel(id, "enough", [record]);

    assert.deepEqual([first, second], [true, false]);
    assert.deepEqual(await trail(fixture.store), ["intent"]);
  });

  it(`${name} stores whatever characters a refused request had`, async () => {
    await using fixture = await open();
    const { audit } = fixture.store;

    await audit.append([auditRecord({ target: "/planes/\0" }), auditRecord({ target: "/planes/\ud800" })]);

    assert.equal((await audit.list({ limit: 9 })).length, 2);
  });
}

const hour = 3_600_000;
const absent = { operationId: undefined, status: undefined, result: undefined, intentId: undefined };

async function trail(store: Store): Promise<readonly string[]> {
  const records = await store.audit.list({ limit: 100 });
  return records.map(({ phase, result }) => (result === undefined ? phase : `${phase} ${result}`));
}
