import type { DiagnosticSink } from "../diagnostic.ts";
import { accessedName, partsOfIds, resourceValueOf } from "../semantics/index.ts";
import type { SemanticModel } from "../semantics/index.ts";
import type { ArrayAccess, InstanceFunctionCall, PropertyAccess } from "../syntax/index.ts";
import { limitDiagnostics } from "./diagnostics.ts";

/** A module hands over the id of a resource, which may be in a scope that this deployment cannot read (BCP320). */
export function checkResourceOutput(
  model: SemanticModel,
  node: PropertyAccess | ArrayAccess | InstanceFunctionCall,
  sink: DiagnosticSink,
): void {
  if (node.kind !== "InstanceFunctionCall" && partsOfIds.has(accessedName(node) ?? "")) {
    return;
  }
  if (resourceValueOf(model, node.target)?.from === "output") {
    sink.report(limitDiagnostics.resourceOutputMember(node));
  }
}
