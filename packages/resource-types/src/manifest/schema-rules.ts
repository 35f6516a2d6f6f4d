import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import type { PathSegment } from "@rad/core";
import { compileSchema } from "../schema/resource-schema.ts";
import { SchemaError } from "../schema/schema-error.ts";

export type Report = (path: readonly PathSegment[], message: string) => void;

const allowedTypes = new Set(["string", "number", "integer", "boolean", "object", "array", "enum"]);
const forbiddenKeywords = ["allOf", "anyOf", "oneOf", "not", "discriminator", "x-radius-unknown"];
/** A misspelled keyword would be ignored without a word, and a `readonly` that should have been `readOnly` is costly. */
const knownKeywords = new Set([
  ...forbiddenKeywords,
  "$ref",
  "$defs",
  "additionalProperties",
  "default",
  "definitions",
  "deprecated",
  "description",
  "enum",
  "example",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "externalDocs",
  "format",
  "items",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "multipleOf",
  "nullable",
  "pattern",
  "properties",
  "readOnly",
  "required",
  "title",
  "type",
  "uniqueItems",
  "writeOnly",
  "xml",
]);
/** The one property whose content is up to the platform behind the recipe. */
const platformOptions = "platformOptions";

/**
 * The rules for the schemas of resource types, which are narrower than OpenAPI so that Bicep types, documentation and
 * recipes can be made from them. Expects the base properties to be merged in. The HTTP API does not ask for them.
 */
export function checkSchemaRules(schema: JsonObject, report: Report): void {
  let clean = true;
  const note: Report = (path, message) => {
    clean = false;
    report(path, message);
  };

  checkRoot(schema, note);
  checkSchema(schema, [], { note, isFree: false });
  if (clean) {
    reportSchemaError(schema, note);
  }
}

interface Context {
  readonly note: Report;
  /** Inside of `platformOptions`, where any type will do. */
  readonly isFree: boolean;
}

function checkRoot(schema: JsonObject, note: Report): void {
  if (own(schema, "type") !== undefined && schema["type"] !== "object") {
    note(["type"], "The properties of a resource are an object.");
  }
  const properties = own(schema, "properties");
  if (!isJsonObject(properties)) {
    return;
  }
  for (const name of ["status", "recipe"]) {
    if (Object.hasOwn(properties, name)) {
      note(["properties", name], `'${name}' is reserved; choose another name.`);
    }
  }
  for (const name of ["application", "environment", "codeReference"]) {
    const property = own(properties, name);
    if (isJsonObject(property) && property["type"] !== "string") {
      note(["properties", name], `'${name}' must be of type string.`);
    }
  }
  const connections = own(properties, "connections");
  const isMap = isJsonObject(connections) && connections["type"] === "object";
  if (connections !== undefined && !(isMap && isJsonObject(connections["additionalProperties"]))) {
    note(["properties", "connections"], "'connections' must be an object with 'additionalProperties'.");
  }
  checkSecretsBlock(own(properties, "secrets"), note);
}

/** `secrets` names what a recipe hands over; the values themselves go to a secret store and never through here. */
function checkSecretsBlock(secrets: JsonValue | undefined, note: Report): void {
  if (!isJsonObject(secrets)) {
    return;
  }
  const path = ["properties", "secrets"];
  if (secrets["type"] !== "object") {
    note(path, "'secrets' must be of type object.");
  }
  const names = own(secrets, "properties");
  for (const [name, secret] of Object.entries(isJsonObject(names) ? names : {})) {
    if (!isJsonObject(secret) || secret["type"] !== "string") {
      note([...path, "properties", name], "A secret must be of type string.");
    } else if (name === "name" && secret["readOnly"] !== true) {
      note([...path, "properties", name], "'secrets.name' must be readOnly: the server sets it.");
    }
  }
}

function checkSchema(schema: JsonValue, path: readonly PathSegment[], context: Context): void {
  const { note } = context;
  if (!isJsonObject(schema)) {
    note(path, "must be an object.");
    return;
  }
  for (const keyword of Object.keys(schema)) {
    if (!knownKeywords.has(keyword) && !keyword.startsWith("x-")) {
      note([...path, keyword], "is not a keyword of OpenAPI 3.0 schemas.");
    }
  }
  for (const keyword of forbiddenKeywords.filter((keyword) => Object.hasOwn(schema, keyword))) {
    note([...path, keyword], `'${keyword}' is not supported in resource types.`);
  }
  checkReference(schema, path, note);
  checkType(schema, path, context);
  checkSensitive(schema, path, note);
  checkAdditional(schema, path, context);
  checkBelow(schema, path, context);
}

function checkReference(schema: JsonObject, path: readonly PathSegment[], note: Report): void {
  const reference = own(schema, "$ref");
  if (typeof reference === "string" && !reference.startsWith("#")) {
    note([...path, "$ref"], "must stay inside of the schema and start with '#/'.");
  }
}

function checkType(schema: JsonObject, path: readonly PathSegment[], context: Context): void {
  const type = own(schema, "type");
  if (type === undefined || (typeof type === "string" && allowedTypes.has(type))) {
    if (type === "enum" && !Array.isArray(own(schema, "enum"))) {
      context.note([...path, "type"], "Type enum needs an 'enum' list.");
    }
  } else if (type !== "any") {
    context.note([...path, "type"], `must be one of ${[...allowedTypes].join(", ")}.`);
  } else if (!context.isFree) {
    context.note([...path, "type"], `Type any is only for '${platformOptions}'.`);
  }
}

function checkSensitive(schema: JsonObject, path: readonly PathSegment[], note: Report): void {
  const type = own(schema, "type");
  if (own(schema, "x-radius-sensitive") === true && type !== "string" && type !== "object") {
    note([...path, "x-radius-sensitive"], "Only a property of type string or object can be sensitive.");
  }
}

function checkAdditional(schema: JsonObject, path: readonly PathSegment[], context: Context): void {
  const additional = own(schema, "additionalProperties");
  const properties = own(schema, "properties");
  const at = [...path, "additionalProperties"];
  if (additional === true) {
    context.note(at, "must be a schema; 'true' is not supported.");
  }
  if (!isJsonObject(additional)) {
    return;
  }
  if (isJsonObject(properties) && Object.keys(properties).length > 0) {
    context.note(at, "An object has either 'properties' or 'additionalProperties', not both.");
  }
  if (!context.isFree && own(additional, "type") === undefined && own(additional, "$ref") === undefined) {
    context.note(at, "needs a 'type'.");
  }
}

function checkBelow(schema: JsonObject, path: readonly PathSegment[], context: Context): void {
  for (const keyword of ["properties", "definitions", "$defs"]) {
    const schemas = own(schema, keyword);
    if (schemas !== undefined && !isJsonObject(schemas)) {
      context.note([...path, keyword], "must be an object.");
    }
    for (const [name, below] of Object.entries(isJsonObject(schemas) ? schemas : {})) {
      const isFree = context.isFree || (keyword === "properties" && name === platformOptions);
      checkSchema(below, [...path, keyword, name], { ...context, isFree });
    }
  }
  for (const keyword of ["items", "additionalProperties"]) {
    const below = own(schema, keyword);
    if (below !== undefined && typeof below !== "boolean") {
      checkSchema(below, [...path, keyword], context);
    }
  }
}

function reportSchemaError(schema: JsonObject, note: Report): void {
  try {
    compileSchema(schema);
  } catch (error) {
    if (!(error instanceof SchemaError)) {
      throw error;
    }
    note(error.path, error.reason);
  }
}

function own(schema: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(schema, name) ? schema[name] : undefined;
}
