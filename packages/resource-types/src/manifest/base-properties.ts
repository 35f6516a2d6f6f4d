import { isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";

const environment = "environment";

function baseProperties(): JsonObject {
  return {
    application: { type: "string", description: "The resource id of the application this belongs to." },
    [environment]: { type: "string", description: "The resource id of the environment this is deployed to." },
    connections: {
      type: "object",
      description: "The resources this one connects to.",
      additionalProperties: {
        type: "object",
        properties: {
          source: { type: "string", description: "The resource id of the resource to connect to." },
          disableDefaultEnvVars: {
            type: "boolean",
            description: "Whether to leave out the environment variables that describe the connection.",
          },
        },
        required: ["source"],
      },
    },
    codeReference: { type: "string", description: "Where the code that declares this resource is." },
  };
}

/** The schema with the properties that every resource has, for a type whose author requires none of them. */
export function withOptionalBaseProperties(schema: JsonObject): JsonObject {
  const { properties = {} } = schema;
  return Object.keys(schema).length === 0 || !isJsonObject(properties)
    ? schema
    : { ...schema, properties: { ...baseProperties(), ...properties } };
}

/**
 * The schema with the properties that every resource has. What the author declares stays as it is, and `environment`
 * becomes required. The empty schema accepts anything, and goes on doing so.
 */
export function withBaseProperties(schema: JsonObject): JsonObject {
  const { properties = {}, required = [] } = schema;
  if (Object.keys(schema).length === 0 || !isJsonObject(properties) || !Array.isArray(required)) {
    return schema; // A mistyped member is the business of `checkSchemaRules`.
  }
  return {
    ...withOptionalBaseProperties(schema),
    required: required.includes(environment) ? required : [...required, environment],
  };
}
