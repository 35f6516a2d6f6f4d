import type { JsonObject } from "@rad/core";
import { deploymentType } from "@rad/deployments";
import { deploymentApiVersions } from "@rad/radius-types";
import { responses } from "./error-responses.ts";
import {
  apiVersionParameter,
  asyncHeaderNames,
  json,
  jsonOrEvents,
  operationId,
  parameterRef,
  pathParameters,
  plane,
  ref,
  withHeaders,
} from "./parts.ts";
import { Tag } from "./tags.ts";

/** What is sent to be deployed, validated or previewed. */
export const deploymentSchema: JsonObject = {
  type: "object",
  properties: {
    location: { type: "string" },
    tags: { type: "object", nullable: true },
    properties: {
      type: "object",
      properties: {
        mode: { type: "string", enum: ["Incremental"] },
        template: { type: "object" },
        parameters: { type: "object" },
        providerconfig: { type: "object" },
        whatIfSettings: {
          type: "object",
          properties: {
            resultFormat: { type: "string", enum: ["ResourceIdOnly", "FullResourcePayloads"] },
            changesToIgnore: { type: "array", items: { type: "string" } },
            planRecipes: { type: "boolean", description: "Whether what-if plans each recipe with Terraform." },
          },
        },
      },
    },
  },
  required: ["properties"],
};

const exampleDeployment: JsonObject = {
  properties: {
    mode: "Incremental",
    template: {
      $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
      contentVersion: "1.0.0.0",
      parameters: { name: { type: "string" } },
      resources: [],
      outputs: { greeting: { type: "string", value: "[format('Hello, {0}.', parameters('name'))]" } },
    },
    parameters: { name: { value: "world" } },
  },
};

/** Deployments have verbs of their own. */
export function deploymentPaths(): JsonObject {
  const collection = `${plane}/resourcegroups/{resourceGroupName}/providers/${deploymentType}`;
  const one = `${collection}/{deploymentName}`;
  const anything = { type: "object" };
  const deployment = json("The deployment.", ref("Resource"));
  const accepted = withHeaders(json("Accepted; follow `Azure-AsyncOperation`.", ref("Resource")), ...asyncHeaderNames);
  const list = json("A page.", ref("ResourceList"));
  const paging = [dollarTop, parameterRef("top"), parameterRef("skipToken")];
  const template = {
    requestBody: {
      required: true,
      content: { "application/json": { schema: ref("Deployment"), example: exampleDeployment } },
    },
  };
  return Object.fromEntries([
    at(collection, {
      get: operation("list", "List deployments", paging, responses("read", { "200": list })),
    }),
    at(one, {
      get: operation(
        "get",
        "Get a deployment with its outputs and errors",
        [parameterRef("prefer")],
        responses("read", { "200": withHeaders(deployment, "ETag") }),
      ),
      head: operation(
        "exists",
        "Show whether a deployment exists",
        [],
        responses("read", { "204": { description: "It does." } }),
      ),
      put: operation("createOrUpdate", "Deploy a template", conditions, {
        ...template,
        ...responses("write", { "200": accepted, "201": accepted }),
      }),
      delete: operation(
        "delete",
        "Delete a deployment; what it deployed stays",
        conditions,
        responses("remove", { "200": { description: "Deleted." }, "204": { description: "It did not exist." } }),
      ),
    }),
    at(`${one}/operations`, {
      get: operation(
        "listOperations",
        "List what was done for each resource",
        paging,
        responses("read", { "200": list }),
      ),
    }),
    at(`${one}/operations/{operationId}`, {
      get: operation(
        "getOperation",
        "Get what was done for one resource",
        [],
        responses("read", { "200": json("The operation.", anything) }),
      ),
    }),
    at(`${one}/cancel`, {
      post: operation(
        "cancel",
        "Cancel a deployment; resources in progress finish",
        [],
        responses("remove", { "204": { description: "It will end." } }),
      ),
    }),
    at(`${one}/validate`, {
      post: operation("validate", "Check a template", [], {
        ...template,
        ...responses("write", { "200": json("The template is valid.", anything) }),
      }),
    }),
    at(`${one}/whatIf`, {
      post: operation("whatIf", "Preview what a deployment would change", [], {
        ...template,
        ...responses("write", { "200": jsonOrEvents("The changes.", anything) }),
      }),
    }),
    at(`${one}/exportTemplate`, {
      post: operation(
        "exportTemplate",
        "Get the template as it was sent",
        [],
        responses("read", { "200": json("The template.", anything) }),
      ),
    }),
  ]);
}

function at(path: string, operations: JsonObject): [string, JsonObject] {
  return [path, { ...pathParameters(path), ...operations }];
}

function operation(verb: string, summary: string, parameters: readonly JsonObject[], members: JsonObject): JsonObject {
  return {
    operationId: operationId(deploymentType, verb),
    tags: [Tag.deployments],
    summary,
    parameters: [apiVersionParameter(deploymentApiVersions), ...parameters],
    ...members,
  };
}

const conditions = [parameterRef("ifMatch"), parameterRef("ifNoneMatch")];

const dollarTop: JsonObject = {
  name: "$top",
  in: "query",
  description: "How many items a page has, as clients of Azure ask for it.",
  schema: { type: "integer", minimum: 1 },
};
