import type { JsonObject } from "@rad/core";

export const plane = "/planes/radius/{planeName}";

export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
export const json = (description: string, schema: JsonObject): JsonObject => ({
  description,
  content: { "application/json": { schema } },
});
export const failure = json("What went wrong.", ref("ErrorResponse"));

export function pathParameters(path: string, ...more: readonly JsonObject[]): JsonObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const own = names.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
  const parameters = [...own, ...more];
  return parameters.length === 0 ? {} : { parameters };
}
