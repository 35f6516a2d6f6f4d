import type { Client, ResourceBody } from "@rad/client";
import { ClientError } from "@rad/client";
import { ResourceId } from "@rad/core/resource-id";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Workspace } from "../config/workspace.ts";
import type { Family, FamilyOptions } from "../families/choose-families.ts";
import { chosenFamilies } from "../families/choose-families.ts";
import { explainMissingGroup, groupId, resolveGroup } from "../scope.ts";
import type { Filter } from "./sweep-group.ts";
import { inApplications, inEnvironments, listTypes, sweepGroup } from "./sweep-group.ts";
import type { TypeLookup } from "./type-lookup.ts";
import { createTypeLookup, explainUnknownType, isFullTypeName } from "./type-lookup.ts";

export interface ListOptions extends FamilyOptions {
  readonly application?: string;
  readonly environment?: string;
  readonly group?: string;
  readonly allGroups?: boolean;
  readonly apiVersion?: string;
}

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
    const chosen = isKnown ? [{ fullName: typeText, apiVersion }] : await typesNamed(types, typeText);
    const environment = environmentFor(typeText, options, workspace);
    const filter = await createFilter(context, client, types, group, { ...options, environment });
    if (chosen === undefined) {
      return await sweepGroup(client, types, group, filter);
    }
    const versioned = chosen.map((type) => ({ ...type, apiVersion: apiVersion ?? type.apiVersion }));
    return (await listTypes(client, versioned, group)).filter(filter);
  } catch (error) {
    if (isKnown) {
      await explainUnknownType(types, typeText, error);
    }
    throw group === undefined ? error : explainMissingGroup(error, group);
  }
}

/** A short name stands for the types of all namespaces that have it; no name for all types. */
async function typesNamed(types: TypeLookup, text: string | undefined): Promise<readonly ListedType[] | undefined> {
  return text === undefined ? undefined : await types.findAll(text);
}

interface ListedType {
  readonly fullName: string;
  readonly apiVersion: string | undefined;
}

/** Only a list of everything falls back to the workspace's environment. */
function environmentFor(type: string | undefined, options: ListOptions, workspace: Workspace): string | undefined {
  if (options.environment !== undefined || type !== undefined || options.application !== undefined) {
    return options.environment;
  }
  return options.allGroups === true || options.group !== undefined ? undefined : workspace.environment;
}

async function createFilter(
  context: CommandContext,
  client: Client,
  types: TypeLookup,
  group: string | undefined,
  options: FamilyOptions & { readonly application?: string; readonly environment: string | undefined },
): Promise<Filter> {
  const { application, environment } = options;
  const ids = (type: string, given: string) => idsOf(type, given, group, chosenFamilies(context, options));
  if (application !== undefined) {
    const candidates = ids("applications", application);
    await oneMustExist(client, types, candidates, { name: application, ...(group === undefined ? {} : { group }) });
    return inApplications(candidates);
  }
  if (environment !== undefined) {
    return await inEnvironments(client, types, ids("environments", environment), group);
  }
  return () => true;
}

/** A name can stand for a resource of either family. */
function idsOf(type: string, given: string, group: string | undefined, families: readonly Family[]): string[] {
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
