import type { DiagnosticSink } from "../diagnostic.ts";
import type { ResourceSymbol, SemanticModel } from "../semantics/index.ts";
import type { ArrayAccess, InstanceFunctionCall, Node, PropertyAccess } from "../syntax/index.ts";
import { FunctionFlags } from "../types/index.ts";
import { limitDiagnostics } from "./diagnostics.ts";
import { propertyName, propertyNamed } from "./properties.ts";
import type { RunTimeValues } from "./run-time-values.ts";
import { functionFlags } from "./targets.ts";

/** What can be done with an existing resource when only the run shows which one it is (BCP307, 433, 434). */
export function checkRunTimeIdentity(
  model: SemanticModel,
  values: RunTimeValues,
  symbol: ResourceSymbol,
  sink: DiagnosticSink,
): void {
  if (symbol.declaration.existing === undefined || !values.hasRunTimeIdentity(symbol)) {
    return;
  }
  const dependsOn = propertyNamed(model.resourceOf(symbol).body, "dependsOn");
  if (dependsOn !== undefined) {
    sink.report(limitDiagnostics.unknownIdentityDepends(dependsOn, symbol.name));
  }
  for (const reference of model.referencesTo(symbol)) {
    const use = useOf(model, reference);
    if (use === undefined) {
      if (isInDependsOn(model, reference)) {
        sink.report(limitDiagnostics.unknownIdentityDependedOn(reference, symbol.name));
      }
      continue;
    }
    const name = propertyOf(model, use);
    if (name !== undefined) {
      sink.report(limitDiagnostics.unknownIdentityRead(use, symbol.name, name));
    }
  }
}

type Use = PropertyAccess | ArrayAccess | InstanceFunctionCall;

/** The access or call on the resource itself, past its index when it is a collection. */
function useOf(model: SemanticModel, reference: Node): Use | undefined {
  const symbol = model.symbolOf(reference);
  let isInstance = symbol?.kind !== "resource" || symbol.declaration.body.kind !== "ForExpression";
  let below = reference;
  for (let at = model.parentOf(reference); at !== undefined; at = model.parentOf(at)) {
    const isTarget = "target" in at && at.target === below;
    if (!isTarget) {
      return undefined;
    }
    if (at.kind === "ArrayAccess" && !isInstance) {
      isInstance = true;
    } else if (at.kind === "PropertyAccess" || at.kind === "ArrayAccess" || at.kind === "InstanceFunctionCall") {
      return at;
    } else if (at.kind !== "NonNullAssertion") {
      return undefined;
    }
    below = at;
  }
  return undefined;
}

/** What is read, unless it is known without asking the resource. */
function propertyOf(model: SemanticModel, use: Use): string | undefined {
  switch (use.kind) {
    case "PropertyAccess":
      return alwaysKnown.has(use.name.name) ? undefined : use.name.name;
    case "ArrayAccess": {
      const type = model.typeOf(use.index);
      return type.kind === "stringLiteral" && alwaysKnown.has(type.value) ? undefined : "[…]";
    }
    case "InstanceFunctionCall":
      return (functionFlags(model, use) & FunctionFlags.RequiresInlining) === 0 ? undefined : use.name.name;
    default:
      return use satisfies never;
  }
}

const alwaysKnown: ReadonlySet<string> = new Set(["id", "name", "type", "apiVersion"]);

function isInDependsOn(model: SemanticModel, reference: Node): boolean {
  let property: string | undefined;
  for (let at = model.parentOf(reference); at !== undefined; at = model.parentOf(at)) {
    if (at.kind === "ObjectProperty") {
      property = propertyName(at);
    } else if (at.kind === "ResourceDeclaration" || at.kind === "ModuleDeclaration") {
      return property === "dependsOn";
    }
  }
  return false;
}
