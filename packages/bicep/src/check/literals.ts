import type { ArrayExpression, ObjectExpression, ObjectProperty, Spread } from "../syntax/index.ts";
import { literalText } from "../syntax/index.ts";
import {
  additionalOf,
  anyArray,
  anyObject,
  anyType,
  arrayOf,
  closedObjectOf,
  collapse,
  isAssignable,
  objectOf,
  PropertyFlags,
  propertyOf,
  silentError,
  tupleOf,
  unionOf,
} from "../types/index.ts";
import type { ObjectType, Type, TypeProperty } from "../types/index.ts";
import type { Checker } from "./checker.ts";
import { checks } from "./diagnostics.ts";

/** The name of a property, when it is plain text. */
export function keyText(property: ObjectProperty): string | undefined {
  const { key } = property;
  switch (key.kind) {
    case "Identifier":
      return isUnread(key.name) ? undefined : key.name;
    case "StringExpression":
      return literalText(key);
    case "Skipped":
      return undefined;
    default:
      return key satisfies never;
  }
}

/** What did not parse has a name that cannot be written; to see it there spares a look at the token. */
function isUnread(name: string): boolean {
  return name.startsWith("<");
}

/** The property of an object literal with this name. */
export function propertyNamed(object: ObjectExpression | undefined, name: string): ObjectProperty | undefined {
  for (const element of object?.elements ?? []) {
    if (element.kind === "ObjectProperty" && keyText(element) === name) {
      return element;
    }
  }
  return undefined;
}

/** A closed object of the literal's properties; interpolated keys and open spreads leave it open. */
export function typeOfObject(checker: Checker, node: ObjectExpression): Type {
  // A later one of the same name wins, which only spreads make use of.
  const properties: TypeProperty[] = [];
  const additional: Type[] = [];
  const expected = checker.expectedObject(node);
  let isInvalid = false;
  let spreads = false;
  for (const element of node.elements) {
    switch (element.kind) {
      case "ObjectProperty": {
        const type = checker.typeOf(element.value);
        const name = keyText(element);
        if (name !== undefined) {
          properties.push(propertyOf(name, type, flagsAt(expected, name)));
        } else if (element.key.kind === "StringExpression") {
          isInvalid = checker.typeOf(element.key).kind === "error" || isInvalid;
          additional.push(type);
        } else {
          isInvalid = true;
        }
        isInvalid ||= type.kind === "error";
        break;
      }
      case "Spread":
        spreads = true;
        isInvalid = !spreadObject(checker, element, properties, additional) || isInvalid;
        break;
      case "Skipped":
        isInvalid = true;
        break;
      case "ResourceDeclaration":
      case "DanglingDecorators":
        break;
      default:
        element satisfies never;
    }
  }
  if ((spreads || hasDuplicates(properties)) && reportDuplicates(checker, node)) {
    isInvalid = true;
  }
  if (isInvalid) {
    return silentError;
  }
  if (additional.length === 0 && !spreads) {
    return closedObjectOf(properties);
  }
  return additional.length === 0
    ? objectOf(properties)
    : objectOf(properties, { additional: additionalOf(unionOf(additional)) });
}

/** A tuple of the literal's items; a spread of unknown length makes it a plain array. */
export function typeOfArray(checker: Checker, node: ArrayExpression): Type {
  const items: Type[] = [];
  let isTuple = true;
  let isInvalid = false;
  for (const element of node.elements) {
    switch (element.kind) {
      case "ArrayItem":
        items.push(checker.typeOf(element.value));
        break;
      case "Spread": {
        const type = checker.typeOf(element.expression);
        if (type.kind === "tuple") {
          items.push(...type.items);
        } else if (type.kind === "array") {
          items.push(type.item);
          isTuple = false;
        } else if (type.kind === "error") {
          isInvalid = true;
        } else if (isAssignable(type, anyArray)) {
          items.push(anyType);
          isTuple = false;
        } else {
          checker.report(checks.spreadType(element, "array", type));
          isInvalid = true;
        }
        break;
      }
      case "Skipped":
        isInvalid = true;
        break;
      default:
        element satisfies never;
    }
  }
  if (isInvalid || items.some((item) => item.kind === "error")) {
    return silentError;
  }
  return isTuple ? tupleOf(items) : arrayOf(unionOf(items));
}

// Few enough to compare each with all before it, which is cheaper than a set.
const fewProperties = 12;

function hasDuplicates(properties: readonly TypeProperty[]): boolean {
  if (properties.length > fewProperties) {
    return new Set(properties.map(({ name }) => name)).size < properties.length;
  }
  for (const property of properties) {
    for (const other of properties) {
      if (other === property) {
        break;
      }
      // Most differ in length, which is quicker to see.
      if (other.name.length === property.name.length && other.name === property.name) {
        return true;
      }
    }
  }
  return false;
}

/** Every occurrence of a name that is written more than once is reported. */
function reportDuplicates(checker: Checker, node: ObjectExpression): boolean {
  const groups = new Map<string, ObjectProperty[]>();
  for (const element of node.elements) {
    const name = element.kind === "ObjectProperty" ? keyText(element) : undefined;
    if (name !== undefined && element.kind === "ObjectProperty") {
      const group = groups.get(name);
      if (group === undefined) {
        groups.set(name, [element]);
      } else {
        group.push(element);
      }
    }
  }
  let found = false;
  for (const [name, group] of groups) {
    if (group.length > 1) {
      found = true;
      for (const property of group) {
        checker.report(checks.duplicateProperty(property.key, name));
      }
    }
  }
  return found;
}

function spreadObject(checker: Checker, node: Spread, properties: TypeProperty[], additional: Type[]): boolean {
  const type = checker.typeOf(node.expression);
  const object = collapse(type) ?? type;
  if (object.kind === "error") {
    return false;
  }
  const body = object.kind === "resource" || object.kind === "module" ? object.body : object;
  if (body.kind === "object") {
    properties.push(...body.properties.values());
    if (body.additional !== undefined) {
      additional.push(body.additional.type);
    }
    return true;
  }
  if (isAssignable(object, anyObject)) {
    additional.push(anyType);
    return true;
  }
  checker.report(checks.spreadType(node, "object", type));
  return false;
}

/** What the expected type says about the property, so that later checks know it too. */
function flagsAt(expected: ObjectType | undefined, name: string): number {
  const declared = expected?.properties.get(name)?.flags ?? expected?.additional?.flags ?? 0;
  return (declared & ~PropertyFlags.ReadOnly) | PropertyFlags.Required;
}
