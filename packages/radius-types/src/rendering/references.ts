import type { JsonObject } from "@rad/core";
import { listMember, textMember } from "./members.ts";

/** The ids in `properties.resources`: what the author has already, and keeps. */
export function referencesOf(properties: JsonObject): readonly string[] {
  return listMember(properties, "resources").flatMap((reference) => textMember(reference, "id") ?? []);
}
