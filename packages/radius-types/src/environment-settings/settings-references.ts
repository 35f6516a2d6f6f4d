import { ApiError, objectMember, ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ValidateRequest } from "@rad/resources";
import { textMember } from "../rendering/members.ts";
import { missingSecrets } from "../secret-references/missing-secrets.ts";
import { settingsSecrets } from "../secret-references/settings-secrets.ts";

const members = ["terraformSettings", "bicepSettings"] as const;

/** The ids of the settings that an environment refers to. */
export function settingsReferences(properties: JsonObject): readonly string[] {
  return members.flatMap((member) => textMember(properties, member) ?? []);
}

/**
 * Checks the settings that an environment refers to.
 * @returns warnings about secrets that the settings need and nobody has created yet: secrets need an environment, so
 *   the environment comes first.
 * @throws ApiError `BadRequest` for an id that names no settings of the right type.
 */
export async function checkSettingsReferences(request: ValidateRequest): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const member of members) {
    const id = textMember(request.properties, member);
    if (id !== undefined) {
      const settings = await requireSettings(request, member, id);
      warnings.push(...(await missingSecrets(settingsSecrets(settings), request.resources)));
    }
  }
  return warnings;
}

/** The texts are upstream's: clients compare them. */
async function requireSettings(
  request: ValidateRequest,
  member: (typeof members)[number],
  text: string,
): Promise<JsonObject> {
  const { resources, current } = request;
  const target = `$.properties.${member}`;
  const id = ResourceId.tryParse(text);
  if (id?.kind !== "resource") {
    throw new ApiError("BadRequest", `Invalid ${member} resource ID: ${text}`, { target });
  }
  const expected = `Radius.Core/${member}`;
  if (id.type.toLowerCase() !== expected.toLowerCase()) {
    const problem = `has type "${id.type}"; expected "${expected}".`;
    throw new ApiError("BadRequest", `Referenced ${member} resource "${text}" ${problem}`, { target });
  }
  const before = textMember(objectMember(current?.body ?? {}, "properties"), member);
  if (before?.toLowerCase() !== text.toLowerCase()) {
    request.requireRead(text);
  }
  const document = await resources.get(text);
  if (document === undefined) {
    throw new ApiError("BadRequest", `Referenced ${member} resource "${text}" does not exist.`, { target });
  }
  return objectMember(await document.parsed(), "properties");
}
