import type { RunCommand, RunDiagnostic } from "./run-event.ts";

/** The holder of a state, as Terraform or the backend names it. */
export interface LockHolder {
  readonly id: string;
  readonly who: string;
  readonly operation: string;
  readonly created: string;
  readonly path: string;
}

export interface RunErrorOptions {
  readonly command: RunCommand;
  readonly diagnostics?: readonly RunDiagnostic[];
  readonly exitCode?: number | undefined;
  readonly holder?: LockHolder | undefined;
  readonly cause?: unknown;
}

/**
 * - `CommandFailed`: Terraform ended with an error; `diagnostics` has what it said.
 * - `Killed`: a signal ended Terraform, and it was not ours.
 * - `StateLocked`: somebody else works on the state; `holder` names them.
 * - `SupervisorLost`: the process that looks after Terraform died; Terraform was ended.
 * - `LeaseLost`: the record or the binary could not be kept, so the run was ended.
 * - `TimedOut`: the run took longer than it may.
 */
export type RunErrorCode = "CommandFailed" | "Killed" | "StateLocked" | "SupervisorLost" | "LeaseLost" | "TimedOut";

/** A command of a run that did not succeed. The message has no secret value and names no recipe: the driver adds that. */
export class RunError extends Error {
  override readonly name = "RunError";
  readonly code: RunErrorCode;
  readonly command: RunCommand;
  readonly diagnostics: readonly RunDiagnostic[];
  readonly exitCode: number | undefined;
  readonly holder: LockHolder | undefined;

  constructor(code: RunErrorCode, message: string, options: RunErrorOptions) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.command = options.command;
    this.diagnostics = options.diagnostics ?? [];
    this.exitCode = options.exitCode;
    this.holder = options.holder;
  }
}
