import { isJsonObject, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";

export function isSecret({ apiVersion, kind }: JsonObject): boolean {
  return kind === "Secret" && apiVersion === "v1";
}

/** Where kubectl keeps the whole object as it was applied: of a Secret, its values in clear. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** The object without a copy of its values among its annotations, if it is a Secret. */
export function withoutCopies<T extends JsonObject>(object: T): T {
  const metadata = objectMember(object, "metadata");
  const { [lastApplied]: copy, ...annotations } = objectMember(metadata, "annotations");
  return copy === undefined || !isSecret(object) ? object : { ...object, metadata: { ...metadata, annotations } };
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
