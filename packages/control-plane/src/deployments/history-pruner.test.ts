import assert from "node:assert/strict";
import { it } from "node:test";
import { silentLogger } from "@rad/core";
import { HistoryPruner } from "./history-pruner.ts";

it("looks once more at a scope for all that ended during a look, whatever became of that", async () => {
  const looks: string[] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const prune = async (scope: string): Promise<void> => {
    await gates[looks.push(scope) - 1]?.promise;
  };
  const pruner = new HistoryPruner(prune, silentLogger);

  ["/g", "/G", "/g", "/other"].forEach((scope) => pruner.ended(scope));
  gates.forEach((gate) => gate.reject(new Error("no database")));
  await pruner[Symbol.asyncDispose]();
  pruner.ended("/g");
  await pruner[Symbol.asyncDispose]();

  assert.deepEqual(looks, ["/g", "/other", "/g", "/g"]);
});
