import type { RunDiagnostic } from "../run-event.ts";
import type { BegunCreation } from "../terraform-run.ts";
import type { EndedBy, JournalEntry } from "./journal-entry.ts";

type ResourceEntry = Omit<Extract<JournalEntry, { readonly address: string }>, "at">;

/** Whether an error says that the provider died before it could say whether it had done what it was asked for. */
export function isUnanswered({ severity, summary, address }: RunDiagnostic): boolean {
  return severity === "error" && address !== undefined && /^(?:Plugin|Request cancelled)\b/u.test(summary);
}

/**
 * What a run has begun to create and not saved. Terraform saves when it ends by itself, whatever went wrong before; so
 * what may exist without a state that knows of it is what Terraform had begun when it was killed, and what a provider
 * had begun when it died or was told to stop.
 */
export class Creations {
  readonly #found = new Map<string, BegunCreation>();
  readonly #current = new Map<string, BegunCreation>();
  readonly #unanswered = new Set<string>();
  #isInterrupted = false;

  /** Creations of earlier runs, which are told along. */
  constructor(inherited: readonly BegunCreation[] = []) {
    for (const creation of inherited) {
      this.#found.set(keyOf(creation), creation);
    }
  }

  add({ kind, address, type, action, id }: ResourceEntry): void {
    if (action !== "create" && !(action === "replace" && kind === "planned")) {
      return;
    }
    const state = kind === "started" ? "begun" : kind;
    this.#current.set(address, { address, type, state, ...(id === undefined ? {} : { id }) });
  }

  /** The provider died while it created the resource of that address. */
  unanswered(address: string): void {
    this.#unanswered.add(address);
  }

  /** Terraform was told to stop: providers give up requests that may have been carried out. */
  interrupted(): void {
    this.#isInterrupted = true;
  }

  /** A command has ended; the next one starts with nothing. */
  ended(by: EndedBy): void {
    this.#keep(({ address, state }) =>
      by === "itself"
        ? this.#unanswered.has(address) || (this.#isInterrupted && state === "failed")
        : state !== "planned",
    );
    this.#forget();
  }

  /** @param isLost whether the end of the current command is unknown, and so is what it did last */
  unsaved(isLost: boolean): readonly BegunCreation[] {
    if (isLost) {
      this.#keep(() => true);
      this.#forget();
    }
    return [...this.#found.values()];
  }

  #keep(mayExist: (creation: BegunCreation) => boolean): void {
    for (const creation of this.#current.values()) {
      if (mayExist(creation)) {
        this.#found.set(keyOf(creation), creation);
      }
    }
  }

  #forget(): void {
    this.#current.clear();
    this.#unanswered.clear();
    this.#isInterrupted = false;
  }
}

/** The same address may have been created by two runs, of which no state knows: then their ids differ. */
function keyOf({ address, id }: BegunCreation): string {
  return `${address} ${id ?? ""}`;
}
