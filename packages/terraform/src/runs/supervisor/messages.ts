import type { EndedBy } from "../journal/journal-entry.ts";
import type { ProcessIdentity } from "../processes.ts";
import type { RunCommand, RunEvent, RunLine } from "../run-event.ts";

/** From the server to the supervisor, over the channel between them: no other process can read it. */
export type ToSupervisor =
  | {
      readonly kind: "open";
      readonly runId: string;
      readonly resourceId: string;
      readonly folder: string;
      readonly graceMs: number;
      /** Whether a record says where the folder is; otherwise it goes with the server. */
      readonly isRecorded: boolean;
    }
  /** All values to hide from now on. */
  | { readonly kind: "hide"; readonly secrets: readonly string[] }
  | { readonly kind: "run"; readonly order: CommandOrder }
  | { readonly kind: "interrupt"; readonly reason: string }
  | { readonly kind: "close" };

export interface CommandOrder {
  readonly command: RunCommand;
  /** Path of the binary. */
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `events`: stdout is Terraform's JSON lines. `text`: lines for people. `value`: one document, for the server alone. */
  readonly output: "events" | "text" | "value";
  /** Gives it the file of the run's plan. */
  readonly usesPlanFile?: boolean;
  /** What it reads from stdin. */
  readonly input?: string;
}

export type FromSupervisor =
  | { readonly kind: "started"; readonly process: ProcessIdentity }
  | { readonly kind: "output"; readonly lines: readonly RunLine[]; readonly events: readonly RunEvent[] }
  | { readonly kind: "value"; readonly piece: Uint8Array }
  | { readonly kind: "journal-failed"; readonly code: string }
  | {
      readonly kind: "ended";
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly by: EndedBy;
      /** Why the binary could not be run at all. */
      readonly spawnCode?: string;
    };
