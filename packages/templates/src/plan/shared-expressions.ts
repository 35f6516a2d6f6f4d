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
  readonly #expressions: Expression[] = [];

  /** An expression that stands for `expression`, to be evaluated once. */
  share(expression: Expression): CallExpression {
    const { position } = expression;
    const index = BigInt(this.#expressions.push(expression) - 1);
    const args: Expression[] = [{ kind: "integer", value: index, position }];
    return { kind: "call", namespace: undefined, name: sharedName, args, position };
  }

  /** What a call stands for, if `share` made it. */
  sharedBy({ name, args: [index] }: CallExpression): Expression | undefined {
    return name === sharedName && index?.kind === "integer" ? this.#expressions[Number(index.value)] : undefined;
  }

  /** Remembers the values that the expressions have in this scope. */
  function(scope: () => EvaluationScope): FunctionDefinition {
    const values: Value[] = [];
    return define(sharedName, 1, (call) => {
      const index = call.smallInt(0);
      const expression = this.#expressions[index];
      if (expression === undefined) {
        throw call.invalid("there is no such expression");
      }
      return (values[index] ??= evaluateExpression(expression, scope(), call.budget));
    });
  }
}
