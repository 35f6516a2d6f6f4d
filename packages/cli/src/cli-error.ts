import type { JsonObject } from "@rad/core";

/** A name that was given and does not exist. Names that do are looked up only when the error is shown. */
export interface MissingName {
  readonly kind:
    | "workspaces"
    | "groups"
    | "types"
    | "resources"
    | "deployments"
    | "environments"
    | "applications"
    | "files";
  readonly name: string;
  /** Where it was looked for. */
  readonly group?: string;
  /** Of a resource. */
  readonly type?: string;
}

interface CliErrorOptions {
  readonly cause?: unknown;
  readonly missing?: MissingName;
}

/** A failure that the user can understand and act on: one message and a code that scripts can branch on. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: string;
  readonly missing: MissingName | undefined;

  constructor(code: string, message: string, { cause, missing }: CliErrorOptions = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.missing = missing;
  }
}

/** A failure that the user has been told about in full: it sets the exit code and says no more. */
export class ReportedFailure extends Error {
  override readonly name = "ReportedFailure";
  /** What `-o json` prints, when the command has printed nothing by then. */
  readonly document: JsonObject | undefined;

  constructor(message: string, document?: JsonObject) {
    super(message);
    this.document = document;
  }
}

/** Ctrl+C where the terminal hands it over as a key: ends the command like the signal does. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/**
 * What `@rad/artifacts` and `@rad/kubernetes` throw is for the user as it is. Told by its shape, because loading them
 * would slow every start.
 */
export function asCliError(error: unknown): unknown {
  const isForUser = error instanceof Error && ["ArtifactError", "ApiError"].includes(error.name) && "code" in error;
  return isForUser ? new CliError(String(error.code), error.message, { cause: error.cause }) : error;
}

/** The system's own code (`ENOENT`, `EACCES`, …) of a failed call; `undefined` for other errors. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
