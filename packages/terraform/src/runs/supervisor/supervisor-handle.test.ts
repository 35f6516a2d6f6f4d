import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import type { CommandOrder } from "./messages.ts";
import { type CommandListener, SupervisorHandle } from "./supervisor-handle.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "supervisor-handle-"));
  await mkdir(join(folder, "work"));
});
afterEach(async () => await rm(folder, { recursive: true }));

const quiet: CommandListener = { onLine: () => {}, onEvent: () => {}, onJournalFailure: () => {} };

function order(script: string): CommandOrder {
  return { command: "get", file: "/bin/sh", args: ["-c", script], env: {}, output: "text" };
}

/** Ends with the test, however that goes. */
function opened(place = folder): SupervisorHandle & AsyncDisposable {
  const handle = new SupervisorHandle();
  handle.send({ kind: "open", runId: "r", resourceId: "/x", folder: place, graceMs: 200, isRecorded: true });
  return Object.assign(handle, {
    [Symbol.asyncDispose]: async () => {
      handle.send({ kind: "close" });
      await handle.exited;
    },
  });
}

it("a listener that throws ends its command, and the next one runs", async () => {
  await using supervisor = opened();
  const onLine = (): never => {
    throw new Error("no room for lines");
  };

  await assert.rejects(supervisor.run(order("echo line; exec sleep 300"), { ...quiet, onLine }), /no room for lines/);

  assert.equal((await supervisor.run(order("true"), quiet)).kind, "ended");
});

it("a supervisor that cannot be started is lost, whatever it is told", async () => {
  await using supervisor = opened(join(folder, "missing"));

  const end = await supervisor.run(order("true"), quiet);

  assert.equal(end.kind, "lost");
  supervisor.send({ kind: "interrupt", reason: "cancelled" });
  supervisor.kill();
});

it("a supervisor that is killed is lost, whatever it is told", async () => {
  await using supervisor = opened();
  let pid = "";

  const end = await supervisor.run(order("echo $$; exec sleep 300"), {
    ...quiet,
    onLine: ({ text }) => {
      pid = text;
      supervisor.kill();
      for (let n = 0; n < 1_000; n += 1) {
        supervisor.send({ kind: "hide", secrets: ["x".repeat(10_000)] });
      }
    },
  });

  assert.match(pid, /^\d+$/u);
  process.kill(Number(pid), "SIGKILL");
  assert.equal(end.kind, "lost");
});
