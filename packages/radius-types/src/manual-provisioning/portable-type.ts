import { objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";

/** A type whose values come from a recipe or from the author, and that renders no objects of its own. */
export interface PortableType {
  /** Values that have to be known, in the order in which they are asked for. */
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly secrets: readonly string[];
  /** Values and secrets made of the others; those that the author gives win. Called when all that is required is known. */
  compute(values: JsonObject, secrets: Secrets): Computed;
}

type Secrets = Readonly<Record<string, string>>;

/** Sealed values in clear, by JSON pointer. */
type Sealed = Readonly<Record<string, JsonValue>>;

interface Computed {
  readonly values?: JsonObject;
  readonly secrets: Secrets;
}

/** What those get who connect to the resource. */
export interface KnownValues {
  readonly values: JsonObject;
  readonly secretValues: Secrets;
  readonly missing: readonly string[];
}

/** Everything that follows from what the author gave; nothing is computed while something required is missing. */
export function knownValues(type: PortableType, properties: JsonObject, sealed: Sealed): KnownValues {
  const given: JsonObject = {};
  for (const name of [...type.required, ...type.optional]) {
    const value = properties[name];
    if (isGiven(value)) {
      given[name] = value;
    }
  }
  const secrets = sealedTexts(sealed, type.secrets);
  const missing = type.required.filter((name) => given[name] === undefined);
  if (missing.length > 0) {
    return { values: given, secretValues: secrets, missing };
  }
  // Values come first: secrets such as connection strings are made of them.
  const first = type.compute(given, secrets);
  const values = { ...first.values, ...given };
  return { values, secretValues: { ...type.compute(values, secrets).secrets, ...secrets }, missing };
}

/** The members of `properties.secrets` that are not empty; the object is sealed as a whole. */
function sealedTexts(sealed: Sealed, names: readonly string[]): Secrets {
  const secrets = objectMember(sealed, "/properties/secrets");
  const texts = names.map((name) => [name, secrets[name]] as const);
  return Object.fromEntries(texts.filter((entry): entry is [string, string] => isText(entry[1])));
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value !== "";
}

/** Empty texts and 0 count as absent; `false` is a value. */
export function isGiven(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null && value !== "" && value !== 0;
}
