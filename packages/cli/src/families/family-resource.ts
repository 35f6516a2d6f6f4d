import type { Client, ResourceBody } from "@rad/client";
import { ClientError } from "@rad/client";
import { ResourceId } from "@rad/core/resource-id";
import { families, familyVersion } from "@rad/radius-types/families";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { explainMissingGroup, groupId, groupOf } from "../scope.ts";
import type { Family, FamilyOptions } from "./choose-families.ts";
import { chosenFamilies } from "./choose-families.ts";

export type FamilyKind = "environments" | "applications";

/** An environment or application as it was named: by a name, which can stand for one of each family, or by an id. */
export interface FamilyName {
  readonly kind: FamilyKind;
  readonly name: string;
  readonly group: string;
  /** The resources that it can stand for. */
  readonly ids: readonly string[];
}

/** One that exists. */
export interface FamilyResource {
  readonly resource: ResourceBody;
  readonly etag: string | undefined;
  /** Of the control plane about it. */
  readonly warnings: readonly string[];
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly namespace: Family["namespace"];
  readonly apiVersion: string;
  /** `Applications.Core/environments/dev`. */
  readonly display: string;
}

const nouns = { environments: "environment", applications: "application" } as const;

/** @throws CliError when `given` is neither a name nor the id of such a resource */
export async function nameInFamilies(
  context: CommandContext,
  kind: FamilyKind,
  given: string,
  group: string,
  options: FamilyOptions,
): Promise<FamilyName> {
  if (given.startsWith("/")) {
    return { kind, ...idInFamilies(kind, given), ids: [given] };
  }
  const { checkName } = await import("@rad/resource-types/names");
  const problem = checkName("resource", given);
  if (problem !== undefined) {
    throw new CliError("InvalidResourceName", problem);
  }
  const ids = chosenFamilies(context, options).map(({ namespace }) => familyId(namespace, kind, given, group));
  return { kind, name: given, group, ids };
}

export function familyId(namespace: string, kind: FamilyKind, name: string, group: string): string {
  return `${groupId(group)}/providers/${namespace}/${kind}/${name}`;
}

function idInFamilies(kind: FamilyKind, id: string): { readonly name: string; readonly group: string } {
  const parsed = ResourceId.tryParse(id);
  const isOfKind = families.some(
    ({ namespace }) => parsed?.type.toLowerCase() === `${namespace}/${kind}`.toLowerCase(),
  );
  const group = groupOf(id);
  if (parsed?.kind !== "resource" || !isOfKind || group === undefined) {
    throw new CliError("InvalidResourceId", `"${id}" is not the id of an ${nouns[kind]}.`);
  }
  return { name: parsed.name, group };
}

/**
 * Reads the resource that a name stands for; `undefined` when there is none.
 * @throws CliError `GroupNotFound`, or `Ambiguous…` when both families have one
 */
async function findInFamilies(client: Client, wanted: FamilyName): Promise<FamilyResource | undefined> {
  const found = (await Promise.all(wanted.ids.map((id) => read(client, id, wanted)))).filter(
    (resource) => resource !== undefined,
  );
  if (found.length > 1) {
    const noun = nouns[wanted.kind];
    throw new CliError(
      `Ambiguous${noun.charAt(0).toUpperCase()}${noun.slice(1)}`,
      `The ${noun} "${wanted.name}" exists in both families. Use \`--preview\` for the one of Radius.Core, or \`--no-preview\` for the one of Applications.Core.`,
    );
  }
  return found[0];
}

async function read(client: Client, id: string, { group }: FamilyName): Promise<FamilyResource | undefined> {
  const apiVersion = familyVersion(id);
  try {
    return asFamilyResource(await client.resources.getWithEtag(id, { apiVersion }));
  } catch (error) {
    const explained = explainMissingGroup(error, group);
    if (explained instanceof ClientError && explained.isNotFound) {
      return undefined;
    }
    throw explained;
  }
}

/** The same without an error for a missing group: nothing that was to be deleted is there. */
export async function findToDelete(client: Client, wanted: FamilyName): Promise<FamilyResource | undefined> {
  try {
    return await findInFamilies(client, wanted);
  } catch (error) {
    if (error instanceof CliError && error.code === "GroupNotFound") {
      return undefined;
    }
    throw error;
  }
}

/** @throws CliError `EnvironmentNotFound` or `ApplicationNotFound` */
export async function mustFind(client: Client, wanted: FamilyName, workspace: string): Promise<FamilyResource> {
  const found = await findInFamilies(client, wanted);
  if (found !== undefined) {
    return found;
  }
  const { kind, name, group } = wanted;
  const noun = nouns[kind];
  throw new CliError(
    kind === "environments" ? "EnvironmentNotFound" : "ApplicationNotFound",
    `The ${noun} "${name}" does not exist in the group "${group}" of workspace "${workspace}", or has been deleted. Run \`rad ${kind === "environments" ? "env" : "app"} list\` to see those there are.`,
    { missing: { kind, name, group } },
  );
}

function asFamilyResource(answer: {
  readonly resource: ResourceBody;
  readonly etag: string | undefined;
  readonly warnings: readonly string[];
}): FamilyResource {
  const { resource, etag, warnings } = answer;
  const { id, name } = resource;
  const { type } = ResourceId.parse(id);
  const namespace = isNewer(id) ? "Radius.Core" : "Applications.Core";
  return {
    resource,
    etag,
    warnings,
    id,
    name,
    group: groupOf(id) ?? "",
    namespace,
    apiVersion: familyVersion(id),
    display: `${namespace}/${type.split("/")[1]}/${name}`,
  };
}

function isNewer(id: string): boolean {
  return ResourceId.parse(id).type.toLowerCase().startsWith("radius.core/");
}

/** What a command says of something that was to be deleted and is not there. */
export function displayOf({ ids, name }: FamilyName): string {
  return `${ResourceId.parse(ids[0] ?? "").type}/${name}`;
}
