import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type JournalSummary, readJournal } from "../journal/read-journal.ts";
import type { BegunCreation } from "../terraform-run.ts";
import type { RunRecord } from "./run-record.ts";

/** Where Terraform leaves a state that its backend did not take, in clear. */
export const unsavedStateName = "errored.tfstate";

/** What a run that has ended leaves to the next. */
export interface DeadRun {
  readonly record: RunRecord;
  /** A state that could not be saved. */
  readonly unsavedState: string | undefined;
}

/** Puts together what a run left, from its journal or, where that is out of reach, from its record. */
export async function examineDeadRun(record: RunRecord, workFolder: string): Promise<DeadRun> {
  const journal = await readJournal(record.folder);
  const unsavedState = await readFile(join(workFolder, unsavedStateName), "utf8").catch(() => undefined);
  const isOurs = journal?.runId === record.runId;
  return {
    record: {
      ...record,
      state: "ended",
      planned: [],
      creations: merged(record.creations, isOurs ? journal.creations : record.planned),
      lockWindows: [...record.lockWindows, ...windowsOf(record, isOurs ? journal : undefined)],
      hasUnsavedState: record.hasUnsavedState || unsavedState !== undefined,
    },
    unsavedState,
  };
}

function windowsOf(record: RunRecord, journal: JournalSummary | undefined): RunRecord["lockWindows"] {
  const { host } = record.machine;
  if (journal !== undefined) {
    return journal.lockWindows.map((window) => ({ ...window, host }));
  }
  return record.lockedSince === undefined ? [] : [{ from: record.lockedSince, host }];
}

function merged(before: readonly BegunCreation[], now: readonly BegunCreation[]): readonly BegunCreation[] {
  const byKey = new Map([...before, ...now].map((creation) => [`${creation.address} ${creation.id ?? ""}`, creation]));
  return [...byKey.values()];
}
