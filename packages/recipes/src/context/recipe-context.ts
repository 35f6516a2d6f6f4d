import { hash } from "node:crypto";
import type { JsonObject, ResourceId } from "@rad/core";
import { setupError } from "@rad/radius-types";
import type { EnvironmentConfiguration, Runtime } from "../configuration/environment-configuration.ts";

export interface ContextOptions {
  readonly resourceId: ResourceId;
  /** Whole: sealed values are in their places. */
  readonly properties: JsonObject;
  readonly connections: readonly ConnectedResource[];
  readonly environmentId: ResourceId;
  readonly applicationId: ResourceId | undefined;
  readonly configuration: Pick<EnvironmentConfiguration, "runtime" | "azureScope" | "awsScope">;
}

/** A resource that `properties.connections` names. */
export interface ConnectedResource {
  /** Of the connection. */
  readonly name: string;
  readonly id: ResourceId;
  readonly properties: JsonObject;
}

/** What a template gets as `context`, the same for every driver. @throws RecipeError for a scope that is none */
export function recipeContext(options: ContextOptions): JsonObject {
  const { resourceId, properties, environmentId, applicationId, configuration } = options;
  const { runtime, azureScope, awsScope } = configuration;
  const connections = options.connections.map(({ name, id, properties: connected }) => [
    name,
    { ...named(id), type: id.type, properties: connected },
  ]);
  return {
    resource: {
      ...named(resourceId),
      type: resourceId.type,
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
      ...(connections.length === 0 ? {} : { connections: Object.fromEntries(connections) as JsonObject }),
    },
    application: applicationId === undefined ? { name: "", id: "" } : named(applicationId),
    environment: named(environmentId),
    runtime: runtimeContext(runtime),
    ...(azureScope === undefined ? {} : { azure: azureContext(azureScope, resourceId) }),
    ...(awsScope === undefined ? {} : { aws: awsContext(awsScope) }),
  };
}

function named(id: ResourceId): { readonly name: string; readonly id: string } {
  return { name: id.name, id: id.toString() };
}

function runtimeContext(runtime: Runtime): JsonObject {
  if (runtime.kind === "aci") {
    return { azureContainerInstances: {} };
  }
  const { namespace, environmentNamespace } = runtime;
  return { kubernetes: { namespace, environmentNamespace } };
}

function azureContext(scope: string, resourceId: ResourceId): JsonObject {
  const [, subscriptionId, group] = /^\/subscriptions\/([^/]+)(?:\/resourcegroups\/([^/]+))?\/?$/i.exec(scope) ?? [];
  if (subscriptionId === undefined) {
    throw unreadable("the Azure scope", scope);
  }
  const id = `/subscriptions/${subscriptionId}`;
  const hashed = `${scope.toLowerCase()}\0${resourceId.toString().toLowerCase()}`;
  return {
    ...(group === undefined ? {} : { resourceGroup: { name: group, id: `${id}/resourceGroups/${group}` } }),
    subscription: { subscriptionId, id },
    resourceNameHash: hash("sha256", hashed).slice(0, 16),
  };
}

function awsContext(scope: string): JsonObject {
  const [, account, region] = /^\/planes\/aws\/[^/]+\/accounts\/([^/]+)\/regions\/([^/]+)\/?$/i.exec(scope) ?? [];
  if (account === undefined || region === undefined) {
    throw unreadable("the AWS scope", scope);
  }
  return { region, account };
}

function unreadable(field: string, value: string): Error {
  return setupError(
    "RecipeConfigurationFailure",
    `failed to parse ${field}: "${value}" while building the recipe context parameter. Fix 'providers' of the environment.`,
  );
}
