import assert from "node:assert/strict";
import { it } from "node:test";
import { silentLogger } from "@rad/core";
import { reportFailures } from "./export-reports.ts";

it("only the first failure and the first success after it are logged, and every result is passed on", () => {
  const results = [0, 1, 1, 0, 0, 1];
  const exporter = {
    export(_items: string, done: (result: { code: number }) => void) {
      done({ code: results.shift() ?? 0 });
    },
  };
  const lines: string[] = [];
  const passedOn: number[] = [];
  const log = {
    ...silentLogger,
    info: (message: string) => void lines.push(`info ${message}`),
    warn: (message: string) => void lines.push(`warn ${message}`),
  };

  reportFailures(exporter, "traces", log);
  while (results.length > 0) {
    exporter.export("batch", (result) => passedOn.push(result.code));
  }

  assert.deepEqual(passedOn, [0, 1, 1, 0, 0, 1]);
  assert.deepEqual(lines, [
    "warn traces cannot be delivered to the collector",
    "info traces reach the collector again",
    "warn traces cannot be delivered to the collector",
  ]);
});
