import type { Client, ResourceBody } from "@rad/client";
import { ClientError } from "@rad/client";
import { objectMember } from "@rad/core/json";
import { ResourceId } from "@rad/core/resource-id";
import { familyVersion } from "@rad/radius-types/families";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { checkGroupName, groupId, groupOf } from "../scope.ts";

export const packType = "Radius.Core/recipePacks";

interface PackPlace {
  /** Of the environment. */
  readonly group: string;
  /** Where packs that are given by name are, instead. */
  readonly packGroup?: string | undefined;
}

/**
 * The ids of the packs that were named, each once; `undefined` when the flag was not given. All of them exist.
 * @throws CliError
 */
export async function findPacks(
  client: Client,
  given: readonly string[] | undefined,
  { group, packGroup }: PackPlace,
): Promise<readonly string[] | undefined> {
  if (given === undefined) {
    return undefined;
  }
  const names = given.map((name) => name.trim()).filter((name) => name !== "");
  if (names.length === 0) {
    throw new CliError("InvalidUsage", "`--recipe-packs` names no recipe pack.");
  }
  const inGroup = packGroup === undefined ? group : await checkGroupName(packGroup);
  const ids = new Map(names.map((name) => packId(name, inGroup)).map((id) => [id.toLowerCase(), id]));
  return await Promise.all([...ids.values()].map((id) => existing(client, id)));
}

function packId(given: string, group: string): string {
  const id = given.startsWith("/") ? given : packIdIn(group, given);
  const parsed = ResourceId.tryParse(id);
  const isPack = parsed?.kind === "resource" && parsed.type.toLowerCase() === packType.toLowerCase();
  if (!isPack || groupOf(id) === undefined) {
    throw new CliError("InvalidResourceId", `"${given}" is neither the name nor the id of a recipe pack.`);
  }
  return id;
}

async function existing(client: Client, id: string): Promise<string> {
  const pack = await readPack(client, id);
  if (pack === undefined) {
    const { name } = ResourceId.parse(id);
    const group = groupOf(id) ?? "";
    throw new CliError("RecipePackNotFound", `The recipe pack "${name}" does not exist in the group "${group}".`, {
      missing: { kind: "resources", name, group, type: packType },
    });
  }
  return pack.id;
}

/** `undefined` for a pack that does not exist. */
async function readPack(client: Client, id: string): Promise<ResourceBody | undefined> {
  try {
    return await client.resources.get(id, { apiVersion: familyVersion(id) });
  } catch (error) {
    if (error instanceof ClientError && error.isNotFound) {
      return undefined;
    }
    throw error;
  }
}

/** The packs of an environment of `Radius.Core`; a missing one is warned about. */
export async function packsOfEnvironment(
  { output }: CommandContext,
  client: Client,
  environment: ResourceBody,
): Promise<ResourceBody[]> {
  const listed = objectMember(environment, "properties")["recipePacks"];
  const ids = (Array.isArray(listed) ? listed : [])
    .filter((pack) => typeof pack === "string")
    // A name is one in the environment's own group.
    .map((pack) => (pack.startsWith("/") ? pack : packIdIn(groupOf(environment.id) ?? "", pack)));
  const packs = await Promise.all(ids.map(async (id) => ({ id, pack: await readPack(client, id) })));
  return packs.flatMap(({ id, pack }) => {
    if (pack === undefined) {
      output.note(`Warning: the environment names the recipe pack ${id}, which does not exist.`);
    }
    return pack ?? [];
  });
}

export function packIdIn(group: string, name: string): string {
  return `${groupId(group)}/providers/${packType}/${name}`;
}
