import type { ArmExpression } from "./arm-expression.ts";
import type { SizeBudget } from "./size-budget.ts";

/**
 * The expression as a string of the template, brackets included. It is joined from its pieces at once: text that grows
 * by concatenation is put together when it is first read, which took as long as all of the hash.
 */
export function printExpression(expression: ArmExpression, budget: SizeBudget): string {
  pieces.length = 0;
  pieces.push("[");
  print(expression, budget);
  pieces.push("]");
  return pieces.join("");
}

/** Of the expression that is being printed. One list serves all of them: growing one for each took as long again. */
const pieces: string[] = [];

function print(expression: ArmExpression, budget: SizeBudget): void {
  switch (expression.kind) {
    case "string": {
      const { value } = expression;
      budget.spend(value.length + 2);
      pieces.push("'", value.includes("'") ? value.replaceAll("'", "''") : value, "'");
      break;
    }
    case "integer":
      budget.spend(8);
      pieces.push(expression.value.toString());
      break;
    case "call":
      printCall(expression, budget);
      break;
    case "property":
      budget.spend(expression.name.length + 1);
      print(expression.base, budget);
      pieces.push(".", expression.name);
      break;
    default:
      budget.spend(2);
      print(expression.base, budget);
      pieces.push("[");
      print(expression.index, budget);
      pieces.push("]");
  }
}

function printCall(call: Extract<ArmExpression, { kind: "call" }>, budget: SizeBudget): void {
  budget.spend(call.name.length + 4);
  if (call.namespace !== undefined) {
    pieces.push(call.namespace, ".");
  }
  pieces.push(call.name);
  let separator = "(";
  for (const argument of call.args) {
    pieces.push(separator);
    print(argument, budget);
    separator = ", ";
  }
  pieces.push(call.args.length === 0 ? "()" : ")");
}
