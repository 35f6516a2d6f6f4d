import type { CommandContext } from "../command-context.ts";
import { createTypeLookup } from "../resources/type-lookup.ts";
import { groupId, resolveGroup } from "../scope.ts";
import type { WantedNames } from "./name-sources.ts";

/** A shell waits for the answer at every Tab: late names are worth less than none. */
const patienceMs = 1_500;

/** Names to offer. Whatever goes wrong, a Tab key shows no error: it then completes nothing. */
export async function findNames(context: CommandContext, wanted: WantedNames): Promise<readonly string[]> {
  try {
    return await Promise.race([lookUp(context, wanted), nothingAfter(patienceMs)]);
  } catch {
    return [];
  }
}

async function lookUp(context: CommandContext, wanted: WantedNames): Promise<string[]> {
  if (wanted.source === "workspaces") {
    return [...(await context.config()).workspaces.keys()];
  }
  const client = await context.client();
  switch (wanted.source) {
    case "groups":
      return (await client.groups.list()).map((group) => group.name);
    case "types":
      return (await createTypeLookup(client).all()).map((type) => type.fullName);
    case "namespaces":
      return (await client.providers.summaries()).map((provider) => provider.name);
    case "deployments": {
      const group = await resolveGroup(context, undefined);
      return (await client.deployments.list(groupId(group))).map((deployment) => deployment.name);
    }
    case "resources": {
      const type = await createTypeLookup(client).find(wanted.type ?? "");
      const group = await resolveGroup(context, undefined);
      const { apiVersion } = type;
      const resources = await client.resources.list(`${groupId(group)}/providers/${type.fullName}`, { apiVersion });
      return resources.map((resource) => resource.name);
    }
    default:
      return wanted.source satisfies never;
  }
}

function nothingAfter(ms: number): Promise<string[]> {
  return new Promise((resolve) => {
    setTimeout(() => resolve([]), ms).unref();
  });
}
