import type { Expression, ForExpression, IfCondition } from "../syntax/index.ts";
import type { ArmExpression } from "./arm-expression.ts";
import type { FileContext } from "./file-context.ts";

/** A place in a file, as far as emitting an expression depends on it: which turn of a loop it belongs to. */
export interface Env {
  readonly file: FileContext;
  convert(node: Expression | IfCondition): ArmExpression;
  /** The number of the turn that an expression inside of a loop belongs to. */
  turnOf(loop: ForExpression): ArmExpression;
  /** The same place, in turn `at` of a loop. */
  withTurn(loop: ForExpression, at: ArmExpression): Env;
}
