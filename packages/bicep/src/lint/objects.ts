import { propertyName } from "../limits/index.ts";
import type { SemanticModel } from "../semantics/index.ts";
import { literalText } from "../syntax/index.ts";
import type { Expression, Node, ObjectExpression, ObjectProperty } from "../syntax/index.ts";

/** The property that a path of names leads to through object literals; letter case does not matter. */
export function propertyAt(node: Node | undefined, ...path: string[]): ObjectProperty | undefined {
  let property: ObjectProperty | undefined;
  let at: Node | undefined = node;
  for (const name of path) {
    property = at?.kind === "ObjectExpression" ? propertyLike(at, name) : undefined;
    at = property?.value;
  }
  return property;
}

function propertyLike(object: ObjectExpression, name: string): ObjectProperty | undefined {
  for (const element of object.elements) {
    if (element.kind === "ObjectProperty" && isLike(propertyName(element), name)) {
      return element;
    }
  }
  return undefined;
}

/** Names of another length cannot be the same, which spares most of them the conversion. */
function isLike(candidate: string | undefined, name: string): boolean {
  return candidate?.length === name.length && candidate.toLowerCase() === name.toLowerCase();
}

/** The text of a string literal. */
export function textOf(node: Expression | undefined): string | undefined {
  return node?.kind === "StringExpression" ? literalText(node) : undefined;
}

/** Whether a node stands somewhere in the declaration of a resource. */
export function isInResource(model: SemanticModel, node: Node): boolean {
  for (let at = model.parentOf(node); at !== undefined; at = model.parentOf(at)) {
    if (at.kind === "ResourceDeclaration") {
      return true;
    }
  }
  return false;
}
