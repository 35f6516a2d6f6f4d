import type { DiagnosticSink } from "../diagnostic.ts";
import type { SemanticModel } from "../semantics/index.ts";
import type { Lambda, LocalVariable, Node } from "../syntax/index.ts";
import { FunctionFlags } from "../types/index.ts";
import { limitDiagnostics } from "./diagnostics.ts";
import { collectionOf, functionFlags } from "./targets.ts";

/** A lambda may only be an argument (BCP242), and its variables cannot choose what the engine looks up (BCP247, 248). */
export function checkLambda(model: SemanticModel, lambda: Lambda, sink: DiagnosticSink): void {
  if (!isArgument(model, lambda)) {
    sink.report(limitDiagnostics.lambdaNotAllowed(lambda));
  }
  for (const variable of variablesOf(lambda)) {
    const symbol = model.symbolOf(variable);
    for (const reference of symbol === undefined ? [] : model.referencesTo(symbol)) {
      checkReference(model, lambda, reference, sink);
    }
  }
}

function isArgument(model: SemanticModel, lambda: Lambda): boolean {
  let parent = model.parentOf(lambda);
  while (parent?.kind === "ParenthesizedExpression") {
    parent = model.parentOf(parent);
  }
  return parent?.kind === "FunctionArgument";
}

function variablesOf(lambda: Lambda): readonly LocalVariable[] {
  return lambda.parameters.kind === "LocalVariable" ? [lambda.parameters] : lambda.parameters.variables;
}

/** Looks at what stands between a use of a lambda's variable and the lambda. */
function checkReference(model: SemanticModel, lambda: Lambda, reference: Node, sink: DiagnosticSink): void {
  if (reference.kind !== "VariableAccess") {
    return;
  }
  const { name } = reference.name;
  let below: Node = reference;
  for (let at = model.parentOf(reference); at !== undefined && at !== lambda; at = model.parentOf(at)) {
    if (at.kind === "ArrayAccess" && at.index === below && collectionOf(model, at.target) !== undefined) {
      sink.report(limitDiagnostics.lambdaVariableInIndex(at.index, name));
    }
    if ((at.kind === "FunctionCall" || at.kind === "InstanceFunctionCall") && below.kind === "FunctionArgument") {
      if ((functionFlags(model, at) & FunctionFlags.RequiresInlining) !== 0) {
        sink.report(limitDiagnostics.lambdaVariableInCall(at, name, at.name.name));
      }
    }
    below = at;
  }
}
