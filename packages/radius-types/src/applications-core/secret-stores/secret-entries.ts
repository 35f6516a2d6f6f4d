import { objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { sortedMembers, textMember } from "../../rendering/members.ts";

/** A key of a secret store. */
export interface SecretEntry {
  readonly key: string;
  readonly encoding: "raw" | "base64";
  /** Where its value is sealed. */
  readonly pointer: string;
  /** Absent when the value is where the store refers to. */
  readonly value: string | undefined;
}

export function storeType(properties: JsonObject): string {
  return textMember(properties, "type") ?? "generic";
}

/** The keys of a store, sorted, with the values that are sealed. */
export function secretEntries(
  properties: JsonObject,
  sealed: Readonly<Record<string, JsonValue>>,
): readonly SecretEntry[] {
  const usual = storeType(properties) === "certificate" ? "base64" : "raw";
  return sortedMembers(objectMember(properties, "data")).map(([key, entry]) => {
    const pointer = `/properties/data/${key.replaceAll("~", "~0").replaceAll("/", "~1")}/value`;
    const value = sealed[pointer];
    return {
      key,
      encoding: (textMember(entry, "encoding") ?? usual) === "base64" ? "base64" : "raw",
      pointer,
      value: typeof value === "string" ? value : undefined,
    };
  });
}
