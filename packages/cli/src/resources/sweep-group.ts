import type { Client, ResourceBody } from "@rad/client";
import { radiusPlane } from "@rad/client";
import { objectMember } from "@rad/core/json";
import { families } from "@rad/radius-types/families";
import { CliError } from "../cli-error.ts";
import { inBatches } from "../in-batches.ts";
import { groupId } from "../scope.ts";
import type { KnownType, TypeLookup } from "./type-lookup.ts";

/** What a sweep over everything leaves out: deployments are a history, and have a list of their own. */
const notSwept = new Set(["microsoft.resources/deployments"]);
const concurrentLists = 8;

export type Filter = (resource: ResourceBody) => boolean;

/** The resources of all types that pass the filter, in a group or everywhere. */
export async function sweepGroup(
  client: Client,
  types: TypeLookup,
  group: string | undefined,
  filter: Filter,
): Promise<ResourceBody[]> {
  return (await listTypes(client, await sweepTypes(client, types, group), group)).filter(filter);
}

/** The resources of some types. */
export async function listTypes(
  client: Client,
  types: readonly { readonly fullName: string; readonly apiVersion: string | undefined }[],
  group: string | undefined,
): Promise<ResourceBody[]> {
  const scope = group === undefined ? radiusPlane : groupId(group);
  const lists = await inBatches(types, concurrentLists, ({ fullName, apiVersion }) =>
    client.resources.list(`${scope}/providers/${fullName}`, { apiVersion }),
  );
  return lists.flat();
}

/** In one group the control plane knows which types occur, which spares a request per registered type. */
async function sweepTypes(client: Client, types: TypeLookup, group: string | undefined): Promise<KnownType[]> {
  const [all, resources] = await Promise.all([
    types.all(),
    group === undefined ? undefined : client.groups.resources(group),
  ]);
  const known = all.filter((type) => !notSwept.has(type.fullName.toLowerCase()));
  if (resources === undefined) {
    return known;
  }
  const present = new Set(resources.map((resource) => resource.type.toLowerCase()));
  return known.filter((type) => present.has(type.fullName.toLowerCase()));
}

/** Keeps what belongs to one of the applications. @param ids in lower case */
export function inApplications(ids: readonly string[]): Filter {
  return (resource) => ids.includes(owner(resource, "application"));
}

/**
 * Keeps the environments themselves, and what belongs to one of them: most resources name their application only, and
 * that names the environment. @param ids in lower case
 */
export async function inEnvironments(
  client: Client,
  types: TypeLookup,
  ids: readonly string[],
  group: string | undefined,
): Promise<Filter> {
  const found = await applicationsIn(client, types, ids, group);
  const applications = new Set(found.map(({ id }) => id.toLowerCase()));
  return (resource) =>
    ids.includes(resource.id.toLowerCase()) ||
    ids.includes(owner(resource, "environment")) ||
    applications.has(owner(resource, "application"));
}

/** The applications of both families that belong to an environment. @param environments ids in lower case */
export async function applicationsIn(
  client: Client,
  types: TypeLookup,
  environments: readonly string[],
  group: string | undefined,
): Promise<ResourceBody[]> {
  const known = await Promise.all(
    families.map(({ namespace }) => types.find(`${namespace}/applications`).catch(ifNotRegistered)),
  );
  const applications = await listTypes(
    client,
    known.filter((type) => type !== undefined),
    group,
  );
  return applications.filter((application) => environments.includes(owner(application, "environment")));
}

function ifNotRegistered(error: unknown): undefined {
  if (!(error instanceof CliError) || error.code !== "ResourceTypeNotFound") {
    throw error;
  }
}

function owner(resource: ResourceBody, kind: "application" | "environment"): string {
  const id = objectMember(resource, "properties")[kind];
  return typeof id === "string" ? id.toLowerCase() : "";
}
