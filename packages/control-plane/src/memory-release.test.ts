import assert from "node:assert/strict";
import { it } from "node:test";
import { silentLogger } from "@rad/core";
import { MemoryRelease } from "./memory-release.ts";

/** A process whose requests and CPU time the test decides on. */
function watch() {
  const state = { requests: 0, cpuMs: 0, collected: 0, operations: { begun: 0, underWay: 0 } };
  const release = new MemoryRelease({
    requests: () => state.requests,
    operations: () => state.operations,
    cpuMs: () => state.cpuMs,
    collect: () => void (state.collected += 1),
    log: silentLogger,
  });
  const look = (times: number, requests: number, cpuMs: number): number => {
    for (let count = 0; count < times; count += 1) {
      state.requests += requests;
      state.cpuMs += cpuMs;
      release.look();
    }
    return state.collected;
  };
  const operations = (begun: number, underWay: number): void => void (state.operations = { begun, underWay });
  return { look, operations, [Symbol.dispose]: () => release[Symbol.dispose]() };
}

it("collects once after work, when some seconds were quiet", () => {
  using process = watch();

  assert.equal(process.look(10, 1_000, 900), 0);
  assert.equal(process.look(2, 0, 1), 0);
  assert.equal(process.look(1, 0, 1), 1);
  assert.equal(process.look(100, 0, 1), 1);
  assert.equal(process.look(10, 1_000, 900), 1);
  assert.equal(process.look(3, 0, 1), 2);
});

it("probes and scrapes do not keep it from collecting", () => {
  using process = watch();
  process.look(5, 1_000, 900);

  assert.equal(process.look(3, 2, 2), 1);
});

it("never collects while requests come, however cheap, or while something else is at work", () => {
  using process = watch();
  process.look(5, 1_000, 900);

  assert.equal(process.look(50, 3, 1), 0);
  assert.equal(process.look(50, 0, 400), 0);
  assert.equal(process.look(2, 0, 1), 0);
});

it("waits longer while an operation is under way, and not for ever", () => {
  using process = watch();
  process.look(5, 1_000, 900);
  process.operations(1, 1);

  assert.equal(process.look(30, 0, 1), 0);
  assert.equal(process.look(1, 0, 1), 1);
});

it("begins to wait anew with each operation that begins or ends", () => {
  using process = watch();
  process.look(5, 1_000, 900);
  process.look(2, 0, 1);
  process.operations(1, 1);
  process.look(20, 0, 1);
  process.operations(1, 0);
  assert.equal(process.look(3, 0, 1), 0);
  process.operations(2, 0);
  assert.equal(process.look(3, 0, 1), 0);

  assert.equal(process.look(1, 0, 1), 1);
});

it("a collection that fails stops nothing", () => {
  const warnings: string[] = [];
  let cpuMs = 1_000;
  using release = new MemoryRelease({
    requests: () => 0,
    cpuMs: () => cpuMs,
    collect: () => {
      throw new ReferenceError("gc is not defined");
    },
    log: { ...silentLogger, warn: (message) => void warnings.push(message) },
  });

  for (let look = 0; look < 4; look += 1) {
    cpuMs += 1;
    release.look();
  }

  assert.equal(warnings.length, 1);
});

it("gives memory back to the operating system, and leaves the flags of the process as they were", async () => {
  const { execFileSync } = await import("node:child_process");
  const script = `
    import { silentLogger } from "@rad/core";
    import { MemoryRelease } from ${JSON.stringify(import.meta.resolve("./memory-release.ts"))};
    let kept = [];
    for (let index = 0; index < 3_000_000; index += 1) kept.push({ index });
    kept = [];
    const before = process.memoryUsage().heapTotal;
    const release = new MemoryRelease({ requests: () => 0, log: silentLogger });
    for (let look = 0; look < 4; look += 1) release.look();
    const { runInNewContext } = await import("node:vm");
    console.log(JSON.stringify({ before, after: process.memoryUsage().heapTotal, gc: runInNewContext("typeof gc") }));
    release[Symbol.dispose]();
  `;

  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });

  const { before, after, gc } = JSON.parse(printed) as { before: number; after: number; gc: string };
  assert(after < before / 4, `${after} of ${before} bytes are left`);
  assert.equal(gc, "undefined");
});
