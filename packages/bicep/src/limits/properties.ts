import { literalText } from "../syntax/index.ts";
import type { ObjectExpression, ObjectProperty } from "../syntax/index.ts";

/** The properties that are written in an object, `...` and the like left out. */
export function* propertiesOf(object: ObjectExpression | undefined): Iterable<ObjectProperty> {
  for (const element of object?.elements ?? []) {
    if (element.kind === "ObjectProperty") {
      yield element;
    }
  }
}

/** The name of a property, quoted or not; nothing when it has holes or did not parse. */
export function propertyName(property: ObjectProperty): string | undefined {
  switch (property.key.kind) {
    case "Identifier":
      return property.key.token.kind === "Skipped" ? undefined : property.key.name;
    case "StringExpression":
      return literalText(property.key);
    default:
      return undefined;
  }
}

/** The first property of that name. */
export function propertyNamed(object: ObjectExpression | undefined, name: string): ObjectProperty | undefined {
  for (const property of propertiesOf(object)) {
    if (propertyName(property) === name) {
      return property;
    }
  }
  return undefined;
}
