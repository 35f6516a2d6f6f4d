import assert from "node:assert/strict";
import { it } from "node:test";
import type { BytesRequest } from "@rad/modules";
import type { AuditRecord } from "@rad/store";
import { openTemporaryStore } from "@rad/store/testing";
import { auditRoute } from "./audit-route.ts";

it("a long log goes out over many turns of the event loop", async () => {
  await using store = await openTemporaryStore();
  const record: AuditRecord = {
    phase: "refusal",
    time: new Date(),
    caller: "somebody",
    action: "Test.Audit/things/write",
    target: `/planes/radius/local/${"x".repeat(200)}`,
    apiVersion: "1",
    correlationId: "c",
  };
  for (let batch = 0; batch < 20; batch += 1) {
    await store.audit.append(Array.from({ length: 1_000 }, () => record));
  }
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) {
      setImmediate(count);
    }
  };
  setImmediate(count);

  const answer = await auditRoute(() => store).handle({ parameter: () => undefined } as unknown as BytesRequest);
  let lines = 0;
  for await (const chunk of answer.body as AsyncIterable<string>) {
    lines += chunk.split("\n").length - 1;
  }
  isOver = true;

  assert.equal(lines, 20_000);
  assert.ok(turns >= 10, `${turns} turns`);
});
