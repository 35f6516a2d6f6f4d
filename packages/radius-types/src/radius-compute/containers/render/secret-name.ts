import type { JsonObject } from "@rad/core";
import { textMember } from "../../../rendering/members.ts";

/**
 * The Secret that a member `secretName` names. Authors write the name of a `Radius.Security/secrets` resource, and its
 * Secret has that name in lower case, as all Secrets have.
 */
export function secretNameOf(object: JsonObject): string | undefined {
  return textMember(object, "secretName")?.toLowerCase();
}
