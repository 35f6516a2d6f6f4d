import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import { executionError, type RecipeOutput } from "@rad/radius-types";

export type RecipeResult = Pick<RecipeOutput, "values" | "secrets" | "resources">;

const noResult: RecipeResult = { values: {}, secrets: {}, resources: [] };

/**
 * Reads the output `result` of a template, which may be absent. Names are compared ignoring case.
 * @throws RecipeError `InvalidRecipeOutputs` for what is no object, and members that are unknown or of another type
 */
export function readResult(result: JsonValue | undefined): RecipeResult {
  if (result === undefined || result === null) {
    return noResult;
  }
  if (!isJsonObject(result)) {
    throw invalid("it must be an object.");
  }
  let read = noResult;
  for (const [name, value] of Object.entries(result)) {
    if (value === null) {
      continue;
    }
    switch (name.toLowerCase()) {
      case "values":
        read = { ...read, values: objectOf(name, value) };
        break;
      case "secrets":
        read = { ...read, secrets: objectOf(name, value) };
        break;
      case "resources":
        read = { ...read, resources: textsOf(name, value) };
        break;
      default:
        throw invalid(`unknown field "${name}". It can have "values", "secrets" and "resources".`);
    }
  }
  return read;
}

function objectOf(name: string, value: JsonValue): JsonObject {
  if (!isJsonObject(value)) {
    throw invalid(`"${name}" must be an object.`);
  }
  return value;
}

function textsOf(name: string, value: JsonValue): string[] {
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  if (!Array.isArray(value) || texts.length !== value.length) {
    throw invalid(`"${name}" must be a list of resource ids.`);
  }
  return texts;
}

function invalid(problem: string): Error {
  return executionError("InvalidRecipeOutputs", `failed to read the recipe output "result": ${problem}`);
}
