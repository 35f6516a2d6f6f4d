import type { ArmExpression } from "./arm-expression.ts";
import type { SizeBudget } from "./size-budget.ts";

/** The expression as a string of the template, brackets included. */
export function printExpression(expression: ArmExpression, budget: SizeBudget): string {
  return `[${print(expression, budget)}]`;
}

function print(expression: ArmExpression, budget: SizeBudget): string {
  switch (expression.kind) {
    case "string": {
      budget.spend(expression.value.length + 2);
      return expression.value.includes("'") ? `'${expression.value.replaceAll("'", "''")}'` : `'${expression.value}'`;
    }
    case "integer":
      budget.spend(8);
      return expression.value.toString();
    case "call": {
      budget.spend(expression.name.length + 4);
      let result = expression.namespace === undefined ? "" : `${expression.namespace}.`;
      result += `${expression.name}(`;
      let separator = "";
      for (const argument of expression.args) {
        result += separator + print(argument, budget);
        separator = ", ";
      }
      return `${result})`;
    }
    case "property":
      budget.spend(expression.name.length + 1);
      return `${print(expression.base, budget)}.${expression.name}`;
    default:
      budget.spend(2);
      return `${print(expression.base, budget)}[${print(expression.index, budget)}]`;
  }
}
