import type { JsonObject } from "@rad/core";
import { failure, json, pathParameters, plane, ref } from "./parts.ts";

/** URLs that are no resources: health, summaries, and operations. */
export function fixedPaths(): JsonObject {
  const get = (summary: string, schema: JsonObject): JsonObject => ({
    get: { summary, responses: { "200": json(summary, schema), default: failure } },
  });
  const anything = { type: "object" };
  const operation = `${plane}/providers/{namespace}/locations/{location}`;
  const operationParameters = pathParameters(`${operation}/{operationId}`, preferWait);
  return {
    "/healthz": get("Whether the process is alive", anything),
    "/readyz": get("Whether the database answers", anything),
    "/version": get("What this server is", anything),
    "/runtimes": get("Types that code stands behind; resources of others are recorded only", anything),
    "/planes": get("Every plane", anything),
    [`${plane}/providers`]: { ...pathParameters(plane), ...get("Summaries of all resource providers", anything) },
    [`${plane}/resourcegroups/{resourceGroupName}/resources`]: {
      ...pathParameters(`${plane}/{resourceGroupName}`),
      ...get("What is in a resource group", anything),
    },
    [`${operation}/operationStatuses/{operationId}`]: {
      ...pathParameters(`${operation}/{operationId}`, preferWait, lastEventId),
      get: {
        summary: "How an asynchronous operation is doing",
        responses: {
          "200": {
            description: "Its status; as a stream of events where `Accept` prefers that.",
            content: {
              "application/json": { schema: ref("OperationStatus") },
              "text/event-stream": { schema: { type: "string" } },
            },
          },
          "204": { description: "The stream of events has nothing to add to `Last-Event-ID`." },
          default: failure,
        },
      },
    },
    [`${operation}/operationResults/{operationId}`]: {
      ...operationParameters,
      get: {
        summary: "Whether an asynchronous operation has ended",
        responses: { "202": { description: "Not yet." }, "204": { description: "It has." }, default: failure },
      },
    },
  };
}

const preferWait: JsonObject = {
  name: "Prefer",
  in: "header",
  description: "`wait=n`: the answer may be put off for up to n seconds, until the operation has ended.",
  schema: { type: "string" },
};

const lastEventId: JsonObject = {
  name: "Last-Event-ID",
  in: "header",
  description: "With `Accept: text/event-stream`: the id of the last event that was seen; the stream goes on after it.",
  schema: { type: "string" },
};
