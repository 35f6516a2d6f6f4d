import type { JsonObject } from "@rad/core";
import { responses } from "./error-responses.ts";
import { json, jsonOrEvents, operationId, pathParameters, plane } from "./parts.ts";
import { Tag } from "./tags.ts";

const text: JsonObject = { type: "string" };
const texts: JsonObject = { type: "array", items: text };

const orphans: JsonObject = {
  type: "object",
  properties: {
    value: {
      type: "array",
      items: {
        type: "object",
        properties: {
          kind: { type: "string", enum: ["resource", "state", "creation"] },
          resourceId: { ...text, description: "The resource that the recipe ran for." },
          what: { ...text, description: "An id, the backend and name of a state, or the address in the module." },
          reason: { ...text, description: "Why it is listed, and what to do." },
          recipe: text,
          module: text,
          runId: text,
          since: text,
        },
        required: ["kind", "resourceId", "what", "reason"],
      },
    },
  },
  required: ["value"],
};

const log: JsonObject = {
  type: "object",
  properties: { resourceId: text, runId: text, text },
  required: ["resourceId", "runId", "text"],
};

const needed = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: "array",
  items: {
    type: "object",
    properties: { ...properties, recipes: { ...texts, description: "The recipes that need it." } },
    required: [...required, "recipes"],
  },
});

const mirrorList: JsonObject = {
  type: "object",
  properties: {
    platforms: texts,
    binaries: {
      type: "array",
      items: {
        type: "object",
        properties: { product: text, version: text, platform: text, url: text, sha256: text, error: text },
        required: ["product", "version", "platform"],
      },
    },
    providers: needed(
      {
        address: text,
        version: text,
        packages: {
          type: "array",
          items: {
            type: "object",
            properties: { platform: text, hashes: texts },
            required: ["platform", "hashes"],
          },
        },
      },
      ["address", "version", "packages"],
    ),
    modules: needed({ source: text, version: text, commit: text }, ["source"]),
    errors: needed({ code: text, message: text }, ["code", "message"]),
  },
  required: ["platforms", "binaries", "providers", "modules", "errors"],
};

const platform: JsonObject = {
  name: "platform",
  in: "query",
  description: "A platform to list providers and binaries for; left out: that of the control plane.",
  schema: { type: "array", items: { type: "string", pattern: "^[a-z0-9]+_[a-z0-9]+$" } },
  example: ["linux_amd64", "linux_arm64"],
};

const scope = `${plane}/resourcegroups/{resourceGroupName}/providers`;

/** What is known of recipes beyond the resources that they make. */
export function recipePaths(): JsonObject {
  const tags = [Tag.recipes];
  const logs = `/recipes/logs${scope}/{namespace}/{typeName}/{resourceName}`;
  return {
    "/recipes/orphans": {
      get: {
        operationId: operationId("recipes", "orphans"),
        tags,
        summary: "List what recipes have created and no resource owns",
        ...responses("read", { "200": json("What nobody owns.", orphans) }),
      },
    },
    [logs]: {
      ...pathParameters(logs),
      get: {
        operationId: operationId("recipes", "log"),
        tags,
        summary: "Get the log of the latest run of a resource's recipe",
        ...responses("read", { "200": json("The log.", log) }),
      },
    },
    ...Object.fromEntries(
      ["Radius.Core", "Applications.Core"].map((namespace) => {
        const path = `/recipes/mirror-list${scope}/${namespace}/environments/{environmentName}`;
        const post = {
          operationId: operationId(`recipes/${namespace}`, "mirrorList"),
          tags,
          summary: "List what has to be mirrored for the recipes of an environment",
          ...responses("read", { "200": jsonOrEvents("What the recipes need; nothing was changed.", mirrorList) }),
        };
        return [path, { ...pathParameters(path, platform), post }];
      }),
    ),
  };
}
