import { evaluateExpression, type EvaluationScope } from "../expressions/evaluate.ts";
import type { CallExpression, Expression } from "../expressions/expression.ts";
import { define, type FunctionDefinition } from "../functions/function-call.ts";
import type { Value } from "../values/value.ts";

/** No template can call it: a name does not begin with this sign. */
const sharedName = "#shared";

/**
 * Parts of expressions that are the same in every round of a loop. The compiler writes `range(0, 5000)[copyIndex()]`
 * for a plain loop of 5,000 rounds, which made an array of 5,000 numbers in each of them; now it is made once.
 */
export class SharedExpressions {
  readonly #entries: { readonly expression: Expression; value: Value | undefined }[] = [];

  /** An expression that stands for `expression`, to be evaluated once. */
  share(expression: Expression): CallExpression {
    const { position } = expression;
    const index = BigInt(this.#entries.push({ expression, value: undefined }) - 1);
    const args: Expression[] = [{ kind: "integer", value: index, position }];
    return { kind: "call", namespace: undefined, name: sharedName, args, position };
  }

  function(scope: () => EvaluationScope): FunctionDefinition {
    return define(sharedName, 1, (call) => {
      const entry = this.#entries[call.smallInt(0)];
      if (entry === undefined) {
        throw call.invalid("there is no such expression");
      }
      entry.value ??= evaluateExpression(entry.expression, scope(), call.budget);
      return entry.value;
    });
  }
}
