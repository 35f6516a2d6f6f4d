import { inSlices } from "@rad/core";
import {
  type Evaluation,
  type EvaluationOptions,
  sliced,
  type PlanFailure,
  type PlanResults,
  type Pausing,
} from "@rad/templates";
import type { Outlook } from "./outlook.ts";

export type Ahead<T> =
  /** `unknown` has the paths of the expressions whose text stands in the place of a value. */
  | { readonly kind: "ready"; readonly value: T; readonly unknown: readonly string[] }
  /** Not even its shape can be told. */
  | { readonly kind: "unknown" }
  | PlanFailure;

/**
 * Evaluates before anything has run. Whatever the world can tell already is asked for; where that is not enough, the
 * text of an expression stays in the place of its value. Only what would also fail in a real run is a failure.
 * Resources are read by their id, and only when somebody asks for them; `nodes` has those without an id.
 */
export async function evaluateAhead<T>(
  outlook: Outlook,
  nodes: PlanResults["node"],
  evaluate: (results: PlanResults, options: EvaluationOptions) => Pausing<Evaluation<T>>,
): Promise<Ahead<T>> {
  const results: PlanResults = { node: nodes, call: (key) => outlook.answerTo(key) };
  for (;;) {
    const evaluation = await inSlices(sliced(evaluate(results, {})));
    if (evaluation.kind === "ready") {
      return evaluation;
    }
    if (evaluation.kind === "failed" || !(await outlook.ask(evaluation.calls))) {
      return conclude(await inSlices(sliced(evaluate(results, { preview: true }))));
    }
  }
}

function conclude<T>(evaluation: Evaluation<T>): Ahead<T> {
  if (evaluation.kind === "ready") {
    return evaluation;
  }
  const proven = evaluation.kind === "failed" ? evaluation.errors.filter(({ reason }) => reason !== "NotKnownYet") : [];
  return proven.length > 0 ? { kind: "failed", errors: proven } : { kind: "unknown" };
}
