import type { Budget } from "../budget.ts";
import { evaluateExpression, type EvaluationScope } from "../expressions/evaluate.ts";
import type { Expression } from "../expressions/expression.ts";
import { define } from "../functions/function-call.ts";
import { functionLayer } from "../functions/pure-functions.ts";
import type { Value } from "../values/value.ts";
import { PlanProblem } from "./plan-problem.ts";

/** No template can call it: a name does not begin with this sign. */
const applyName = "#apply";

/** Calls the lambda that an expression gives with one value; it has to answer with true or false. */
export function lambdaHolds(lambda: Expression, value: Value, scope: EvaluationScope, budget: Budget): boolean {
  const apply = define(applyName, 1, (call) => call.lambda(0, 1, 1).call([value]));
  const functions = functionLayer(() => [apply], scope.functions);
  const { position } = lambda;
  const call: Expression = { kind: "call", namespace: undefined, name: applyName, args: [lambda], position };
  const answer = evaluateExpression(call, { ...scope, functions }, budget);
  if (typeof answer !== "boolean") {
    throw new PlanProblem("InvalidShape", "The lambda must answer with true or false.");
  }
  return answer;
}
