import type { JsonObject } from "@rad/core";
import { symbolic, thing as plannedThing } from "@rad/templates/testing";

/** A template as the compiler writes it, with symbolic names and the Radius extension. */
export function template(resources: JsonObject, more: JsonObject = {}): JsonObject {
  return symbolic({ ...more, resources });
}

export function thing(name: string, properties: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return plannedThing(name, more, properties);
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
