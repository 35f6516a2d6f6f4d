import { ResourceId, type JsonObject } from "@rad/core";
import type { PlanScopes } from "@rad/templates";
import { asObject, invalidDeployment, memberOf, optionalText } from "./request-shape.ts";

const path = "properties.providerconfig";

/** The scopes in which resources are made. What is not said about our own is the scope of the request itself. */
export function readProviderScopes(config: JsonObject | undefined, request: ResourceId): PlanScopes {
  const radius = readScope(config, "radius");
  const deployments = readScope(config, "deployments");
  const az = readScope(config, "az");
  const aws = readScope(config, "aws");
  return {
    radius: radius === undefined ? request.rootScope : inPlaneOf(request, radius, "radius"),
    deployments: deployments === undefined ? request.rootScope : inPlaneOf(request, deployments, "deployments"),
    ...(az === undefined ? {} : { az: azureScope(az) }),
    ...(aws === undefined ? {} : { aws: awsScope(aws) }),
  };
}

function readScope(config: JsonObject | undefined, provider: string): string | undefined {
  const entry = config === undefined ? undefined : memberOf(config, provider);
  if (entry === undefined) {
    return undefined;
  }
  const at = `${path}.${provider}`;
  const value = memberOf(asObject(entry, at), "value");
  if (value === undefined) {
    return undefined;
  }
  return optionalText(asObject(value, `${at}.value`), "scope", `${at}.value`);
}

/** Whoever may deploy into one plane has said nothing about another. */
function inPlaneOf(request: ResourceId, scope: string, provider: string): string {
  const id = ResourceId.tryParse(scope);
  const at = `${path}.${provider}.value.scope`;
  if (id === undefined || id.kind !== "scope" || !id.isUcp || id.resourceGroup === undefined) {
    const message = `The scope of "${provider}" must be the id of a resource group such as "${request.rootScope}", not "${scope}".`;
    throw invalidDeployment(at, message);
  }
  if (id.planeScope.toLowerCase() !== request.planeScope.toLowerCase()) {
    const message = `The scope of "${provider}" must be in the plane "${request.planeScope}", not in "${id.planeScope}".`;
    throw invalidDeployment(at, message);
  }
  return id.toString();
}

const azureScopes = [
  /^\/$/,
  /^\/subscriptions\/[^/]+$/i,
  /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+$/i,
  /^\/providers\/Microsoft\.Management\/managementGroups\/[^/]+$/i,
];

function azureScope(text: string): string {
  const scope = withoutLastSlash(text);
  if (!azureScopes.some((pattern) => pattern.test(scope))) {
    const message = `The scope of "az" must be a subscription or a resource group in one, such as "/subscriptions/{id}/resourceGroups/{name}", not "${text}".`;
    throw invalidDeployment(`${path}.az.value.scope`, message);
  }
  return scope;
}

function awsScope(text: string): string {
  const scope = withoutLastSlash(text);
  if (!/^\/planes\/aws\/[^/]+\/accounts\/[^/]+\/regions\/[^/]+$/i.test(scope)) {
    const message = `The scope of "aws" must look like "/planes/aws/aws/accounts/{account}/regions/{region}", not "${text}".`;
    throw invalidDeployment(`${path}.aws.value.scope`, message);
  }
  return scope;
}

function withoutLastSlash(text: string): string {
  return text.length > 1 && text.endsWith("/") ? text.slice(0, -1) : text;
}
