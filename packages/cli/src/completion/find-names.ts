import type { Client } from "@rad/client";
import { families } from "@rad/radius-types/families";
import type { CommandContext } from "../command-context.ts";
import type { KnownType } from "../resources/type-lookup.ts";
import { createTypeLookup } from "../resources/type-lookup.ts";
import { groupId, resolveGroup } from "../scope.ts";
import type { NameSource } from "./name-sources.ts";

/** A shell waits for the answer at every Tab: late names are worth less than none. */
const patienceMs = 1_500;

/** What narrows the names down. */
export interface NamePlace {
  /** By default the workspace's. */
  readonly group?: string | undefined;
  /** Of the resources. */
  readonly type?: string | undefined;
  /** Of the recipes; by default the workspace's. */
  readonly environment?: string | undefined;
  /** How the name begins. */
  readonly current: string;
}

/** Names to offer. Whatever goes wrong, a Tab key shows no error: it then completes nothing. */
export async function findNames(
  context: CommandContext,
  source: Exclude<NameSource, "files">,
  where: NamePlace,
): Promise<readonly string[]> {
  try {
    return await Promise.race([lookUp(context, source, where), nothingAfter(patienceMs)]);
  } catch {
    return [];
  }
}

async function lookUp(
  context: CommandContext,
  source: Exclude<NameSource, "files">,
  where: NamePlace,
): Promise<readonly string[]> {
  const group = () => resolveGroup(context, where.group);
  switch (source) {
    case "formats":
      return ["json", "table"];
    case "graphFormats":
      return [...(await import("../graph/graph-formats.ts")).graphFormats, "json"];
    case "shells":
      return ["bash", "zsh", "fish", "powershell"];
    case "apiMethods":
      return ["GET", "PUT", "PATCH", "POST", "DELETE"];
    case "clouds":
      return ["azure", "aws"];
    case "podTypes":
      return ["Applications.Core/containers", "Radius.Compute/containers"];
    case "workspaces":
      return [...(await context.config()).workspaces.keys()];
    case "groups":
      return (await (await context.client()).groups.list()).map(({ name }) => name);
    case "types":
      return typeNames(await allTypes(await context.client()), where.current);
    case "apiPaths": {
      const types = (await allTypes(await context.client())).map(({ fullName }) => `providers/${fullName}`);
      return [...types, "/planes/radius/local/resourceGroups", "/version", "/openapi.json", "/audit", "/runtimes"];
    }
    case "namespaces":
      return (await (await context.client()).providers.summaries()).map(({ name }) => name);
    case "deployments": {
      const deployments = await (await context.client()).deployments.list(groupId(await group()));
      return deployments.filter(({ parent }) => parent === undefined).map(({ name }) => name);
    }
    case "resources":
      return await resourceNames(await context.client(), await group(), where.type ?? "");
    case "recipePacks":
      return await resourceNames(await context.client(), await group(), "Radius.Core/recipePacks");
    case "secrets":
      return await resourceNames(await context.client(), await group(), "Radius.Security/secrets");
    case "recipeNames": {
      const { findRecipeEnvironment } = await import("../recipes/find-recipe-environment.ts");
      const { recipesOfEnvironment } = await import("../recipes/recipe-entry.ts");
      const { environment } = await findRecipeEnvironment(context, where);
      return [...new Set(recipesOfEnvironment(environment.resource).map(({ name }) => name))];
    }
    case "environments":
    case "applications": {
      const client = await context.client();
      const found = await Promise.allSettled(
        families.map(async ({ namespace }) => resourceNames(client, await group(), `${namespace}/${source}`)),
      );
      return [...new Set(found.flatMap((names) => (names.status === "fulfilled" ? names.value : [])))].sort();
    }
    default:
      return source satisfies never;
  }
}

async function resourceNames(client: Client, group: string, typeText: string): Promise<string[]> {
  const { fullName, apiVersion } = await createTypeLookup(client).find(typeText);
  const resources = await client.resources.list(`${groupId(group)}/providers/${fullName}`, { apiVersion });
  return resources.map(({ name }) => name);
}

function allTypes(client: Client): Promise<KnownType[]> {
  return createTypeLookup(client).all();
}

/** Full names; those without a namespace only when that is how the word begins, and only where one namespace has it. */
function typeNames(types: readonly KnownType[], current: string): string[] {
  const full = types.map(({ fullName }) => fullName);
  if (current === "" || full.some((name) => name.startsWith(current))) {
    return full;
  }
  const byName = Map.groupBy(types, ({ name }) => name);
  return [...byName].filter(([, candidates]) => candidates.length === 1).map(([name]) => name);
}

function nothingAfter(ms: number): Promise<string[]> {
  return new Promise((resolve) => {
    setTimeout(() => resolve([]), ms).unref();
  });
}
