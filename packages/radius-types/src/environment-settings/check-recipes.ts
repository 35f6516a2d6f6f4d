import { ApiError, formatPath, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { gitVersionProblem, isGitSource } from "@rad/core/terraform";
import { splitModuleVersion } from "../recipes/module-version.ts";
import { sortedMembers, textMember } from "../rendering/members.ts";

/**
 * The recipes of an environment, by resource type and name. The texts are upstream's.
 * @param gitHosts whose plain `https://` addresses are repositories
 * @throws ApiError `BadRequest`
 */
export function checkEnvironmentRecipes(properties: JsonObject, gitHosts: ReadonlySet<string>): void {
  for (const [type, recipes] of Object.entries(objectMember(properties, "recipes"))) {
    requireResourceType(type);
    for (const [name, recipe] of sortedMembers(objectMember({ recipes }, "recipes"))) {
      if (recipe["templateKind"] === "terraform") {
        const [source, version] = [textMember(recipe, "templatePath"), textMember(recipe, "templateVersion")];
        requireModuleAddress(source, ["recipes", type, name, "templatePath"]);
        requireNoVersionOfGit({ source, version }, gitHosts, ["recipes", type, name, "templateVersion"]);
      }
    }
  }
}

/** The recipes of a pack, by resource type. @throws ApiError `BadRequest` */
export function checkPackRecipes(properties: JsonObject): void {
  const seen = new Map<string, string>();
  for (const [type, recipe] of Object.entries(objectMember(properties, "recipes"))) {
    requireResourceType(type);
    const same = seen.get(type.toLowerCase());
    if (same !== undefined) {
      throw refused(`'${same}' and '${type}' name one resource type: a pack has one recipe for each.`, [
        "recipes",
        type,
      ]);
    }
    seen.set(type.toLowerCase(), type);
    const { kind, source } = objectMember({ recipe }, "recipe");
    if (kind === "terraform" && typeof source === "string") {
      requireModuleAddress(source, ["recipes", type, "source"]);
      requireNoVersionOfGit(splitModuleVersion(source), new Set(), ["recipes", type, "source"]);
    }
  }
}

function requireResourceType(type: string): void {
  if (!/^[^/]+\/[^/]+$/.test(type)) {
    throw refused(`invalid resource type: "${type}". Must be in the format "ResourceProvider.Namespace/resourceType"`, [
      "recipes",
      type,
    ]);
  }
}

/** A path would be one of the server's machine. */
function requireModuleAddress(source: string | undefined, path: readonly string[]): void {
  if (source !== undefined && /^(\/|\.\.?\/)/.test(source)) {
    throw refused(
      "A Terraform module cannot be a local path: the server has no such files. Use the address of a registry, a Git " +
        "repository or an archive.",
      path,
    );
  }
}

/** Repositories have refs. */
function requireNoVersionOfGit(
  { source = "", version }: { readonly source?: string | undefined; readonly version?: string | undefined },
  gitHosts: ReadonlySet<string>,
  path: readonly string[],
): void {
  if (version !== undefined && isGitSource(source, gitHosts)) {
    throw refused(gitVersionProblem, path);
  }
}

function refused(message: string, path: readonly string[]): ApiError {
  return new ApiError("BadRequest", message, { target: formatPath(["properties", ...path]) });
}
