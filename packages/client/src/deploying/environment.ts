import type { JsonObject } from "@rad/core";
import { objectMember, ResourceId } from "@rad/core";
import { families, familyVersion } from "@rad/radius-types/families";
import type { CallOptions, Client } from "../client.ts";
import { ClientError } from "../client-error.ts";
import type { ResourceBody } from "../wire-types.ts";
import { DeployingError } from "./deploying-error.ts";

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
 * @throws DeployingError `InvalidEnvironment`, `EnvironmentNotFound`, or `AmbiguousEnvironment` when both families have
 * one; ClientError that names the group when that does not exist
 */
export async function findEnvironment(
  client: Client,
  given: string,
  scope: string,
  options: CallOptions,
): Promise<Environment> {
  if (given.startsWith("/")) {
    const resource = await read(client, checkId(given), options);
    if (resource === undefined) {
      throw new DeployingError("EnvironmentNotFound", `The environment ${given} does not exist.`);
    }
    return toEnvironment(resource);
  }
  const ids = families.map(({ namespace }) => checkId(`${scope}/providers/${namespace}/environments/${given}`, given));
  const answers = await Promise.all(ids.map((id) => read(client, id, options)));
  const [first, second] = answers.filter((resource) => resource !== undefined);
  if (first !== undefined && second !== undefined) {
    throw new DeployingError(
      "AmbiguousEnvironment",
      `The environment "${given}" exists in both families. Give its full id: ${first.id} or ${second.id}.`,
    );
  }
  if (first === undefined) {
    throw new DeployingError("EnvironmentNotFound", `The environment "${given}" does not exist in ${scope}.`);
  }
  return toEnvironment(first);
}

function checkId(id: string, given = id): string {
  const parsed = ResourceId.tryParse(id);
  const isEnvironment = families.some(
    ({ namespace }) => parsed?.type.toLowerCase() === `${namespace}/environments`.toLowerCase(),
  );
  if (parsed?.kind !== "resource" || !isEnvironment) {
    throw new DeployingError("InvalidEnvironment", `"${given}" is neither the name nor the id of an environment.`);
  }
  return id;
}

async function read(client: Client, id: string, options: CallOptions): Promise<ResourceBody | undefined> {
  try {
    return await client.resources.get(id, { ...options, apiVersion: familyVersion(id) });
  } catch (error) {
    // In a group that does not exist there is no environment either, but saying so would hide the reason.
    if (error instanceof ClientError && error.isNotFound && !isAboutScope(error, id)) {
      return undefined;
    }
    throw error;
  }
}

function isAboutScope({ target }: ClientError, id: string): boolean {
  return target?.toLowerCase() === ResourceId.parse(id).rootScope.toLowerCase();
}

function toEnvironment(resource: ResourceBody): Environment {
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
