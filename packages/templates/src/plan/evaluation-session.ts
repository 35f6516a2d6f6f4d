import type { Pausing } from "../pausing.ts";
import type { Value } from "../values/value.ts";
import type { Compiled, CompiledExpression } from "./compiled.ts";
import { evaluatePausing, type CompiledEnvironment } from "./evaluate-compiled.ts";
import type { Evaluation, EvaluationOptions, PendingCall, PlanError } from "./plan.ts";
import { Pending, ProblemLog } from "./plan-problem.ts";

/**
 * One evaluation of many expressions that goes on where one of them fails, so that all missing answers and all errors
 * come to light at once.
 */
export class EvaluationSession {
  readonly environment: CompiledEnvironment;
  readonly log: ProblemLog;
  readonly #calls = new Map<string, PendingCall>();
  readonly #unknown: string[] = [];
  readonly #preview: boolean;

  constructor(environment: CompiledEnvironment, options: EvaluationOptions, code?: PlanError["code"]) {
    this.log = new ProblemLog(code);
    this.#preview = options.preview === true;
    this.environment = { ...environment, recover: (error, expression) => this.#recover(error, expression) };
  }

  evaluate(compiled: Compiled): Pausing<Value> {
    return evaluatePausing(compiled, this.environment);
  }

  *evaluateOptional(compiled: Compiled | undefined): Pausing<Value | undefined> {
    return compiled === undefined ? undefined : yield* this.evaluate(compiled);
  }

  /** Runs and gives the result; nothing when it failed, or in a preview when it is not known as a whole. */
  *attempt<T>(path: string, start: () => Pausing<T>): Pausing<T | undefined> {
    try {
      return yield* start();
    } catch (error) {
      if (this.#preview && error instanceof Pending) {
        this.#unknown.push(path);
      } else {
        this.log.report(error, path);
      }
      return undefined;
    }
  }

  /** How many expressions were not known so far: compare before and after to tell about a part. */
  get unknownCount(): number {
    return this.#unknown.length;
  }

  /** Calls have to be made before the values mean anything. */
  get isWaiting(): boolean {
    return this.#calls.size > 0;
  }

  /** Calls come first: an error may be nothing but the lack of an answer. */
  *finish<T>(path: string, secrets: readonly string[], start: () => Pausing<T>): Pausing<Evaluation<T>> {
    const value = yield* this.log.attemptAll(path, start);
    if (this.#calls.size > 0) {
      return { kind: "needs", calls: [...this.#calls.values()] };
    }
    if (this.log.failed || value === undefined) {
      this.log.hide(secrets);
      return { kind: "failed", errors: this.log.errors };
    }
    return { kind: "ready", value, unknown: this.#unknown };
  }

  #recover(error: unknown, expression: CompiledExpression): Value {
    if (this.#preview && error instanceof Pending) {
      this.#unknown.push(expression.path);
      return expression.text;
    }
    if (error instanceof Pending && error.call !== undefined) {
      this.#calls.set(error.call.key, error.call);
    } else {
      this.log.report(error, expression.path);
    }
    return null;
  }
}
