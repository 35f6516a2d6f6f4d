import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { listMember, numberMember, textMember } from "../../../rendering/members.ts";

export interface Backend {
  readonly resourceId: string;
  readonly container: string;
  readonly port: number;
}

export function backendOf(rule: JsonObject): Backend {
  const destination = objectMember(rule, "destinationContainer");
  return {
    resourceId: textMember(destination, "resourceId") ?? "",
    container: textMember(destination, "containerName") ?? "",
    port: numberMember(destination, "containerPort") ?? 0,
  };
}

/** What an HTTP request must look like, in the terms of an HTTPRoute; absent where every request fits. */
export function httpMatches(rule: JsonObject): JsonObject {
  const matches = listMember(rule, "matches").map((match): JsonObject => {
    const path = textMember(match, "httpPath");
    const method = textMember(match, "httpMethod");
    return {
      ...(path === undefined ? {} : { path: { type: "PathPrefix", value: path } }),
      ...(method === undefined ? {} : { method }),
      ...pairs("headers", listMember(match, "httpHeaders")),
      ...pairs("queryParams", listMember(match, "httpQueryParams")),
    };
  });
  // A match without any condition fits every request, whatever the others say.
  return matches.some((match) => Object.keys(match).length === 0) || matches.length === 0 ? {} : { matches };
}

/** @throws ApiError for conditions that only HTTP has. */
export function refuseHttpMatches(rule: JsonObject, kind: string, target: string): void {
  const name = listMember(rule, "matches").flatMap((match) => Object.keys(match))[0];
  if (name !== undefined) {
    throw new ApiError(
      "BadRequest",
      `'${name}' cannot be matched in a route of the kind ${kind}: it has no HTTP requests.`,
      {
        target,
      },
    );
  }
}

function pairs(name: string, entries: readonly JsonObject[]): JsonObject {
  const list = entries.map((entry) => ({ name: entry["name"] ?? "", value: entry["value"] ?? "" }));
  return list.length === 0 ? {} : { [name]: list };
}
