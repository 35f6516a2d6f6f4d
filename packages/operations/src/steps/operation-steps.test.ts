import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Redactor } from "@rad/core";
import { FakeClock, until } from "@rad/core/testing";
import type { OperationStep } from "@rad/store";
import { OperationSteps } from "./operation-steps.ts";

const startTime = "2026-01-01T00:00:00.000Z";

/** Steps of an attempt, and what was stored of them so far. */
function attempt(stored: readonly OperationStep[] = []) {
  const writes: (readonly OperationStep[])[] = [];
  const redactor = new Redactor();
  const stop = new AbortController();
  const clock = new FakeClock(new Date(startTime));
  const steps = new OperationSteps({
    stored,
    store: async (snapshot) => {
      writes.push(snapshot);
    },
    clock,
    redactor,
    signal: stop.signal,
  });
  return { steps, clock, writes, redactor, stop, last: () => writes.at(-1) ?? [] };
}

it("stores a step when it begins and when it ends, with the steps within", async () => {
  const { steps, writes, last } = attempt();

  const result = await steps.run("apply", async (step) => {
    await step.step("plan", async () => {}, { detail: "reading" });
    await assert.rejects(
      step.step("run", async () => {
        throw new Error("no");
      }),
      /no/,
    );
    return 7;
  });

  assert.equal(result, 7);
  assert.deepEqual(writes[0], [{ name: "apply", state: "Running", startTime }]);
  assert.deepEqual(last(), [
    {
      name: "apply",
      state: "Succeeded",
      startTime,
      endTime: startTime,
      steps: [
        { name: "plan", state: "Succeeded", startTime, endTime: startTime, detail: "reading" },
        { name: "run", state: "Failed", startTime, endTime: startTime, message: "no" },
      ],
    },
  ]);
});

it("gathers what a step says about itself, and stores the last of it before the step ends", async () => {
  const { steps, writes, last } = attempt();

  await steps.run("copy", async (step) => {
    for (let n = 0; n <= 1_000; n += 1) {
      step.detail(`file ${n}`);
      step.share(n / 1_000);
    }
  });

  assert.equal(writes.length, 2);
  assert.equal(last()[0]?.detail, "file 1000");
});

it("stores what a step says about itself while it runs", async () => {
  const { steps, clock, writes, last } = attempt();
  const release = Promise.withResolvers<void>();

  const run = steps.run("copy", async (step) => {
    step.detail("file 1");
    step.share(3);
    await release.promise;
  });
  await until("a write is planned", () => clock.sleeping === 1);
  clock.advance(250);
  await until("it is stored", () => writes.length === 2);

  assert.deepEqual(last(), [{ name: "copy", state: "Running", startTime, detail: "file 1", share: 1 }]);
  release.resolve();
  await run;
});

it("stores nothing more once the attempt is over", async () => {
  const { steps, clock } = attempt();

  await steps.run("copy", async (step) => step.detail("file 1"));
  const planned = clock.sleeping;
  steps[Symbol.dispose]();

  assert.deepEqual([planned, clock.sleeping], [1, 0]);
});

it("shows no secret, and no more than 200 characters", async () => {
  const { steps, last, redactor } = attempt();
  redactor.add(["canary-secret"]);

  await steps.run(`use canary-secret ${"x".repeat(500)}`, async (step) => {
    step.detail(`with canary-secret ${"ü".repeat(500)}`);
  });

  const [{ name, detail } = { name: "", detail: "" }] = last();
  assert.doesNotMatch(`${name}${detail}`, /canary/);
  assert.deepEqual([name.length, detail?.length], [200, 200]);
});

it("calls a step cancelled whose operation was told to stop", async () => {
  const { steps, last, stop } = attempt();

  const run = steps.run("wait", async () => {
    stop.abort(new Error("stop"));
    stop.signal.throwIfAborted();
  });

  await assert.rejects(run, /stop/);
  assert.equal(last()[0]?.state, "Canceled");
});

it("a later attempt takes up what is unfinished and adds what it runs again", async () => {
  const first = attempt();
  await first.steps.run("plan", async () => {});
  void first.steps.run("apply", () => new Promise<void>(() => {}));
  await sleep(1);
  const earlier = "2025-12-31T00:00:00.000Z";
  const second = attempt(first.last().map((step) => ({ ...step, startTime: earlier })));

  await second.steps.run("plan", async () => {});
  await Promise.all([second.steps.run("apply", async () => {}), second.steps.run("apply", async () => {})]);

  assert.deepEqual(
    second.last().map(({ name, state, startTime: begun }) => [name, state, begun]),
    [
      ["plan", "Succeeded", earlier],
      ["apply", "Succeeded", earlier],
      ["plan", "Succeeded", startTime],
      ["apply", "Succeeded", startTime],
    ],
  );
});

it("keeps 200 steps, and tells how many earlier ones there were", async () => {
  const { steps, last } = attempt();

  await steps.run("all", async (step) => {
    for (let n = 1; n <= 300; n += 1) {
      await step.step(`part ${n}`, async () => {});
    }
  });

  const kept = last()[0]?.steps ?? [];
  assert.equal(kept.length, 199);
  assert.deepEqual([kept[0]?.name, kept[0]?.folded, kept.at(-1)?.name], ["102 earlier steps", 102, "part 300"]);
  assert.equal(kept[1]?.name, "part 103");
});

it("folds a finished step together with what is below it", async () => {
  const { steps, last } = attempt();

  for (let n = 1; n <= 100; n += 1) {
    await steps.run(`group ${n}`, async (step) => {
      await step.step("a", async () => {});
      await step.step("b", async () => {});
    });
  }

  const kept = last();
  const total = kept.reduce((sum, { steps: inner = [] }) => sum + 1 + inner.length, 0);
  assert.ok(total <= 200, String(total));
  assert.equal((kept[0]?.folded ?? 0) + total - 1, 300);
});

it("does not list more than it keeps, however many run at once", async () => {
  const { steps, last } = attempt();
  const release = Promise.withResolvers<void>();

  const runs = Array.from({ length: 300 }, (_, n) => steps.run(`part ${n}`, () => release.promise));
  await sleep(1);
  const listed = last().length;
  release.resolve();
  await Promise.all(runs);

  assert.equal(listed, 200);
});
