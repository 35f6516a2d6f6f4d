import {
  ApiError,
  type ErrorDetail,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  Pace,
  type ResourceId,
  type Sliced,
} from "@rad/core";
import type { Problem } from "@rad/resource-types";
import type { ServedType } from "../types/served-type.ts";

/** A body can have more problems than anybody reads, and naming each would make an answer larger than the body. */
const mostNamed = 50;

/** The members of a request body that count; everything else (`id`, `name`, `systemData`, …) is decided here. */
export interface RequestEnvelope {
  readonly tags: JsonObject;
  readonly properties: JsonObject;
}

/** @throws ApiError listing every problem with its `$.` path. */
export function* readEnvelope(body: JsonValue | undefined, type: ServedType): Sliced<RequestEnvelope> {
  if (!isJsonObject(body)) {
    throw invalidBody(type, [{ path: "$", message: "must be an object." }]);
  }
  const problems: Problem[] = [];
  const { location, tags = {}, properties = {} } = body;
  if (location === undefined ? type.policy.locationRequired : typeof location !== "string") {
    problems.push({ path: "$.location", message: location === undefined ? "is required." : "must be a string." });
  }
  if (!isJsonObject(tags)) {
    problems.push({ path: "$.tags", message: "must be an object." });
  } else {
    const pace = new Pace();
    for (const name of Object.keys(tags)) {
      if (typeof tags[name] !== "string") {
        problems.push({ path: `$.tags.${name}`, message: "must be a string." });
      }
      const pause = pace.spend();
      if (pause !== undefined) {
        yield pause;
      }
    }
  }
  if (body["properties"] === undefined ? type.policy.propertiesRequired : !isJsonObject(properties)) {
    const message = body["properties"] === undefined ? "is required." : "must be an object.";
    problems.push({ path: "$.properties", message });
  }
  if (problems.length > 0 || !isJsonObject(tags) || !isJsonObject(properties)) {
    throw invalidBody(type, problems);
  }
  return { tags, properties };
}

/** The texts are upstream's: clients compare them. */
export function invalidBody(type: ServedType, problems: readonly Problem[]): ApiError {
  const details = problems.slice(0, mostNamed).map(({ path, message }): ErrorDetail => {
    const colon = /^[A-Z]/.test(message) ? ":" : ""; // a sentence of its own
    return { code: "InvalidProperties", message: `${path} in body${colon} ${message.replace(/\.$/, "")}` };
  });
  if (problems.length > mostNamed) {
    details.push({ code: "InvalidProperties", message: `${problems.length - mostNamed} more are left out` });
  }
  return new ApiError(
    "HttpRequestPayloadAPISpecValidationFailed",
    "HTTP request payload failed validation against API specification with one or more errors. Please see details for more information.",
    { target: type.errorTarget, details },
  );
}

export interface BodyParts {
  readonly id: ResourceId;
  readonly type: ServedType;
  readonly location: string;
  readonly tags: JsonObject;
  readonly properties: JsonObject;
  readonly systemData: JsonObject;
}

/** The resource as it is stored and sent. */
export function renderBody(parts: BodyParts): JsonObject {
  const { id, type } = parts;
  const identity = { id: id.toString(), name: id.name, type: type.displayName ?? id.type };
  const { location, tags, properties, systemData } = parts;
  switch (type.policy.envelope) {
    case "tracked":
      return { ...identity, location, tags, properties, systemData };
    case "proxy":
      return { ...identity, properties };
    case "group":
      return { ...identity, location, tags };
    default:
      return type.policy.envelope satisfies never;
  }
}
