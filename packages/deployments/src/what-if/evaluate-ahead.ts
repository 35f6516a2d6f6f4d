import type { Evaluation, EvaluationOptions, PlanFailure, PlanResults } from "@rad/templates";
import type { Outlook } from "./outlook.ts";

export type Ahead<T> =
  /** `unknown` has the paths of the expressions whose text stands in the place of a value. */
  { readonly kind: "ready"; readonly value: T; readonly unknown: readonly string[] } | PlanFailure;

/**
 * Evaluates before anything has run. Whatever the world can tell already is asked for; where that is not enough, the
 * text of an expression stays in the place of its value. Only what would also fail in a real run is a failure.
 */
export async function evaluateAhead<T>(
  outlook: Outlook,
  evaluate: (results: PlanResults, options: EvaluationOptions) => Evaluation<T>,
): Promise<Ahead<T>> {
  for (;;) {
    const results = new ResultsAhead(outlook);
    const evaluation = evaluate(results, {});
    if (evaluation.kind === "needs" && (await outlook.ask(evaluation.calls))) {
      continue;
    }
    return conclude(isUncertain(evaluation, results) ? evaluate(results, { preview: true }) : evaluation);
  }
}

function conclude<T>(evaluation: Evaluation<T>): Ahead<T> {
  // Looking ahead never asks for calls.
  return evaluation.kind === "needs" ? { kind: "failed", errors: [] } : evaluation;
}

/** A failure proves nothing as long as something it rests on is only expected. */
function isUncertain(evaluation: Evaluation<unknown>, results: ResultsAhead): boolean {
  if (evaluation.kind === "failed") {
    return results.hasGuessed || evaluation.errors.some(({ reason }) => reason === "NotKnownYet");
  }
  return evaluation.kind === "needs";
}

/** Resources are read by their id, and only when somebody asks for them: no node has a result of its own. */
class ResultsAhead implements PlanResults {
  readonly #outlook: Outlook;
  hasGuessed = false;

  constructor(outlook: Outlook) {
    this.#outlook = outlook;
  }

  readonly node = (): undefined => undefined;

  readonly call = (key: string): ReturnType<PlanResults["call"]> => {
    const answer = this.#outlook.answerTo(key);
    if (answer === undefined) {
      return undefined;
    }
    this.hasGuessed ||= !answer.certain;
    return { body: answer.body };
  };
}
