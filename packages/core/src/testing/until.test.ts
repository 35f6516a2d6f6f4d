import assert from "node:assert/strict";
import { it } from "node:test";
import { until } from "./until.ts";

it("resolves to the first thing that is found, be it null or empty", async () => {
  const looks = [undefined, false, null, "late"];

  assert.equal(await until("there is something", () => looks.shift()), null);
  assert.equal(await until("there is something", async () => ""), "");
});

it("gives up in the end, and says how far things got", async () => {
  let looks = 0;
  const waiting = until(
    () => `pigs fly, after ${looks > 0 ? "some looks" : "no look"}`,
    () => ++looks < 0,
    { timeoutMs: 1 },
  );

  await assert.rejects(waiting, { message: "Waited 1 ms in vain until pigs fly, after some looks." });
});
