import { literalText, nodeText } from "../syntax/index.ts";
import type { ObjectType, ObjectTypeProperty, TupleType, TypeExpression } from "../syntax/index.ts";
import {
  additionalOf,
  anyType,
  objectOf,
  printObject,
  PropertyFlags,
  propertyOf,
  silentError,
  tupleOf,
} from "../types/index.ts";
import type { AdditionalProperties, Type, TypeProperty, TypeSource } from "../types/index.ts";
import type { Checker } from "./checker.ts";
import { descriptionOf, refinedSource } from "./decorated-types.ts";
import { isDeferred } from "./deferred.ts";
import { checks } from "./diagnostics.ts";

/** `{ a: string, *: int }`; without a `*:` the object is open, but what is not listed earns a warning. */
export function sourceOfObjectType(checker: Checker, node: ObjectType): Type {
  const properties: TypeProperty[] = [];
  const shown: { readonly name: string; readonly type: string }[] = [];
  let additional: AdditionalProperties | undefined;
  let additionalText: string | undefined;
  let isInvalid = reportKeys(checker, node);
  for (const element of node.elements) {
    switch (element.kind) {
      case "ObjectTypeProperty": {
        const name = typeKeyText(element);
        const type = refinedSource(checker, element, checker.sourceOfTypeExpression(element.type));
        if (name === undefined || isErrorSource(type)) {
          isInvalid = true;
          break;
        }
        const flags = endsNullable(element.type) ? 0 : PropertyFlags.Required;
        properties.push(propertyOf(name, type, flags, descriptionOf(checker, element)));
        shown.push({ name, type: nodeText(checker.file.syntax, element.type) });
        break;
      }
      case "ObjectTypeAdditionalProperties": {
        const type = refinedSource(checker, element, checker.sourceOfTypeExpression(element.type));
        isInvalid ||= isErrorSource(type);
        additional = additionalOf(type);
        additionalText = nodeText(checker.file.syntax, element.type);
        break;
      }
      case "Skipped":
        isInvalid = true;
        break;
      default:
        element satisfies never;
    }
  }
  if (isInvalid) {
    return silentError;
  }
  return objectOf(properties, {
    name: printObject(shown, additionalText),
    additional: additional ?? additionalOf(anyType, PropertyFlags.Fallback),
  });
}

export function sourceOfTupleType(checker: Checker, node: TupleType): Type {
  const items: TypeSource[] = [];
  let isInvalid = false;
  for (const element of node.elements) {
    if (element.kind === "Skipped") {
      isInvalid = true;
      continue;
    }
    const type = refinedSource(checker, element, checker.sourceOfTypeExpression(element.type));
    isInvalid ||= isErrorSource(type);
    items.push(type);
  }
  return isInvalid ? silentError : tupleOf(items);
}

/** A property is optional exactly when its type is written with a `?` at the end. */
function endsNullable(node: TypeExpression): boolean {
  return node.kind === "NullableType";
}

/** The name of a property, when it is plain text. */
function typeKeyText(property: ObjectTypeProperty): string | undefined {
  const { key } = property;
  switch (key.kind) {
    case "Identifier":
      return key.token.kind === "Skipped" ? undefined : key.name;
    case "StringExpression":
      return literalText(key);
    case "Skipped":
      return undefined;
    default:
      return key satisfies never;
  }
}

function reportKeys(checker: Checker, node: ObjectType): boolean {
  if (!hasSuspiciousKeys(node)) {
    return false;
  }
  const byName = new Map<string, ObjectTypeProperty[]>();
  const byLowerName = new Map<string, ObjectTypeProperty[]>();
  let hasErrors = false;
  for (const element of node.elements) {
    if (element.kind !== "ObjectTypeProperty") {
      continue;
    }
    const name = typeKeyText(element);
    if (name === undefined) {
      if (element.key.kind === "StringExpression") {
        checker.report(checks.keyNotConstant(element.key));
      }
      hasErrors = true;
      continue;
    }
    push(byName, name, element);
    push(byLowerName, name.toLowerCase(), element);
  }
  for (const [name, group] of byName) {
    if (group.length > 1) {
      hasErrors = true;
      for (const property of group) {
        checker.report(checks.duplicateProperty(property.key, name));
      }
    }
  }
  for (const group of byLowerName.values()) {
    const names = new Set(group.map((property) => typeKeyText(property) ?? ""));
    if (names.size > 1 && names.size === group.length) {
      for (const property of group) {
        checker.report(checks.keysDifferInCase(property.key, Array.from(names)));
      }
    }
  }
  const open = node.elements.filter((element) => element.kind === "ObjectTypeAdditionalProperties");
  if (open.length > 1) {
    hasErrors = true;
    for (const element of open) {
      checker.report(checks.twoAdditional(element));
    }
  }
  return hasErrors;
}

/** A quick look that finds nothing in nearly every type: keys that are no text, not distinct, or more than one `*:`. */
function hasSuspiciousKeys(node: ObjectType): boolean {
  const names = new Set<string>();
  for (const element of node.elements) {
    const name = element.kind === "ObjectTypeProperty" ? typeKeyText(element)?.toLowerCase() : "*";
    if (name === undefined || names.has(name)) {
      return true;
    }
    names.add(name);
  }
  return false;
}

function push<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key);
  if (group === undefined) {
    groups.set(key, [item]);
  } else {
    group.push(item);
  }
}

function isErrorSource(source: TypeSource): boolean {
  return !isDeferred(source) && source.kind === "error";
}
