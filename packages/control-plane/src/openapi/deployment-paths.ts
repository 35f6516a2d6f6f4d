import type { JsonObject } from "@rad/core";
import { deploymentType } from "@rad/deployments";
import { deploymentApiVersions } from "@rad/radius-types";
import { failure, json, pathParameters, plane, ref } from "./parts.ts";

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
      },
    },
  },
  required: ["properties"],
};

/** Deployments have verbs of their own. */
export function deploymentPaths(): JsonObject {
  const collection = `${plane}/resourcegroups/{resourceGroupName}/providers/${deploymentType}`;
  const one = `${collection}/{deploymentName}`;
  const deployment = json("The deployment.", ref("Resource"));
  const list = json("A page.", {
    type: "object",
    properties: { value: { type: "array", items: { type: "object" } }, nextLink: { type: "string" } },
    required: ["value"],
  });
  const template = {
    requestBody: { required: true, content: { "application/json": { schema: ref("Deployment") } } },
  };
  const at = (path: string, operations: Readonly<Record<string, JsonObject>>): [string, JsonObject] => [
    path,
    {
      ...pathParameters(path),
      ...Object.fromEntries(
        Object.entries(operations).map(([verb, operation]) => [
          verb,
          { parameters: [deploymentVersion], ...operation },
        ]),
      ),
    },
  ];
  const answers = (responses: JsonObject): JsonObject => ({ responses: { ...responses, default: failure } });
  const anything = { type: "object" };
  return Object.fromEntries([
    at(collection, { get: { summary: "List deployments", ...answers({ "200": list }) } }),
    at(one, {
      get: { summary: "A deployment and what came of it", ...answers({ "200": deployment }) },
      head: { summary: "Whether there is one", ...answers({ "204": { description: "There is." } }) },
      put: {
        summary: "Deploy a template; follow Azure-AsyncOperation",
        ...template,
        ...answers({ "200": deployment, "201": deployment }),
      },
      delete: {
        summary: "Forget a deployment; what it deployed stays",
        ...answers({ "200": { description: "Forgotten." }, "204": { description: "It did not exist." } }),
      },
    }),
    at(`${one}/operations`, { get: { summary: "What was done for each resource", ...answers({ "200": list }) } }),
    at(`${one}/operations/{operationId}`, {
      get: { summary: "What was done for one resource", ...answers({ "200": json("The operation.", anything) }) },
    }),
    at(`${one}/cancel`, {
      post: { summary: "Start nothing more", ...answers({ "204": { description: "It will end." } }) },
    }),
    at(`${one}/validate`, {
      post: { summary: "Check a template", ...template, ...answers({ "200": json("It is valid.", anything) }) },
    }),
    at(`${one}/whatIf`, {
      post: { summary: "What a deployment would do", ...template, ...answers({ "200": json("Changes.", anything) }) },
    }),
    at(`${one}/exportTemplate`, {
      post: { summary: "The template as it was sent", ...answers({ "200": json("The template.", anything) }) },
    }),
  ]);
}

const deploymentVersion: JsonObject = {
  name: "api-version",
  in: "query",
  required: true,
  schema: { type: "string", enum: [...deploymentApiVersions] },
};
