import assert from "node:assert/strict";
import { it } from "node:test";
import { silentLogger, systemClock } from "@rad/core";
import { HistoryPruner } from "./history-pruner.ts";

it("looks once for all that end together, and once more for those that end during a look, whatever became of it", async () => {
  const looks: string[] = [];
  const pruner = new HistoryPruner(
    async (scope) => {
      if (looks.push(scope) === 1) {
        pruner.ended("/G");
        pruner.ended("/g");
      }
      throw new Error("no database");
    },
    { clock: systemClock, log: silentLogger },
  );

  ["/g", "/G", "/other"].forEach((scope) => pruner.ended(scope));
  await pruner[Symbol.asyncDispose]();
  pruner.ended("/g");
  await pruner[Symbol.asyncDispose]();

  assert.deepEqual(looks.toSorted(), ["/g", "/g", "/g", "/other"]);
});
