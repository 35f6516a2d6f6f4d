import type { Client, ResourceBody } from "@rad/client";
import { ClientError, radiusPlane } from "@rad/client";
import { objectMember } from "@rad/core/json";
import { ResourceId } from "@rad/core/resource-id";
import { families } from "@rad/radius-types/families";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Workspace } from "../config/workspace.ts";
import { inBatches } from "../in-batches.ts";
import { explainMissingGroup, groupId, resolveGroup } from "../scope.ts";
import type { KnownType, TypeLookup } from "./type-lookup.ts";
import { createTypeLookup, explainUnknownType, isFullTypeName } from "./type-lookup.ts";

export interface ListOptions {
  readonly application?: string;
  readonly environment?: string;
  readonly group?: string;
  readonly allGroups?: boolean;
  readonly apiVersion?: string;
}

/** What a sweep over everything leaves out: deployments are a history, and have a list of their own. */
const notSwept = new Set(["microsoft.resources/deployments"]);
const concurrentLists = 8;

type Filter = (resource: ResourceBody) => boolean;

/** The resources of one type or of all, in a group or everywhere, of an application or environment or not. */
export async function listResources(
  context: CommandContext,
  typeText: string | undefined,
  options: ListOptions,
): Promise<ResourceBody[]> {
  if (options.application !== undefined && options.environment !== undefined) {
    throw new CliError("InvalidUsage", "Use `--application` or `--environment`, not both.");
  }
  if (options.allGroups === true && options.group !== undefined) {
    throw new CliError("InvalidUsage", "Use `--group` or `--all-groups`, not both.");
  }
  const workspace = await context.workspace();
  const group = options.allGroups === true ? undefined : await resolveGroup(context, options.group, workspace);
  const client = await context.client(workspace);
  const types = createTypeLookup(client);
  const { apiVersion } = options;
  const isKnown = typeText !== undefined && apiVersion !== undefined && isFullTypeName(typeText);
  try {
    const chosen =
      typeText === undefined
        ? await sweepTypes(client, types, group)
        : [isKnown ? { fullName: typeText, apiVersion } : await types.find(typeText)];
    const filter = await createFilter(client, types, group, environmentFor(typeText, options, workspace), options);
    const scope = group === undefined ? radiusPlane : groupId(group);
    const lists = await inBatches(chosen, concurrentLists, (type) =>
      client.resources.list(`${scope}/providers/${type.fullName}`, {
        apiVersion: typeText === undefined ? type.apiVersion : (apiVersion ?? type.apiVersion),
      }),
    );
    return lists.flat().filter(filter);
  } catch (error) {
    if (isKnown) {
      await explainUnknownType(types, typeText, error);
    }
    throw group === undefined ? error : explainMissingGroup(error, group);
  }
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

/** Only a list of everything falls back to the workspace's environment. */
function environmentFor(type: string | undefined, options: ListOptions, workspace: Workspace): string | undefined {
  if (options.environment !== undefined || type !== undefined || options.application !== undefined) {
    return options.environment;
  }
  return options.allGroups === true || options.group !== undefined ? undefined : workspace.environment;
}

async function createFilter(
  client: Client,
  types: TypeLookup,
  group: string | undefined,
  environment: string | undefined,
  options: ListOptions,
): Promise<Filter> {
  if (options.application !== undefined) {
    const ids = idsOf("applications", options.application, group);
    await oneMustExist(client, types, ids, { name: options.application, ...(group === undefined ? {} : { group }) });
    return (resource) => ids.includes(owner(resource, "application"));
  }
  if (environment !== undefined) {
    const ids = idsOf("environments", environment, group);
    const applications = await applicationsIn(client, types, ids, group);
    return (resource) =>
      ids.includes(resource.id.toLowerCase()) ||
      ids.includes(owner(resource, "environment")) ||
      applications.has(owner(resource, "application"));
  }
  return () => true;
}

/** Most resources name their application only, and that names the environment. */
async function applicationsIn(
  client: Client,
  types: TypeLookup,
  environments: readonly string[],
  group: string | undefined,
): Promise<ReadonlySet<string>> {
  const scope = group === undefined ? radiusPlane : groupId(group);
  const lists = await Promise.all(
    families.map(async ({ namespace }) => {
      const type = await types.find(`${namespace}/applications`).catch(ifNotRegistered);
      return type === undefined
        ? []
        : await client.resources.list(`${scope}/providers/${type.fullName}`, { apiVersion: type.apiVersion });
    }),
  );
  const found = lists.flat().filter((application) => environments.includes(owner(application, "environment")));
  return new Set(found.map(({ id }) => id.toLowerCase()));
}

function ifNotRegistered(error: unknown): undefined {
  if (!(error instanceof CliError) || error.code !== "ResourceTypeNotFound") {
    throw error;
  }
}

/** A name can stand for a resource of either family. */
function idsOf(type: string, given: string, group: string | undefined): string[] {
  if (ResourceId.tryParse(given)?.kind === "resource") {
    return [given.toLowerCase()];
  }
  if (group === undefined) {
    throw new CliError("InvalidUsage", `With \`--all-groups\`, give the full id of "${given}".`);
  }
  return families.map(({ namespace }) => `${groupId(group)}/providers/${namespace}/${type}/${given}`.toLowerCase());
}

async function oneMustExist(
  client: Client,
  types: TypeLookup,
  ids: readonly string[],
  application: { readonly name: string; readonly group?: string },
): Promise<void> {
  for (const id of ids) {
    try {
      const { apiVersion } = await types.find(ResourceId.parse(id).type);
      await client.resources.get(id, { apiVersion });
      return;
    } catch (error) {
      const isAbsent =
        (error instanceof ClientError && error.isNotFound) ||
        (error instanceof CliError && error.code === "ResourceTypeNotFound");
      if (!isAbsent) {
        throw error;
      }
    }
  }
  throw new CliError("ApplicationNotFound", `The application "${application.name}" does not exist.`, {
    missing: { kind: "applications", ...application },
  });
}

function owner(resource: ResourceBody, kind: "application" | "environment"): string {
  const id = objectMember(resource, "properties")[kind];
  return typeof id === "string" ? id.toLowerCase() : "";
}
