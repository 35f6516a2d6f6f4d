import { executionError, type RecipeError } from "../recipes/recipe-error.ts";

/** What a type cannot take of a recipe's output, all at once. */
export function validationFailed(problems: readonly string[]): RecipeError {
  const [first = "", ...more] = problems;
  const message = more.length === 0 ? first : `validation returned multiple errors:\n\n${problems.join("\n")}`;
  return executionError("RecipeValidationFailed", message);
}

/** The kind of a JSON value, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) {
    return "null";
  }
  return Array.isArray(value) ? "array" : typeof value;
}
