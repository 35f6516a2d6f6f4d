import type { Client, ResourceBody } from "@rad/client";
import { ClientError } from "@rad/client";
import { familyVersion } from "@rad/radius-types/families";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { packIdIn, packType } from "../environments/recipe-packs.ts";
import { explainMissingGroup, resolveGroup } from "../scope.ts";

export interface PackOptions {
  readonly group?: string;
}

/** A recipe pack that was named; it may not exist. */
export interface NamedPack {
  readonly client: Client;
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly workspace: string;
  readonly apiVersion: string;
  /** `Radius.Core/recipePacks/team`. */
  readonly display: string;
}

export async function namedPack(context: CommandContext, name: string, options: PackOptions): Promise<NamedPack> {
  const workspace = await context.workspace();
  const group = await resolveGroup(context, options.group, workspace);
  const { checkName } = await import("@rad/resource-types/names");
  const problem = checkName("resource", name);
  if (problem !== undefined) {
    throw new CliError("InvalidResourceName", problem);
  }
  const id = packIdIn(group, name);
  return {
    client: await context.client(workspace),
    id,
    name,
    group,
    workspace: workspace.name,
    apiVersion: familyVersion(id),
    display: `${packType}/${name}`,
  };
}

/** `undefined` for one that does not exist. @throws CliError `GroupNotFound` */
export async function findPack({ client, id, group, apiVersion }: NamedPack): Promise<ResourceBody | undefined> {
  try {
    return await client.resources.get(id, { apiVersion });
  } catch (error) {
    const explained = explainMissingGroup(error, group);
    if (explained instanceof ClientError && explained.isNotFound) {
      return undefined;
    }
    throw explained;
  }
}

/** @throws CliError `RecipePackNotFound` */
export async function mustFindPack(pack: NamedPack): Promise<ResourceBody> {
  const found = await findPack(pack);
  if (found !== undefined) {
    return found;
  }
  const { name, group, workspace } = pack;
  throw new CliError(
    "RecipePackNotFound",
    `The recipe pack "${name}" does not exist in the group "${group}" of workspace "${workspace}". Run \`rad recipe-pack list\` to see those there are.`,
    { missing: { kind: "resources", name, group, type: packType } },
  );
}
