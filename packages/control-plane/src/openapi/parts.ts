import type { JsonObject } from "@rad/core";
import { systemApiVersion } from "@rad/resources";

export const plane = "/planes/radius/{planeName}";

export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
export const parameterRef = (name: string): JsonObject => ({ $ref: `#/components/parameters/${name}` });
const headerRef = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });

export const json = (description: string, schema: JsonObject): JsonObject => ({
  description,
  content: { "application/json": { schema } },
});

/** An answer that takes a while for recipes: `Accept: text/event-stream` gets an event for each, and then the answer. */
export const jsonOrEvents = (description: string, schema: JsonObject): JsonObject => ({
  description: `${description} As a stream of events where \`Accept\` prefers that: \`recipe\` for each step, then \`result\` or \`error\`.`,
  content: { "application/json": { schema }, "text/event-stream": { schema: { type: "string" } } },
});

/** An answer with headers, named as in `components.headers`. */
export function withHeaders(response: JsonObject, ...names: readonly string[]): JsonObject {
  return { ...response, headers: Object.fromEntries(names.map((name) => [name, headerRef(name)])) };
}

export const asyncHeaderNames = ["Azure-AsyncOperation", "Location", "Retry-After"] as const;

const examples: Readonly<Record<string, string>> = { planeName: "local", resourceGroupName: "default" };

/** The `parameters` of a path: what is in braces, and `more`. */
export function pathParameters(path: string, ...more: readonly JsonObject[]): JsonObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const own = names.map((name) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    ...(examples[name] === undefined ? {} : { example: examples[name] }),
  }));
  const parameters = [...own, ...more];
  return parameters.length === 0 ? {} : { parameters };
}

export function apiVersionParameter(versions: Iterable<string>): JsonObject {
  return { name: "api-version", in: "query", required: true, schema: { type: "string", enum: [...versions] } };
}

export const systemVersion = apiVersionParameter([systemApiVersion]);

/** The name of an operation: that of a type or a part of the API, and what is done. Names of types have no `_`. */
export function operationId(name: string, verb: string): string {
  return `${name.replaceAll("/", "_")}_${verb}`;
}
