import type { Client, ResourceBody } from "@rad/client";
import { ClientError } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { objectMember, ResourceId } from "@rad/core";
import { CliError } from "../cli-error.ts";
import { explainMissingGroup, groupOf } from "../scope.ts";
import { families, familyVersion } from "@rad/radius-types/families";

export interface Environment {
  readonly id: string;
  /** `Applications.Core` or `Radius.Core`. */
  readonly namespace: string;
  readonly scopes: ProviderScopes;
}

/** Where resources of the clouds go; only what the environment configures. */
export interface ProviderScopes {
  readonly azure?: string;
  readonly aws?: string;
}

/**
 * Finds an environment by its full id, or by name in `scope`, where it can be of either family.
 * @throws CliError `EnvironmentNotFound`, or `AmbiguousEnvironment` when both families have one
 */
export async function findEnvironment(client: Client, given: string, scope: string): Promise<Environment> {
  if (given.startsWith("/")) {
    return toEnvironment(await read(client, checkId(given)), given);
  }
  const ids = families.map(({ namespace }) => checkId(`${scope}/providers/${namespace}/environments/${given}`, given));
  const found = (await Promise.all(ids.map((id) => read(client, id)))).filter((resource) => resource !== undefined);
  const [first, second] = found;
  if (first !== undefined && second !== undefined) {
    throw new CliError(
      "AmbiguousEnvironment",
      `The environment "${given}" exists in both families. Give its full id: ${first.id} or ${second.id}.`,
    );
  }
  if (first === undefined) {
    throw new CliError(
      "EnvironmentNotFound",
      `The environment "${given}" does not exist in ${scope}. Create it first, or name another one with \`--environment\`.`,
    );
  }
  return toEnvironment(first, first.id);
}

function checkId(id: string, given = id): string {
  const parsed = ResourceId.tryParse(id);
  const isEnvironment = families.some(
    ({ namespace }) => parsed?.type.toLowerCase() === `${namespace}/environments`.toLowerCase(),
  );
  if (parsed?.kind !== "resource" || !isEnvironment) {
    throw new CliError("InvalidEnvironment", `"${given}" is neither the name nor the id of an environment.`);
  }
  return id;
}

async function read(client: Client, id: string): Promise<ResourceBody | undefined> {
  try {
    return await client.resources.get(id, { apiVersion: familyVersion(id) });
  } catch (error) {
    const group = groupOf(id);
    const explained = group === undefined ? error : explainMissingGroup(error, group);
    if (explained instanceof ClientError && explained.isNotFound) {
      return undefined;
    }
    throw explained;
  }
}

function toEnvironment(resource: ResourceBody | undefined, id: string): Environment {
  if (resource === undefined) {
    throw new CliError(
      "EnvironmentNotFound",
      `The environment ${id} does not exist. Create it first, or name another one with \`--environment\`.`,
    );
  }
  const namespace = ResourceId.parse(resource.id).type.split("/")[0] ?? "";
  const providers = objectMember(objectMember(resource, "properties"), "providers");
  return { id: resource.id, namespace, scopes: providerScopes(providers) };
}

/** The older family stores scopes, the newer one their parts. */
function providerScopes(providers: JsonObject): ProviderScopes {
  const azure = objectMember(providers, "azure");
  const aws = objectMember(providers, "aws");
  const azureScope =
    text(azure["scope"]) ?? azureScopeOf(text(azure["subscriptionId"]), text(azure["resourceGroupName"]));
  const awsScope = text(aws["scope"]) ?? awsScopeOf(text(aws["accountId"]), text(aws["region"]));
  return {
    ...(azureScope === undefined ? {} : { azure: azureScope }),
    ...(awsScope === undefined ? {} : { aws: awsScope }),
  };
}

function azureScopeOf(subscription: string | undefined, group: string | undefined): string | undefined {
  if (subscription === undefined) {
    return undefined;
  }
  return `/subscriptions/${subscription}${group === undefined ? "" : `/resourceGroups/${group}`}`;
}

function awsScopeOf(account: string | undefined, region: string | undefined): string | undefined {
  return account === undefined || region === undefined
    ? undefined
    : `/planes/aws/aws/accounts/${account}/regions/${region}`;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
