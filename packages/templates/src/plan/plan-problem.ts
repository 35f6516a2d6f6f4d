import { Redactor } from "@rad/core";
import type { Pausing } from "../pausing.ts";
import { TemplateError } from "../template-error.ts";
import type { PendingCall, PlanError, PlanErrorReason } from "./plan.ts";

/** What is wrong with a template beyond a single expression. Always ends up in a `ProblemLog`. */
export class PlanProblem extends Error {
  override readonly name = "PlanProblem";
  readonly reason: PlanErrorReason;
  readonly path: string | undefined;

  constructor(reason: PlanErrorReason, message: string, path?: string) {
    super(message);
    this.reason = reason;
    this.path = path;
  }
}

/** Not an error: an expression has met something that is not known yet. With a call, the world can be asked. */
export class Pending extends Error {
  override readonly name = "Pending";
  readonly call: PendingCall | undefined;

  constructor(call?: PendingCall) {
    super("The value is not known yet.");
    this.call = call;
  }
}

/** Thrown instead of saying the same thing twice: whatever is asked for has failed, and its error is in the log. */
export class AlreadyReported extends Error {
  override readonly name = "AlreadyReported";
}

/** Nothing more can be evaluated; why is in the log. */
class Stopped extends Error {
  override readonly name = "Stopped";
}

/** A template with a mistake in every line needs no longer list than this. */
const maxErrors = 100;

/** Collects what is wrong, so that one run tells all of it. */
export class ProblemLog {
  readonly #errors: PlanError[] = [];
  /** What many expressions stumble over, such as a variable, is listed once. */
  readonly #said = new Set<string>();
  readonly #redactor = new Redactor();
  readonly #code: PlanError["code"];
  #failures = 0;

  constructor(code: PlanError["code"] = "InvalidTemplate") {
    this.#code = code;
  }

  /** Without secrets, also those that came to be known after an error was reported. */
  get errors(): readonly PlanError[] {
    return this.#errors.map((error) => ({
      ...error,
      message: this.#redactor.redact(error.message),
      path: this.#redactor.redact(error.path),
    }));
  }

  get failed(): boolean {
    return this.#failures > 0;
  }

  /** How many there were, also beyond those that are listed. */
  get failures(): number {
    return this.#failures;
  }

  /** Nothing more is listed. */
  get isFull(): boolean {
    return this.#errors.length >= maxErrors;
  }

  hide(secrets: Iterable<string>): void {
    this.#redactor.add(secrets);
  }

  add(reason: PlanErrorReason, path: string, message: string, position?: number): void {
    this.#failures += 1;
    const said = `${reason} ${path} ${position} ${message}`;
    if (!this.isFull && !this.#said.has(said)) {
      this.#said.add(said);
      this.#errors.push({ code: this.#code, reason, message, path, position });
    }
  }

  /** Anything that is not about the template is a bug of ours and rises, and so does the lack of steps. */
  report(error: unknown, path: string): void {
    if (error instanceof TemplateError) {
      this.add(error.code, error.path ?? path, error.message, error.position);
      if (error.isFinal) {
        throw new Stopped();
      }
    } else if (error instanceof PlanProblem) {
      this.add(error.reason, error.path ?? path, error.message);
    } else if (error instanceof Pending) {
      this.add("NotKnownYet", path, "This depends on a value that is known only after other resources are deployed.");
    } else if (error instanceof AlreadyReported) {
      this.#failures += 1;
    } else {
      throw error;
    }
  }

  /** Runs and gives the result, or reports what went wrong and gives nothing. */
  attempt<T>(path: string, run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      this.report(error, path);
      return undefined;
    }
  }

  /** Runs all of the work, and ends where nothing more can be evaluated. */
  *attemptAll<T>(path: string, start: () => Pausing<T>): Pausing<T | undefined> {
    try {
      return yield* this.attemptSlices(path, start);
    } catch (error) {
      if (!(error instanceof Stopped)) {
        throw error;
      }
      return undefined;
    }
  }

  /** The same for work that pauses. */
  *attemptSlices<T>(path: string, start: () => Pausing<T>): Pausing<T | undefined> {
    try {
      return yield* start();
    } catch (error) {
      this.report(error, path);
      return undefined;
    }
  }
}

/**
 * The result, or nothing when the template is at fault. For looking ahead: what is wrong is found again, and reported,
 * where the value is needed. Running out of steps is not a matter of one expression and rises.
 */
export function quietly<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    const isOurs =
      error instanceof TemplateError ||
      error instanceof PlanProblem ||
      error instanceof Pending ||
      error instanceof AlreadyReported;
    if (!isOurs || (error instanceof TemplateError && error.code === "LimitExceeded")) {
      throw error;
    }
    return undefined;
  }
}
