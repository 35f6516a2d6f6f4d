import type { DiagnosticSink } from "../diagnostic.ts";
import type { SemanticModel } from "../semantics/index.ts";
import type { IntegerLiteral, IntegerTypeLiteral } from "../syntax/index.ts";
import { limitDiagnostics } from "./diagnostics.ts";

const largest = 0x7fff_ffff_ffff_ffffn;

/** Templates hold signed 64-bit integers; a minus makes room for one more (BCP010). */
export function checkInteger(
  model: SemanticModel,
  node: IntegerLiteral | IntegerTypeLiteral,
  sink: DiagnosticSink,
): void {
  if (node.value <= largest) {
    return;
  }
  const parent = model.parentOf(node);
  const isUnary = parent?.kind === "UnaryOperation" || parent?.kind === "UnaryTypeOperation";
  const allowed = isUnary && parent.operator === "-" ? largest + 1n : largest;
  if (node.value > allowed) {
    sink.report(limitDiagnostics.integerTooLarge(node));
  }
}
