import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { until } from "@rad/core/testing";
import type { CommandOrder, FromSupervisor } from "./messages.ts";
import { Supervisor } from "./supervisor.ts";

let folder: string;
let messages: FromSupervisor[];
let supervisor: Supervisor;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "supervisor-"));
  await mkdir(join(folder, "work"));
  messages = [];
  supervisor = new Supervisor(async (message) => void messages.push(message));
  await supervisor.handle({ kind: "open", runId: "r", resourceId: "/x", folder, graceMs: 200, isRecorded: true });
  await supervisor.handle({ kind: "hide", secrets: ["hunter2222"] });
});
afterEach(async () => {
  await supervisor.end("the test is over");
  await rm(folder, { recursive: true });
});

async function run(script: string, change: Partial<CommandOrder> = {}): Promise<void> {
  const order: CommandOrder = {
    command: "get",
    file: "/bin/sh",
    args: ["-c", script],
    env: {},
    output: "text",
    ...change,
  };
  await supervisor.handle({ kind: "run", order });
}

async function entries(): Promise<string[]> {
  const text = await readFile(join(folder, "journal.jsonl"), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { kind: string }).kind);
}

const ended = (): FromSupervisor | undefined => messages.find(({ kind }) => kind === "ended");
const text = (): string =>
  messages
    .flatMap((message) => (message.kind === "output" ? message.lines : []))
    .map((line) => line.text)
    .join("\n");
const started = async (): Promise<void> => {
  await until("it says so", () => text().includes("started"));
};

it("tells all that a process printed that ends at once, without secrets, and how it ended", async () => {
  await run("echo the password is hunter2222; exit 3");

  assert.equal(text(), "the password is [redacted]");
  assert.deepEqual(ended(), { kind: "ended", exitCode: 3, signal: null, by: "itself" });
  assert.deepEqual(
    (await entries()).filter((kind) => kind !== "process"),
    ["opened", "command", "ended"],
  );
});

it("gives a value to the server alone, as it is", async () => {
  await run("printf hunter2222", { output: "value" });

  const pieces = messages.flatMap((message) => (message.kind === "value" ? [...message.piece] : []));
  assert.equal(String.fromCharCode(...pieces), "hunter2222");
  assert.equal(text(), "");
});

it("passes on what a process reads, and nothing of our environment", async () => {
  await run("cat; env", { input: "from stdin\n", env: { ONLY: "this" } });

  assert.match(text(), /^from stdin\n/u);
  assert.match(text(), /ONLY=this/u);
  assert.doesNotMatch(text(), /HOME=/u);
});

it("interrupts a process once, and lets it end by itself", async () => {
  const running = run("trap 'echo saved; exit 1' INT; echo started; while :; do sleep 0.05; done");
  await started();
  await supervisor.handle({ kind: "interrupt", reason: "cancelled" });
  await supervisor.handle({ kind: "interrupt", reason: "cancelled" });
  await running;

  assert.equal(text(), "started\nsaved");
  assert.deepEqual(ended(), { kind: "ended", exitCode: 1, signal: null, by: "itself" });
  assert.equal((await entries()).filter((kind) => kind === "interrupted").length, 1);
});

it("kills a process with all that it started after the grace period", async () => {
  const running = run("trap '' INT; sleep 300 & echo started; wait; wait; sleep 300");
  await started();
  await supervisor.handle({ kind: "interrupt", reason: "cancelled" });
  await running;

  assert.deepEqual(ended(), { kind: "ended", exitCode: null, signal: "SIGKILL", by: "grace" });
});

it("tells a process that somebody else killed from one that ended by itself", async () => {
  await run("kill -9 $$");

  assert.deepEqual(ended(), { kind: "ended", exitCode: null, signal: "SIGKILL", by: "signal" });
});

it("says why a binary cannot be run", async () => {
  await run("", { file: join(folder, "missing") });

  assert.deepEqual(ended(), { kind: "ended", exitCode: null, signal: null, by: "itself", spawnCode: "ENOENT" });
});

it("keeps the file of a plan for the commands of the run, without a name and off the disk", async () => {
  await run("printf canary-plan > /proc/self/fd/3", { usesPlanFile: true });
  await run("cat /proc/self/fd/3; readlink /proc/self/fd/3", { usesPlanFile: true });

  assert.match(text(), /^canary-plan\/dev\/shm\/rad-plan-[0-9a-f]+ \(deleted\)$/u);
  assert.deepEqual(
    (await readdir("/dev/shm")).filter((name) => name.startsWith("rad-plan-")),
    [],
  );
  messages = [];
  await run("[ -e /proc/self/fd/3 ] || echo none"); // without a second stream, whose lines may come first or last
  assert.match(text(), /none$/u);
});

it("takes the folder of a run without a record with it when the server is gone, and leaves that of any other", async () => {
  await supervisor.abandon("the server is gone");
  assert.ok((await stat(folder)).isDirectory());

  supervisor = new Supervisor(async (message) => void messages.push(message));
  await supervisor.handle({ kind: "open", runId: "r", resourceId: "/x", folder, graceMs: 200, isRecorded: false });
  await supervisor.abandon("the server is gone");

  await assert.rejects(stat(folder), { code: "ENOENT" });
  await mkdir(folder); // which the test removes
});
