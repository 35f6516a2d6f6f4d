import type { JsonObject } from "@rad/core";

/** A template as the compiler writes it, with symbolic names and the Radius extension. */
export function template(resources: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    languageVersion: "2.0",
    contentVersion: "1.0.0.0",
    imports: { radius: { provider: "Radius", version: "latest" } },
    ...more,
    resources,
  };
}

export function thing(name: string, properties: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return { import: "radius", type: "Radius.Test/things@2025-01-01", properties: { name, properties }, ...more };
}

export function module(
  name: string,
  inner: JsonObject,
  parameters: JsonObject = {},
  more: JsonObject = {},
): JsonObject {
  return {
    type: "Microsoft.Resources/deployments",
    apiVersion: "2025-04-01",
    name,
    properties: {
      mode: "Incremental",
      expressionEvaluationOptions: { scope: "inner" },
      parameters: Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, { value }])),
      template: inner,
    },
    ...more,
  };
}

/** What a thing turned out to be, as an expression. */
export function propertyOf(symbol: string, property: string): string {
  return `[reference('${symbol}').properties.${property}]`;
}

export function outputOf(symbol: string, output: string): string {
  return `[reference('${symbol}').outputs.${output}.value]`;
}
