import type { Span } from "../diagnostic.ts";
import type { SemanticModel } from "../semantics/index.ts";
import { forEachChild, walk } from "../syntax/index.ts";
import type { Expression, Node } from "../syntax/index.ts";
import { TypeFlags } from "../types/index.ts";
import type { Type } from "../types/index.ts";
import { isListCall, unwrapped } from "./calls.ts";
import type { Call } from "./calls.ts";

export interface PossibleSecret {
  readonly span: Span;
  /** What it is, in words. */
  readonly text: string;
}

/** What an expression may give away: values of secure types, and what `list*` functions return. */
export function possibleSecrets(model: SemanticModel, expression: Expression): PossibleSecret[] {
  const found: PossibleSecret[] = [];
  const visit = (node: Node, isBase: boolean): void => {
    if (isListCall(model, node) && !isChosenByLambda(model, node)) {
      found.push({ span: node, text: `the result of "${node.name.name}"` });
    }
    switch (node.kind) {
      case "VariableAccess":
        if (isSecret(model.typeOf(node), isBase)) {
          found.push({ span: node.name, text: `"${node.name.name}", which is secure` });
        }
        return;
      case "PropertyAccess":
        if (isSecret(model.typeOf(node), isBase)) {
          found.push({ span: node.name, text: `"${node.name.name}", which is secure` });
        }
        visit(node.target, true);
        return;
      case "ArrayAccess":
        if (isSecret(model.typeOf(node), isBase)) {
          found.push({ span: node.index, text: "an item that is secure" });
        }
        visit(node.target, true);
        visit(node.index, false);
        return;
      case "Skipped":
        return;
      default:
        forEachChild(node, (child) => visit(child, false));
    }
  };
  visit(expression, false);
  return found;
}

/** `r[i].listKeys()` where a lambda gives the index: such a call cannot be deployed (BCP247), so it gives nothing away. */
function isChosenByLambda(model: SemanticModel, call: Call): boolean {
  const target = call.kind === "InstanceFunctionCall" ? unwrapped(call.target) : undefined;
  if (target?.kind !== "ArrayAccess") {
    return false;
  }
  let isChosen = false;
  walk(target.index, (node) => {
    const symbol = node.kind === "VariableAccess" ? model.symbolOf(node) : undefined;
    isChosen ||= symbol?.kind === "local" && symbol.owner.kind === "Lambda";
  });
  return isChosen;
}

/** A value from which more is read counts only when it is secure as a whole. */
function isSecret(type: Type, isBase: boolean): boolean {
  return isBase ? (type.flags & TypeFlags.Secure) !== 0 : containsSecure(type);
}

/** Whether a type is secure or has a secure part. */
function containsSecure(type: Type): boolean {
  const seen = new Set<Type>();
  const visit = (at: Type): boolean => {
    if ((at.flags & TypeFlags.Secure) !== 0) {
      return true;
    }
    if (seen.has(at)) {
      return false;
    }
    seen.add(at);
    switch (at.kind) {
      case "array":
        return visit(at.item);
      case "tuple":
        return at.items.some(visit);
      case "union":
        return at.members.some(visit);
      case "object": {
        const properties = Array.from(at.properties.values(), ({ type: property }) => property);
        return properties.some(visit) || (at.additional !== undefined && visit(at.additional.type));
      }
      case "discriminated":
        return Array.from(at.members.values()).some(visit);
      case "resource":
      case "module":
        return visit(at.body);
      default:
        return false;
    }
  };
  return visit(type);
}
