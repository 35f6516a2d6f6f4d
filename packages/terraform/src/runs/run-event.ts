/** What Terraform does with a resource, in its own words. */
export type ResourceAction =
  | "create"
  | "update"
  | "delete"
  | "replace"
  | "read"
  | "noop"
  | "import"
  | "forget"
  | "move";

/** A problem as Terraform reports it, without secret values. */
export interface RunDiagnostic {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail: string;
  /** Of the resource that it is about. */
  readonly address?: string;
  /** File and line of the configuration, where Terraform says so. */
  readonly place?: string;
}

/** What happens in a run, as it happens. Texts have passed the redaction. */
export type RunEvent =
  | { readonly kind: "command"; readonly command: RunCommand; readonly state: "started" }
  | {
      readonly kind: "command";
      readonly command: RunCommand;
      readonly state: "ended";
      readonly durationMs: number;
      /** Absent when a signal ended it. */
      readonly exitCode?: number;
    }
  | { readonly kind: "planned"; readonly address: string; readonly type: string; readonly action: ResourceAction }
  | {
      readonly kind: "resource";
      readonly address: string;
      readonly type: string;
      readonly action: ResourceAction;
      readonly state: "started" | "progress" | "completed" | "failed";
      readonly elapsedSeconds: number;
      /** What the provider calls it, once it is there. */
      readonly id?: string;
    }
  | { readonly kind: "diagnostic"; readonly diagnostic: RunDiagnostic }
  | {
      readonly kind: "summary";
      /** `plan` before anything changes, `apply` or `destroy` afterwards. */
      readonly operation: string;
      readonly add: number;
      readonly change: number;
      readonly remove: number;
    };

export const runCommands = [
  "get",
  "init",
  "providers lock",
  "plan",
  "show plan",
  "apply",
  "destroy",
  "show",
  "state push",
  "state pull",
  "workspace list",
  "force-unlock",
] as const;
export type RunCommand = (typeof runCommands)[number];

/** A line that Terraform printed, without secret values. */
export interface RunLine {
  readonly level: "info" | "warn" | "error";
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}
