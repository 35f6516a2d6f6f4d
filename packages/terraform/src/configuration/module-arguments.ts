import type { JsonObject, JsonValue, SecretReference } from "@rad/core";
import { asSecretReference, isJsonObject, jsonPointer } from "@rad/core";
import type { SecretLookup } from "./secret-lookup.ts";
import type { SecretVariables } from "./secret-variables.ts";
import { mapMembers, templateText } from "./template-text.ts";

/** Writes values into `main.tf.json`: strings are escaped, secrets replaced by variables. */
export interface ArgumentWriter {
  readonly variables: SecretVariables;
  /** Resolves `{ secretId, key }`, at any depth; without it such an object is data. */
  readonly secrets?: SecretLookup;
  /** The value as somebody wrote it, whose references count alone: others were put in by expressions, and are data. */
  readonly written?: JsonObject;
  /** JSON pointers to values that are secrets themselves. */
  readonly sensitive: ReadonlySet<string>;
  /** Texts of secrets that may be part of other values. */
  readonly secretTexts: readonly string[];
  /** A text that stands for what is not known yet. */
  readonly unknownMark?: string | undefined;
}

/** Terraform knows neither value nor type of it before it applies: all that is made of it is unknown in a plan. */
const unknownValue = "${jsondecode(timestamp())}";

/** `pointer` is where the value is, for `sensitive` and for errors. */
export function writeArgument(value: JsonValue, pointer: string, writer: ArgumentWriter): JsonValue {
  const reference = writer.secrets === undefined ? undefined : writtenReference(value, pointer, writer);
  if (reference !== undefined) {
    return writer.variables.add(writer.secrets?.(reference) ?? "", `The secret of ${pointer}`);
  }
  if (typeof value === "string" && writer.unknownMark !== undefined && value.includes(writer.unknownMark)) {
    return unknownValue;
  }
  if (value !== null && writer.sensitive.has(pointer)) {
    return writer.variables.add(value, `The value of ${pointer}`);
  }
  if (typeof value === "string") {
    return writer.secretTexts.some((secret) => isMadeOf(value, secret))
      ? writer.variables.add(value, `The value of ${pointer}`)
      : templateText(value);
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => writeArgument(item, `${pointer}/${index}`, writer));
  }
  return isJsonObject(value)
    ? mapMembers(value, templateText, (member, name) => writeArgument(member, pointer + jsonPointer.of([name]), writer))
    : value;
}

/** Shorter texts are found in others by chance, and what is sensitive cannot be used everywhere. */
const shortestPart = 6;

function isMadeOf(text: string, secret: string): boolean {
  return text === secret || (secret.length >= shortestPart && text.includes(secret));
}

/** An expression may stand for anything that whoever wrote the resource likes, who may not read the secrets of the run. */
function writtenReference(
  value: JsonValue,
  pointer: string,
  { written }: Pick<ArgumentWriter, "written">,
): SecretReference | undefined {
  const reference = asSecretReference(value);
  if (reference === undefined || written === undefined) {
    return reference;
  }
  const { secretId, key } = asSecretReference(jsonPointer.get(written, pointer)) ?? {};
  return secretId === reference.secretId && key === reference.key ? reference : undefined;
}
