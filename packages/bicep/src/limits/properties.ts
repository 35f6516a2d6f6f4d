import { literalText } from "../syntax/index.ts";
import type { ObjectExpression, ObjectProperty } from "../syntax/index.ts";

/** The properties that are written in an object, `...` and the like left out. */
export function propertiesOf(object: ObjectExpression | undefined): readonly ObjectProperty[] {
  return object === undefined ? noProperties : object.elements.filter((element) => element.kind === "ObjectProperty");
}

const noProperties: readonly ObjectProperty[] = [];

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
  for (const element of object?.elements ?? noProperties) {
    if (element.kind === "ObjectProperty" && propertyName(element) === name) {
      return element;
    }
  }
  return undefined;
}
