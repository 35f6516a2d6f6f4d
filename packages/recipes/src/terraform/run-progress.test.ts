import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { StepHandle } from "@rad/operations";
import type { RunEvent } from "@rad/terraform";
import { RunLog } from "./run-log.ts";
import { RunProgress } from "./run-progress.ts";

/** Writes down what becomes of steps. */
function recordingStep(log: string[], path = ""): StepHandle {
  return {
    detail: (text) => void log.push(`${path}: ${text}`),
    share: (done) => void log.push(`${path} ${done}`),
    step: async (name, work) => {
      const own = `${path}/${name}`;
      log.push(`${own} began`);
      try {
        const result = await work(recordingStep(log, own));
        log.push(`${own} succeeded`);
        return result;
      } catch (error) {
        log.push(`${own} failed`);
        throw error;
      }
    },
  };
}

const resource = (
  address: string,
  state: "started" | "progress" | "completed" | "failed",
): Extract<RunEvent, { kind: "resource" }> => ({
  kind: "resource",
  address,
  type: "t",
  action: "create",
  state,
  elapsedSeconds: 10,
});

it("each resource is a step below its phase, with how it ended and how far the phase is", async () => {
  const log: string[] = [];
  const progress = new RunProgress(recordingStep(log));

  await progress.during("Apply", async () => {
    progress.onEvent({ kind: "planned", address: "a", type: "t", action: "create" });
    progress.onEvent({ kind: "planned", address: "b", type: "t", action: "create" });
    progress.onEvent(resource("a", "started"));
    progress.onEvent(resource("b", "started"));
    await Promise.resolve();
    progress.onEvent(resource("a", "progress"));
    progress.onEvent(resource("a", "completed"));
    progress.onEvent(resource("b", "failed"));
  });

  assert.deepEqual(log.toSorted(), [
    "/Apply 0.5",
    "/Apply 1",
    "/Apply began",
    "/Apply succeeded",
    "/Apply/Create a began",
    "/Apply/Create a succeeded",
    "/Apply/Create a: 10 s",
    "/Apply/Create b began",
    "/Apply/Create b failed",
  ]);
});

it("a resource that fails before its step is stored fails that step, which ends before its phase", async () => {
  const log: string[] = [];
  const stored = Promise.withResolvers<void>();
  const phase = recordingStep(log, "/Apply");
  const slowPhase: StepHandle = {
    ...phase,
    step: async (name, work) => {
      await stored.promise;
      return await phase.step(name, work);
    },
  };
  const progress = new RunProgress({ ...phase, step: async (_, work) => await work(slowPhase) });

  await progress.during("Apply", async () => {
    progress.onEvent(resource("a", "started"));
    progress.onEvent(resource("a", "failed"));
    await setImmediate(); // an unhandled rejection would end the process now
    stored.resolve();
  });

  assert.deepEqual(log, ["/Apply/Create a began", "/Apply/Create a failed"]);
});

it("steps of a command that was killed end with it", async () => {
  const log: string[] = [];
  const progress = new RunProgress(recordingStep(log));

  const killed = progress.during("Apply", async () => {
    progress.onEvent(resource("a", "started"));
    throw new Error("killed");
  });

  await assert.rejects(killed, /killed/);
  assert.ok(log.indexOf("/Apply/Create a failed") < log.indexOf("/Apply failed"));
  progress.onEvent(resource("b", "started"));
  assert.ok(!log.some((line) => line.includes("Create b")));
});

it("the log of a run keeps its end", () => {
  const log = new RunLog();
  for (let line = 0; line < 10_000; line += 1) {
    log.add(`${line} ${"x".repeat(100)}`);
  }

  const text = log.text();

  assert.ok(text.length < 256 * 1024);
  assert.match(text, /^\(\d+ lines before this one are not kept\)\n/);
  assert.match(text, /\n9999 x+\n$/);
});
