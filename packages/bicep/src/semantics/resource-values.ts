import { literalText } from "../syntax/index.ts";
import type { Expression } from "../syntax/index.ts";
import { withoutNull } from "../types/index.ts";
import type { ResourceReference, Type } from "../types/index.ts";
import type { SemanticModel } from "./model.ts";

/** A resource that the file knows only by the id it is given: a parameter, or an output of a module. */
export interface ResourceValue {
  readonly from: "parameter" | "output";
  readonly reference: ResourceReference;
}

export function resourceValueOf(model: SemanticModel, expression: Expression): ResourceValue | undefined {
  const node = bare(expression);
  switch (node.kind) {
    case "VariableAccess": {
      const symbol = model.symbolOf(node);
      return symbol?.kind === "parameter" ? resourceValue("parameter", model.typeOfSymbol(symbol)) : undefined;
    }
    case "PropertyAccess":
    case "ArrayAccess":
      return isModuleOutput(model, bare(node.target)) ? resourceValue("output", model.typeOf(node)) : undefined;
    default:
      return undefined;
  }
}

/** What the id of a resource and its type tell without looking it up. */
export const partsOfIds: ReadonlySet<string> = new Set(["id", "name", "type", "apiVersion"]);

/** The property that an access reads, when it is written in the file. */
export function accessedName(node: Expression): string | undefined {
  switch (node.kind) {
    case "PropertyAccess":
      return node.name.name;
    case "ArrayAccess":
      return node.fromEnd === undefined && node.index.kind === "StringExpression" ? literalText(node.index) : undefined;
    default:
      return undefined;
  }
}

function resourceValue(from: ResourceValue["from"], type: Type): ResourceValue | undefined {
  const given = withoutNull(type) ?? type;
  return given.kind === "resource" ? { from, reference: given.reference } : undefined;
}

function isModuleOutput(model: SemanticModel, node: Expression): boolean {
  if ((node.kind !== "PropertyAccess" && node.kind !== "ArrayAccess") || accessedName(node) !== "outputs") {
    return false;
  }
  const type = model.typeOf(node.target);
  return (withoutNull(type) ?? type).kind === "module";
}

/** Neither parentheses nor `!` change what an expression stands for. */
function bare(expression: Expression): Expression {
  let node = expression;
  while (node.kind === "ParenthesizedExpression" || node.kind === "NonNullAssertion") {
    node = node.kind === "ParenthesizedExpression" ? node.expression : node.target;
  }
  return node;
}
