import type { DiagnosticSink } from "../diagnostic.ts";
import type { SemanticModel } from "../semantics/index.ts";
import type { PropertyAccess } from "../syntax/index.ts";
import { TypeFlags } from "../types/index.ts";
import { limitDiagnostics } from "./diagnostics.ts";
import { instanceOf } from "./targets.ts";

/** A module's secret output can only be read from the module itself, not from a value that holds it (BCP426). */
export function checkSecureOutput(model: SemanticModel, node: PropertyAccess, sink: DiagnosticSink): void {
  const { target } = node;
  if (target.kind !== "PropertyAccess" || target.name.name !== "outputs") {
    return;
  }
  const isIndirect = model.typeOf(target.target).kind === "module" && instanceOf(model, target.target) === undefined;
  if (isIndirect && (model.typeOf(node).flags & TypeFlags.Secure) !== 0) {
    sink.report(limitDiagnostics.secureOutputIndirect(node.name, node.name.name));
  }
}
