import type { JsonObject } from "@rad/core";
import type { TypeFunction } from "./resource-definitions.ts";

/** The methods of a built-in Radius type; its name in any letter case. */
export function radiusFunctions(type: string): Readonly<Record<string, TypeFunction>> {
  switch (type.toLowerCase()) {
    case "applications.core/environments":
      return { getMetadata: recipeMetadata() };
    case "applications.core/applications":
      return { getGraph: applicationGraph({}) };
    case "applications.core/secretstores":
      return { listSecrets: listSecrets(secretStoreContent()) };
    case "applications.core/extenders":
      return { listSecrets: listSecrets({ type: "object", additionalProperties: true }) };
    case "applications.datastores/mongodatabases":
    case "applications.datastores/sqldatabases":
      return { listSecrets: listSecrets(texts("password", "connectionString")) };
    case "applications.datastores/rediscaches":
      return { listSecrets: listSecrets(texts("connectionString", "password", "url")) };
    case "applications.messaging/rabbitmqqueues":
      return { listSecrets: listSecrets(texts("password", "uri")) };
    case "radius.core/applications":
      return { getGraph: radiusCoreGraph() };
    default:
      return {};
  }
}

function listSecrets(output: JsonObject): TypeFunction {
  return { description: "Reads the secrets of the resource.", parameters: [], output };
}

function texts(...names: readonly string[]): JsonObject {
  return { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) };
}

function secretStoreContent(): JsonObject {
  const valueFrom = { ...texts("name", "version"), required: ["name"] };
  const entry = {
    type: "object",
    properties: { encoding: { enum: ["raw", "base64"] }, value: { type: "string" }, valueFrom },
  };
  return {
    type: "object",
    properties: {
      type: { enum: ["generic", "certificate", "basicAuthentication", "azureWorkloadIdentity", "awsIRSA"] },
      data: { type: "object", additionalProperties: entry },
    },
    required: ["type", "data"],
  };
}

function recipeMetadata(): TypeFunction {
  return {
    description: "Reads what a recipe of the environment is made of.",
    parameters: [
      { name: "resourceType", description: "The resource type that the recipe is for.", schema: { type: "string" } },
      { name: "name", description: "The name of the recipe in the environment.", schema: { type: "string" } },
    ],
    output: {
      type: "object",
      properties: {
        templateKind: { type: "string" },
        templatePath: { type: "string" },
        templateVersion: { type: "string" },
        parameters: { type: "object", additionalProperties: true },
        plainHttp: { type: "boolean" },
      },
      required: ["templateKind", "templatePath", "parameters"],
    },
  };
}

const connectionKind = { kind: { enum: ["Connection", "Dependency"] } };

function radiusCoreGraph(): TypeFunction {
  const icons = { type: "object", additionalProperties: { type: "string" } };
  const edges = { type: "array", items: connection(connectionKind) };
  return {
    ...applicationGraph({ resource: { iconHash: { type: "string" } }, graph: { icons }, connection: connectionKind }),
    parameters: [
      {
        name: "includeIcons",
        description: "Whether the graph holds the icons of its resources.",
        schema: { type: "boolean" },
      },
      {
        name: "dependsOnEdges",
        description: "Dependencies to add to the graph, by the id of the resource that has them.",
        schema: { type: "object", additionalProperties: edges },
      },
    ],
  };
}

/** Properties that a version of the graph has besides those of all versions. */
interface GraphAdditions {
  readonly resource?: JsonObject;
  readonly graph?: JsonObject;
  readonly connection?: JsonObject;
}

function applicationGraph(more: GraphAdditions): TypeFunction {
  const outputResource = { ...texts("id", "type", "name", "portalUrl"), required: ["id", "type", "name"] };
  const resource = {
    type: "object",
    properties: {
      id: { type: "string" },
      type: { type: "string" },
      name: { type: "string" },
      outputResources: { type: "array", items: outputResource },
      connections: { type: "array", items: connection(more.connection ?? {}) },
      provisioningState: { type: "string" },
      diffHash: { type: "string" },
      ...more.resource,
      properties: { type: "object", additionalProperties: true },
    },
    required: ["id", "type", "name", "outputResources", "connections", "provisioningState"],
  };
  return {
    description: "Reads the resources of the application and how they are connected.",
    parameters: [],
    output: {
      type: "object",
      properties: { resources: { type: "array", items: resource }, ...more.graph },
      required: ["resources"],
    },
  };
}

function connection(more: JsonObject): JsonObject {
  const properties = { id: { type: "string" }, direction: { enum: ["Outbound", "Inbound"] }, ...more };
  return { type: "object", properties, required: Object.keys(properties) };
}
