import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject } from "@rad/core";
import type { BegunCreation } from "../terraform-run.ts";
import { Creations } from "./creations.ts";
import { type JournalEntry, journalName } from "./journal-entry.ts";
import type { ProcessIdentity } from "../processes.ts";
import type { LockWindow } from "../locks/lock-window.ts";

/** What the journal of a dead run tells. */
export interface JournalSummary {
  readonly runId: string;
  /** What no state is known to have, because Terraform did not end by itself. */
  readonly creations: readonly BegunCreation[];
  /** When each command that locks the state took its lock, of those that did not end by themselves. */
  readonly lockWindows: readonly LockWindow[];
  /** The process of the last command, unless its end is in the journal. */
  readonly running: ProcessIdentity | undefined;
}

/** `undefined` where there is none, or none that can be read. */
export async function readJournal(folder: string): Promise<JournalSummary | undefined> {
  const text = await readFile(join(folder, journalName), "utf8").catch(() => undefined);
  return text === undefined ? undefined : summaryOf(text);
}

function summaryOf(text: string): JournalSummary | undefined {
  const creations = new Creations();
  let runId: string | undefined;
  let running: ProcessIdentity | undefined;
  let isLost = false;
  let windows: LockWindow[] = [];
  let lastAt = "";
  for (const entry of entriesOf(text)) {
    lastAt = entry.at;
    switch (entry.kind) {
      case "opened":
        runId = entry.runId;
        break;
      case "command":
        isLost = true;
        if (entry.command === "apply" || entry.command === "destroy") {
          windows.push({ from: entry.startedAt });
        }
        break;
      case "process":
        running = entry.process;
        break;
      case "working": {
        const last = windows.pop();
        if (last !== undefined) {
          windows.push({ from: last.from, to: entry.at });
        }
        break;
      }
      case "ended":
        creations.ended(entry.by);
        windows = entry.by === "itself" ? windows.slice(0, -1) : windows;
        running = undefined;
        isLost = false;
        break;
      case "interrupted":
        creations.interrupted();
        break;
      case "unanswered":
        creations.unanswered(entry.resource);
        break;
      case "planned":
      case "started":
      case "completed":
      case "failed":
        creations.add(entry);
        break;
      default:
        return entry satisfies never;
    }
  }
  if (runId === undefined) {
    return undefined;
  }
  const lockWindows = windows.map((window) => ({ from: window.from, to: window.to ?? lastAt }));
  return { runId, creations: creations.unsaved(isLost), lockWindows, running };
}

/** The last line may be cut off, where the disk was full or the machine went down. */
function* entriesOf(text: string): Iterable<JournalEntry> {
  for (const line of text.split("\n")) {
    try {
      const entry: unknown = JSON.parse(line);
      if (isJsonObject(entry)) {
        yield entry as unknown as JournalEntry;
      }
    } catch {
      continue;
    }
  }
}
