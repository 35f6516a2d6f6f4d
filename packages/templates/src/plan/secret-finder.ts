import type { Pausing } from "../pausing.ts";
import type { Value } from "../values/value.ts";
import type { Compiled } from "./compiled.ts";
import { evaluatePausing } from "./evaluate-compiled.ts";
import type { EvaluationSession } from "./evaluation-session.ts";
import type { EvaluationOptions, PlanResults } from "./plan.ts";
import { opaqueEnvironment, type PreparedParts } from "./prepared-plan.ts";
import type { ResourceInstance } from "./resource-instance.ts";
import { secretPointers } from "./secret-pointers.ts";

/** JSON pointers of what rests on a secret in `value`, which is what `compiled` came to. */
export type SecretFinder = (
  compiled: Compiled,
  value: Value,
  /** What was done with that to get `value`. */
  shaped?: (result: Value) => Value,
) => Pausing<readonly string[]>;

export interface EvaluatedInstance {
  readonly parts: PreparedParts;
  readonly instance: ResourceInstance;
  readonly session: EvaluationSession;
  readonly results: PlanResults;
  readonly options: EvaluationOptions;
}

/** Costs nothing where no secret can be reached, nor as long as answers are missing. */
export function secretFinder({ parts, instance, session, results, options }: EvaluatedInstance): SecretFinder {
  return function* (compiled, value, shaped = (result) => result) {
    if (session.isWaiting || session.log.failed || !parts.taint.reaches(compiled)) {
      return [];
    }
    const environment = opaqueEnvironment(parts, results, instance, options);
    const blind = shaped(yield* evaluatePausing(compiled, environment));
    return secretPointers(value, blind, environment.budget);
  };
}
