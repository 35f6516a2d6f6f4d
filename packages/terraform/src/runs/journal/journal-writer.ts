import { closeSync, fdatasync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type JournalEntry, journalName } from "./journal-entry.ts";

/** An entry without its time. */
export type NewEntry = JournalEntry extends infer Entry ? (Entry extends unknown ? Omit<Entry, "at"> : never) : never;

/**
 * Appends to the journal of a run. An entry is in the file when `add` returns, so the death of any process loses none;
 * the disk has it a moment later.
 */
export class JournalWriter implements Disposable {
  readonly #file: number;
  #isSyncing = false;
  #isDirty = false;

  constructor(folder: string) {
    this.#file = openSync(join(folder, journalName), "a", 0o600);
  }

  add(entry: NewEntry): void {
    writeSync(this.#file, `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`);
    this.#isDirty = true;
    this.#sync();
  }

  [Symbol.dispose](): void {
    try {
      fdatasyncSync(this.#file);
    } finally {
      closeSync(this.#file);
    }
  }

  /** One at a time, for all entries since the last. */
  #sync(): void {
    if (this.#isSyncing || !this.#isDirty) {
      return;
    }
    this.#isSyncing = true;
    this.#isDirty = false;
    fdatasync(this.#file, () => {
      this.#isSyncing = false;
      this.#sync();
    });
  }
}
