import type { ArmExpression } from "./arm-expression.ts";
import type { SizeBudget } from "./size-budget.ts";

/**
 * The expression as a string of the template, brackets included. It is joined from its pieces at once: text that grows
 * by concatenation is put together when it is first read, which took as long as all of the hash.
 */
export function printExpression(expression: ArmExpression, budget: SizeBudget): string {
  pieces.start();
  pieces.add("[");
  print(expression, budget);
  pieces.add("]");
  return pieces.join();
}

/** One list serves all expressions: growing one for each took as long again. */
class Pieces {
  readonly #list: string[] = [];
  #count = 0;

  start(): void {
    this.#count = 0;
  }

  add(piece: string): void {
    this.#list[this.#count] = piece;
    this.#count += 1;
  }

  join(): string {
    return this.#list.slice(0, this.#count).join("");
  }
}

/** Of the expression that is being printed. */
const pieces = new Pieces();

function print(expression: ArmExpression, budget: SizeBudget): void {
  switch (expression.kind) {
    case "string": {
      const { value } = expression;
      budget.spend(value.length + 2);
      pieces.add("'");
      pieces.add(value.includes("'") ? value.replaceAll("'", "''") : value);
      pieces.add("'");
      break;
    }
    case "integer":
      budget.spend(8);
      pieces.add(expression.value.toString());
      break;
    case "call":
      printCall(expression, budget);
      break;
    case "property":
      budget.spend(expression.name.length + 1);
      print(expression.base, budget);
      pieces.add(".");
      pieces.add(expression.name);
      break;
    default:
      budget.spend(2);
      print(expression.base, budget);
      pieces.add("[");
      print(expression.index, budget);
      pieces.add("]");
  }
}

function printCall(call: Extract<ArmExpression, { kind: "call" }>, budget: SizeBudget): void {
  budget.spend(call.name.length + 4);
  if (call.namespace !== undefined) {
    pieces.add(call.namespace);
    pieces.add(".");
  }
  pieces.add(call.name);
  let separator = "(";
  for (const argument of call.args) {
    pieces.add(separator);
    print(argument, budget);
    separator = ", ";
  }
  pieces.add(call.args.length === 0 ? "()" : ")");
}
