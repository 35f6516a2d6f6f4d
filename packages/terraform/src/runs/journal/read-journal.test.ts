import assert from "node:assert/strict";
import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { journalName } from "./journal-entry.ts";
import { JournalWriter, type NewEntry } from "./journal-writer.ts";
import { readJournal } from "./read-journal.ts";

const opened: NewEntry = { kind: "opened", runId: "r", resourceId: "/x" };
const apply: NewEntry = { kind: "command", command: "apply", startedAt: "2026-01-01T00:00:00.000Z" };
const ran: NewEntry = { kind: "process", process: { pid: 7, startTime: "1" } };
const working: NewEntry = { kind: "working" };
const about = (kind: "planned" | "started" | "completed" | "failed", address: string, id?: string): NewEntry => ({
  kind,
  address,
  type: "t",
  action: "create",
  ...(id === undefined ? {} : { id }),
});
const endedBy = (by: "itself" | "grace" | "signal"): NewEntry => ({ kind: "ended", exitCode: null, signal: null, by });

async function journalOf(entries: readonly NewEntry[], rest = "") {
  const folder = await mkdtemp(join(tmpdir(), "journal-"));
  try {
    {
      using journal = new JournalWriter(folder);
      entries.forEach((entry) => journal.add(entry));
    }
    await appendFile(join(folder, journalName), rest);
    return await readJournal(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const plan = [about("planned", "a"), about("planned", "b"), about("planned", "c")];
const half = [
  opened,
  apply,
  ran,
  working,
  ...plan,
  about("started", "a"),
  about("completed", "a", "1"),
  about("started", "b"),
];

const crashed: readonly NewEntry[] = [
  ...half,
  about("failed", "b"),
  { kind: "unanswered", resource: "b" },
  endedBy("itself"),
];

const stopped: readonly NewEntry[] = [
  ...half,
  { kind: "interrupted", reason: "cancelled" },
  about("failed", "b"),
  endedBy("itself"),
];

const cases: readonly (readonly [string, readonly NewEntry[], readonly string[]])[] = [
  ["what was created and begun, when Terraform was killed", [...half, endedBy("signal")], ["a completed", "b begun"]],
  ["the same after the grace period", [...half, endedBy("grace")], ["a completed", "b begun"]],
  ["nothing when Terraform ended by itself, as it saves then", [...half, endedBy("itself")], []],
  ["what a provider was asked for when it died", crashed, ["b failed"]],
  ["what a provider gave up when it was told to stop", stopped, ["b failed"]],
  ["what was planned, too, when nobody saw the end", half, ["a completed", "b begun", "c planned"]],
  [
    "nothing of an earlier command that saved",
    [...half, endedBy("itself"), apply, about("started", "d"), endedBy("signal")],
    ["d begun"],
  ],
];

for (const [what, entries, expected] of cases) {
  it(`tells ${what}`, async () => {
    const journal = await journalOf(entries);

    assert.deepEqual(
      journal?.creations.map(({ address, state }) => `${address} ${state}`),
      expected,
    );
  });
}

it("reads a journal whose last line is cut off", async () => {
  const journal = await journalOf(half, '{"at":"2026-01-01T00:00:00.000Z","kind":"compl');

  assert.deepEqual([journal?.runId, journal?.running?.pid], ["r", 7]);
});

it("knows when a command that was killed took its lock, and forgets those that gave it back", async () => {
  assert.equal((await journalOf([...half, endedBy("signal")]))?.lockWindows.length, 1);
  assert.equal((await journalOf([...half, endedBy("itself")]))?.lockWindows.length, 0);
});

it("has nothing to tell without a journal", async () => {
  assert.equal(await readJournal("/nowhere"), undefined);
});
