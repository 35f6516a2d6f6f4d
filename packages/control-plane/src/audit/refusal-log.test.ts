import assert from "node:assert/strict";
import { it } from "node:test";
import { type Logger, silentLogger } from "@rad/core";
import { type AuditRecord, type AuditStore, StoreError } from "@rad/store";
import { RefusalLog } from "./refusal-log.ts";

const refusal: AuditRecord = {
  phase: "refusal",
  time: new Date(),
  caller: "ana",
  action: "Test.Any/things/write",
  target: "/planes/radius/local",
  apiVersion: "",
  correlationId: "c",
  status: 403,
  result: "Forbidden",
};

it("waits for the store, and shares a write with whatever is refused meanwhile", async () => {
  const writes: PromiseWithResolvers<void>[] = [];
  const batches: number[] = [];
  const append = (records: readonly AuditRecord[]): Promise<void> => {
    batches.push(records.length);
    const write = Promise.withResolvers<void>();
    writes.push(write);
    return write.promise;
  };
  const log = openLog(append);
  const answered: string[] = [];
  const refuse = (name: string): Promise<void> => log.add(refusal).then(() => void answered.push(name));

  const first = [refuse("a"), refuse("b")];
  await turns();
  const second = [refuse("c"), refuse("d"), refuse("e")];
  await turns();
  const before = [...answered];
  writes[0]?.resolve();
  await Promise.all(first);
  const between = [...answered];
  await turns();
  writes[1]?.resolve();
  await Promise.all(second);

  assert.deepEqual(before, []);
  assert.deepEqual(between, ["a", "b"]);
  assert.deepEqual(batches, [2, 3]);
});

it("answers although the store cannot take the record, and says so", async () => {
  const lines: unknown[] = [];
  let lost = 0;
  const append = (): Promise<void> => Promise.reject(new StoreError("NotWritable", "no space"));
  const log = openLog(append, {
    log: { ...silentLogger, error: (_message, fields) => void lines.push(fields?.["count"]) },
    onLost: (count) => {
      lost += count;
    },
  });

  await Promise.all([log.add(refusal), log.add(refusal)]);
  await log.add(refusal);

  assert.deepEqual([lines, lost], [[2, 1], 3]);
});

it("drops none of a flood", async () => {
  let recorded = 0;
  const log = openLog(async (records) => {
    recorded += records.length;
  });

  await Promise.all(Array.from({ length: 12_345 }, () => log.add(refusal)));

  assert.equal(recorded, 12_345);
});

function openLog(
  append: AuditStore["append"],
  more: { readonly log?: Logger; readonly onLost?: (count: number) => void } = {},
): RefusalLog {
  const audit = {
    append,
    abandon: () => {},
    closeAbandoned: async () => 0,
    list: async () => [],
    prune: async () => 0,
  };
  return new RefusalLog({ audit, log: silentLogger, onLost: () => {}, ...more });
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise(setImmediate);
  }
}
