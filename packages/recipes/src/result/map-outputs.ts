import type { JsonObject, JsonValue } from "@rad/core";
import { executionError, type RecipeDefinition, setupError } from "@rad/radius-types";
import { readResult, type RecipeResult } from "./recipe-result.ts";

/** An output as a template gives it. */
export interface TemplateOutput {
  readonly value: JsonValue;
  readonly isSensitive: boolean;
}

type Mapping = Pick<RecipeDefinition, "outputs" | "secretOutputs">;

/** Before anything runs. @throws RecipeError for a mapping that names an output which the template does not declare */
export function checkMapping({ outputs = {}, secretOutputs = {} }: Mapping, declared: readonly string[]): void {
  const wanted = [...Object.entries(outputs), ...Object.entries(secretOutputs)];
  const unknown = wanted.filter(([, output]) => !declared.includes(output));
  if (unknown.length > 0) {
    const names = unknown.map(([property, output]) => `'${output}' (for '${property}')`).join(", ");
    throw setupError(
      "InvalidRecipeOutputs",
      `The recipe maps outputs that its module does not declare: ${names}. It declares: ${declared.join(", ") || "none"}.`,
    );
  }
}

/** Whether the recipe says which output gives which property. */
export function hasMapping({ outputs, secretOutputs }: Mapping): boolean {
  return outputs !== undefined || secretOutputs !== undefined;
}

/**
 * What a template's outputs give: those that the recipe maps, else the output `result`, else every output, sensitive ones
 * as secrets.
 * @throws RecipeError `InvalidRecipeOutputs`
 */
export function resultOf(mapping: Mapping, outputs: Readonly<Record<string, TemplateOutput>>): RecipeResult {
  if (hasMapping(mapping)) {
    return mapped(mapping, outputs);
  }
  if (Object.hasOwn(outputs, "result")) {
    return readResult(outputs["result"]?.value);
  }
  const all = Object.entries(outputs).filter(([, { value }]) => value !== null);
  return {
    values: valuesOf(all.filter(([, { isSensitive }]) => !isSensitive)),
    secrets: valuesOf(all.filter(([, { isSensitive }]) => isSensitive)),
    resources: [],
  };
}

function mapped(
  { outputs = {}, secretOutputs = {} }: Mapping,
  given: Readonly<Record<string, TemplateOutput>>,
): RecipeResult {
  const pick = (map: Readonly<Record<string, string>>): [string, JsonValue][] =>
    Object.entries(map).flatMap(([property, output]) => {
      const value = given[output]?.value;
      return value === undefined || value === null ? [] : [[property, value]];
    });
  const secrets = pick(secretOutputs);
  const missing = Object.entries(secretOutputs).filter(([property]) => !secrets.some(([name]) => name === property));
  if (missing.length > 0) {
    const names = missing.map(([property, output]) => `'${output}' (for '${property}')`).join(", ");
    throw executionError("InvalidRecipeOutputs", `The module gave no value for the secret outputs ${names}.`);
  }
  return { values: Object.fromEntries(pick(outputs)), secrets: Object.fromEntries(secrets), resources: [] };
}

function valuesOf(outputs: readonly (readonly [string, TemplateOutput])[]): JsonObject {
  return Object.fromEntries(outputs.map(([name, { value }]) => [name, value]));
}
