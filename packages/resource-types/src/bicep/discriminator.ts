import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { own } from "../schema/keywords.ts";
import type { SchemaAt } from "../schema/references.ts";

export interface Discriminator {
  readonly propertyName: string;
  /** The schema of each kind by its value of the property. */
  readonly members: Readonly<Record<string, JsonObject>>;
}

/** `oneOf` with the property that tells its members apart; nothing when a schema has no such thing. */
export function readDiscriminator({ schema }: Pick<SchemaAt, "schema">): Discriminator | undefined {
  const discriminator = own(schema, "discriminator");
  const alternatives = own(schema, "oneOf");
  const propertyName = isJsonObject(discriminator) ? own(discriminator, "propertyName") : undefined;
  if (!isJsonObject(discriminator) || typeof propertyName !== "string" || !Array.isArray(alternatives)) {
    return undefined;
  }
  const mapping = own(discriminator, "mapping");
  return {
    propertyName,
    members: isJsonObject(mapping) ? mapped(mapping) : named(alternatives, propertyName),
  };
}

function mapped(mapping: JsonObject): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(mapping).flatMap(([value, target]): [string, JsonObject][] =>
      typeof target === "string" ? [[value, { $ref: target }]] : [],
    ),
  );
}

/** Without a mapping each alternative names its value itself, as the only one that its property allows. */
function named(alternatives: readonly JsonValue[], propertyName: string): Record<string, JsonObject> {
  const members: [string, JsonObject][] = [];
  for (const alternative of alternatives) {
    const properties = isJsonObject(alternative) ? own(alternative, "properties") : undefined;
    const property = isJsonObject(properties) ? own(properties, propertyName) : undefined;
    const values = isJsonObject(property) ? own(property, "enum") : undefined;
    for (const value of Array.isArray(values) ? values : []) {
      if (isJsonObject(alternative) && typeof value === "string") {
        members.push([value, alternative]);
      }
    }
  }
  return Object.fromEntries(members);
}
