import { isJsonObject, objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";

/** A value of a body with the schema that describes it. */
export interface Visit {
  readonly schema: JsonObject;
  readonly value: JsonValue;
  readonly path: readonly (string | number)[];
}

/** Every value of a body, the outermost first. */
export function* walkBody(schema: JsonObject, value: JsonValue, path: Visit["path"] = []): Generator<Visit> {
  yield { schema, value, path };
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* walkBody(objectMember(schema, "items"), item, [...path, index]);
    }
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      yield* walkBody(memberOf(schema, value, name), member, [...path, name]);
    }
  }
}

/** The schema of a member, also of the variant that the object's discriminator chooses. */
export function memberOf(schema: JsonObject, value: JsonObject, name: string): JsonObject {
  const declared = {
    ...objectMember(chosenVariant(schema, value), "properties"),
    ...objectMember(schema, "properties"),
  };
  return Object.hasOwn(declared, name) ? objectMember(declared, name) : objectMember(schema, "additionalProperties");
}

export function chosenVariant(schema: JsonObject, value: JsonObject): JsonObject {
  const { propertyName } = objectMember(schema, "discriminator");
  const name = typeof propertyName === "string" ? propertyName : "";
  const { oneOf } = schema;
  const variants = Array.isArray(oneOf) ? oneOf.filter(isJsonObject) : [];
  const chosen = variants.find((variant) => {
    const { enum: values } = objectMember(objectMember(variant, "properties"), name);
    return Array.isArray(values) && values[0] === value[name];
  });
  return chosen ?? {};
}

/** Every member that a client may set, of all variants. */
export function* declaredMembers(
  schema: JsonObject,
  path = "properties",
): Generator<{ path: string; schema: JsonObject }> {
  if (schema["readOnly"] === true || Object.keys(schema).length === 0) {
    return;
  }
  for (const [name, member] of Object.entries(objectMember(schema, "properties"))) {
    if (isJsonObject(member) && member["readOnly"] !== true) {
      yield { path: `${path}.${name}`, schema: member };
      yield* declaredMembers(member, `${path}.${name}`);
    }
  }
  const { propertyName = "" } = objectMember(schema, "discriminator");
  const { oneOf } = schema;
  for (const variant of Array.isArray(oneOf) ? oneOf.filter(isJsonObject) : []) {
    for (const found of declaredMembers(variant, path)) {
      if (found.path !== `${path}.${propertyName as string}`) {
        yield found;
      }
    }
  }
  for (const below of ["items", "additionalProperties"]) {
    yield* declaredMembers(objectMember(schema, below), `${path}.*`);
  }
}
