import type { JsonObject } from "@rad/core";
import { auditParameters } from "../audit/audit-filter.ts";
import { buildInfo } from "../build-info.ts";
import { responses } from "./error-responses.ts";
import { json, operationId, parameterRef, pathParameters, plane, ref, systemVersion } from "./parts.ts";
import { Tag } from "./tags.ts";

const anything: JsonObject = { type: "object" };
const text: JsonObject = { type: "string" };
const list = json("A page.", {
  type: "object",
  properties: { value: { type: "array", items: anything }, nextLink: text },
  required: ["value"],
});

/** URLs that are no resources: the server itself, summaries, and operations. */
export function fixedPaths(metricsPath: string): JsonObject {
  return { ...openPaths(), ...closedPaths(metricsPath), ...summaryPaths(), ...operationPaths() };
}

/** What needs no token. */
function openPaths(): JsonObject {
  const get = (name: string, summary: string, answers: JsonObject): JsonObject => ({
    get: {
      operationId: operationId("server", name),
      tags: [Tag.server],
      summary,
      security: [],
      ...responses("open", answers),
    },
  });
  const ok = { description: "Yes.", content: { "text/plain": { schema: text, example: "ok\n" } } };
  return {
    "/": get("index", "Find the version and the links", {
      "200": {
        description: "The version and the links.",
        content: { "application/json": { schema: anything }, "text/html": { schema: text } },
      },
    }),
    "/healthz": get("health", "Show whether the process is alive", { "200": ok }),
    "/readyz": get("readiness", "Show whether the database answers", {
      "200": ok,
      "503": { $ref: "#/components/responses/Unavailable" },
    }),
    "/version": get("version", "Get the version of the server", {
      "200": {
        description: "The version.",
        content: { "application/json": { schema: anything, example: { ...buildInfo } } },
      },
    }),
    "/runtimes": get("runtimes", "List the types that code stands behind; resources of others are recorded only", {
      "200": json("The types.", {
        type: "object",
        properties: {
          value: { type: "array", items: text },
          kubernetes: { type: "string", enum: ["cluster", "folder"] },
        },
        required: ["value", "kubernetes"],
      }),
    }),
    "/openapi/v2": get("openApiV2", "Answer what Kubernetes asks an aggregated API server", {
      "200": json("A document without paths.", anything),
    }),
    "/openapi/v3": get("openApiV3", "Answer what Kubernetes asks an aggregated API server", {
      "200": json("A document without paths.", anything),
    }),
  };
}

function closedPaths(metricsPath: string): JsonObject {
  const get = (name: string, summary: string, answer: JsonObject, parameters?: readonly JsonObject[]): JsonObject => ({
    get: {
      operationId: operationId("server", name),
      tags: [Tag.server],
      summary,
      ...(parameters === undefined ? {} : { parameters: [...parameters] }),
      ...responses("read", { "200": answer }),
    },
  });
  const document = (description: string, type: string): JsonObject => ({
    description,
    content: { [type]: { schema: text } },
  });
  const audit = auditParameters.map(({ name, description }) => ({ name, in: "query", description, schema: text }));
  return {
    [metricsPath]: get("metrics", "Get the metrics", document("In the format of Prometheus.", "text/plain")),
    "/audit": get("audit", "Export the audit log", document("One record per line.", "application/x-ndjson"), audit),
    "/openapi.json": get("openApi", "Get this document", json("An OpenAPI 3.0 document.", anything)),
  };
}

function summaryPaths(): JsonObject {
  const get = (path: string, operation: JsonObject, more: readonly JsonObject[] = []): JsonObject => ({
    [path]: { ...pathParameters(path), get: { ...operation, parameters: [systemVersion, ...more] } },
  });
  const icons: JsonObject = {
    name: "includeIcons",
    in: "query",
    description: "Whether the SVG icons of the types are part of the answer.",
    schema: { type: "boolean" },
  };
  const types = `${plane}/providers/System.Resources/resourceProviders/{resourceProviderName}/resourceTypes`;
  const next = parameterRef("skipToken");
  return {
    ...get(
      "/planes",
      {
        operationId: "planes_list",
        tags: [Tag.planes],
        summary: "List every plane",
        ...responses("read", { "200": list }),
      },
      [next],
    ),
    ...get(
      `${plane}/providers`,
      {
        operationId: "providers_list",
        tags: [Tag.types],
        summary: "Summarize every resource provider with its types and schemas",
        ...responses("read", { "200": list }),
      },
      [next, icons],
    ),
    ...get(
      `${plane}/providers/{namespace}`,
      {
        operationId: "providers_get",
        tags: [Tag.types],
        summary: "Summarize one resource provider with its types and schemas",
        ...responses("read", { "200": json("The resource provider.", anything) }),
      },
      [icons],
    ),
    [`${types}/{resourceTypeName}/icons/{hash}`]: {
      ...pathParameters(`${types}/{resourceTypeName}/icons/{hash}`),
      get: {
        operationId: "icons_get",
        tags: [Tag.types],
        summary: "Get the icon of a resource type",
        ...responses("read", { "200": { description: "An image.", content: { "image/svg+xml": { schema: text } } } }),
      },
    },
    ...get(
      `${plane}/resourcegroups/{resourceGroupName}/resources`,
      {
        operationId: "resources_list",
        tags: [Tag.groups],
        summary: "List what is in a resource group, by id, name and type",
        ...responses("read", { "200": list }),
      },
      [next],
    ),
  };
}

function operationPaths(): JsonObject {
  const place = `${plane}/providers/{namespace}/locations/{location}`;
  const statuses = `${place}/operationStatuses/{operationId}`;
  const results = `${place}/operationResults/{operationId}`;
  return {
    [statuses]: {
      ...pathParameters(statuses, parameterRef("prefer"), lastEventId),
      get: {
        operationId: "operations_getStatus",
        tags: [Tag.operations],
        summary: "Get the status of an asynchronous operation, or follow it",
        ...responses("read", {
          "200": {
            description: "Its status; as a stream of events where `Accept` prefers that.",
            content: {
              "application/json": { schema: ref("OperationStatus") },
              "text/event-stream": { schema: text },
            },
          },
          "204": { description: "The stream of events has nothing to add to `Last-Event-ID`." },
        }),
      },
    },
    [results]: {
      ...pathParameters(results, parameterRef("prefer")),
      get: {
        operationId: "operations_getResult",
        tags: [Tag.operations],
        summary: "Show whether an asynchronous operation has ended",
        ...responses("read", { "202": { description: "Not yet." }, "204": { description: "It has." } }),
      },
    },
  };
}

const lastEventId: JsonObject = {
  name: "Last-Event-ID",
  in: "header",
  description: "With `Accept: text/event-stream`: the id of the last event that was seen; the stream goes on after it.",
  schema: text,
};
