import assert from "node:assert/strict";
import { it } from "node:test";
import { Limiter, systemClock } from "@rad/core";
import { CheckList } from "./check-list.ts";

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const checkList = (signal = new AbortController().signal): CheckList => new CheckList(systemClock, signal, describe);
const passing = async () => ({ message: "fine", value: 1 });
const timeoutMs = 60_000;

it("checks keep their order, and what needs a failed one is skipped with its name", async () => {
  const checks = checkList();
  const first = checks.add("first", { timeoutMs }, () => Promise.reject(new Error("broken")));
  const second = checks.add("second", { timeoutMs, needs: [first] }, passing);
  checks.add("third", { timeoutMs, needs: [second] }, passing);
  checks.add("fourth", { timeoutMs }, passing);
  checks.skip("fifth", "not here");

  const results = await checks.results();

  assert.deepEqual(
    results.map(({ name, status, message }) => [name, status, message]),
    [
      ["first", "failed", "broken"],
      ["second", "skipped", "Needs 'first'."],
      ["third", "skipped", "Needs 'second'."],
      ["fourth", "passed", "fine"],
      ["fifth", "skipped", "not here"],
    ],
  );
});

it("work that does not end in time fails its check alone, whether it heeds the signal or not", async () => {
  const checks = checkList();
  checks.add("slow", { timeoutMs: 20 }, () => new Promise<never>(() => {}));
  checks.add("quick", { timeoutMs }, passing);

  const results = await checks.results();

  assert.deepEqual(
    results.map(({ status, message }) => [status, message]),
    [
      ["failed", "No answer within 0.02 s."],
      ["passed", "fine"],
    ],
  );
});

it("a caller who goes away ends everything with their reason", async () => {
  const caller = new AbortController();
  const checks = checkList(caller.signal);
  let isAborted = false;
  const started = Promise.withResolvers<void>();
  checks.add("endless", { timeoutMs }, (signal) => {
    signal.addEventListener("abort", () => (isAborted = true));
    started.resolve();
    return new Promise<never>(() => {});
  });

  const results = checks.results();
  await started.promise;
  caller.abort(new Error("gone"));

  await assert.rejects(results, { message: "gone" });
  assert.equal(isAborted, true);
});

it("checks that take turns run a few at once", async () => {
  const checks = checkList();
  const turns = new Limiter(3);
  let running = 0;
  let most = 0;
  for (let count = 0; count < 20; count += 1) {
    checks.add(`host ${count}`, { timeoutMs, turns }, async () => {
      running += 1;
      most = Math.max(most, running);
      await systemClock.sleep(1);
      running -= 1;
      return await passing();
    });
  }

  const results = await checks.results();

  assert.ok(results.every(({ status }) => status === "passed"));
  assert.equal(most, 3);
});
