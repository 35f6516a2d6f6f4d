import { ApiError, formatPath, type JsonObject, jsonPointer, objectMember, setMember } from "@rad/core";
import { hidesCredentials, moduleAddressProblem, splitCredentials, withHidden } from "@rad/core/terraform";
import type { SealedValues, Validated, ValidateRequest } from "@rad/resources";
import { sortedMembers, textMember } from "../rendering/members.ts";

/** Where the source of a Terraform module is, below the properties: `["recipes", type, name, "templatePath"]`. */
type SourcePath = readonly string[];

export interface PathCredentialsOptions {
  readonly sources: (properties: JsonObject) => readonly SourcePath[];
  /** Where the credentials would be better, for the warning. */
  readonly betterPlace: string;
}

/**
 * Takes user names, tokens and keys out of the sources of modules: they are shown as `***`, and the whole source is sealed. One
 * that is sent back as it was shown keeps what is sealed, as long as it is for the same host; so commands that read, change
 * and write do no harm, and nobody can send a token elsewhere that they have never seen.
 * @throws ApiError `BadRequest` for `***` where nothing is sealed
 */
export async function sealPathCredentials(
  { properties, current, resources }: Pick<ValidateRequest, "properties" | "current" | "resources">,
  { sources, betterPlace }: PathCredentialsOptions,
): Promise<Required<Pick<Validated, "properties" | "secrets" | "warnings">>> {
  const secrets: Record<string, string> = {};
  const warnings: string[] = [];
  let shown = properties;
  let sealed: SealedValues | undefined;
  for (const path of sources(properties)) {
    const source = textAt(properties, path) ?? "";
    refuse(moduleAddressProblem(source), path);
    const pointer = jsonPointer.of(["properties", ...path]);
    const isKept = hidesCredentials(source);
    let whole = source;
    if (isKept) {
      sealed ??= current === undefined ? {} : await resources.secrets(current.id);
      const kept = keptSource(sealed, pointer);
      const found = kept === undefined ? undefined : withHidden(source, kept);
      if (found === undefined) {
        refuse(
          "'***' stands for credentials that are stored, and there are none for this host here. Send them again, or leave them out.",
          path,
        );
        continue;
      }
      whole = found;
    }
    const split = splitCredentials(whole);
    if (split.shown === whole) {
      continue;
    }
    secrets[pointer] = whole;
    shown = withText(shown, path, split.shown);
    if (!isKept) {
      const better =
        split.secretQuery === undefined ? `; better, keep them in a secret and name it in ${betterPlace}` : "";
      warnings.push(`${shownPath(path)} carries credentials. They are sealed and shown as '***'${better}.`);
    }
  }
  return { properties: shown, secrets, warnings };
}

/** The sources of an environment's own recipes. */
export function environmentSources(properties: JsonObject): readonly SourcePath[] {
  return sortedMembers(objectMember(properties, "recipes")).flatMap(([type, recipes]) =>
    sortedMembers(recipes).flatMap(([name, recipe]) =>
      recipe["templateKind"] === "terraform" && textMember(recipe, "templatePath") !== undefined
        ? [["recipes", type, name, "templatePath"]]
        : [],
    ),
  );
}

/** The sources of a recipe pack. */
export function packSources(properties: JsonObject): readonly SourcePath[] {
  return sortedMembers(objectMember(properties, "recipes")).flatMap(([type, recipe]) =>
    recipe["kind"] === "terraform" && textMember(recipe, "source") !== undefined ? [["recipes", type, "source"]] : [],
  );
}

/** Types are compared without case, and a client may spell one in another way. */
function keptSource(sealed: SealedValues, pointer: string): string | undefined {
  const found = Object.entries(sealed).find(([known]) => known.toLowerCase() === pointer.toLowerCase())?.[1];
  return typeof found === "string" ? found : undefined;
}

function textAt(properties: JsonObject, path: SourcePath): string | undefined {
  const value = jsonPointer.get(properties, jsonPointer.of(path));
  return typeof value === "string" ? value : undefined;
}

function withText(object: JsonObject, [name = "", ...rest]: SourcePath, text: string): JsonObject {
  const copy = { ...object };
  setMember(copy, name, rest.length === 0 ? text : withText(objectMember(object, name), rest, text));
  return copy;
}

function refuse(problem: string | undefined, path: SourcePath): void {
  if (problem !== undefined) {
    throw new ApiError("BadRequest", problem, { target: formatPath(["properties", ...path]) });
  }
}

function shownPath(path: SourcePath): string {
  return formatPath(["properties", ...path]).slice(2);
}
