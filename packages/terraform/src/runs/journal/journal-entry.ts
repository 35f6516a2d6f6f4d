import type { ProcessIdentity } from "../processes.ts";
import type { ResourceAction, RunCommand } from "../run-event.ts";

/** Name of the journal in a run's folder. */
export const journalName = "journal.jsonl";

/** How a command ended: by itself, perhaps after SIGINT; by our SIGKILL; by somebody else's signal. */
export type EndedBy = "itself" | "grace" | "signal";

/** A line of the journal: what the supervisor knows, in the order in which it happened. Without secret values. */
export type JournalEntry = { readonly at: string } & (
  | { readonly kind: "opened"; readonly runId: string; readonly resourceId: string }
  | { readonly kind: "command"; readonly command: RunCommand; readonly startedAt: string }
  | { readonly kind: "process"; readonly process: ProcessIdentity }
  /** Terraform works on the state: a lock that it took is older than this. */
  | { readonly kind: "working" }
  | { readonly kind: "interrupted"; readonly reason: string }
  /** The provider died while it worked on this resource. */
  | { readonly kind: "unanswered"; readonly resource: string }
  | {
      readonly kind: "planned" | "started" | "completed" | "failed";
      readonly address: string;
      readonly type: string;
      readonly action: ResourceAction;
      readonly id?: string;
    }
  | {
      readonly kind: "ended";
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly by: EndedBy;
    }
);
