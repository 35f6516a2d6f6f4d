import { isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";

export function isSecret({ apiVersion, kind }: JsonObject): boolean {
  return kind === "Secret" && apiVersion === "v1";
}

/** The values of a Secret as they are sent and in clear; none for other kinds. */
export function secretValuesOf(object: JsonObject): string[] {
  if (!isSecret(object)) {
    return [];
  }
  const texts = (values: unknown): string[] =>
    isJsonObject(values) ? Object.values(values).filter((value) => typeof value === "string") : [];
  const encoded = texts(object["data"]);
  const decoded = encoded.map((value) => Buffer.from(value, "base64").toString());
  return [...encoded, ...decoded, ...texts(object["stringData"])];
}
