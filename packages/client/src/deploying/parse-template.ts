import { isJsonObject, type JsonObject } from "@rad/core";
import { DeployingError } from "./deploying-error.ts";
import { parseExactJson } from "./exact-json.ts";

/**
 * Reads a compiled template. `source` is what errors call it, such as the name of its file.
 * @throws DeployingError `InvalidTemplate` or `IntegerTooLarge`
 */
export function parseTemplate(text: string, source = "The template"): JsonObject {
  let value: unknown;
  try {
    value = parseExactJson(text.replace(/^\uFEFF/, ""), source);
  } catch (error) {
    if (error instanceof DeployingError) {
      throw error;
    }
    throw new DeployingError("InvalidTemplate", `${source} is not JSON.`, { cause: error });
  }
  if (!isJsonObject(value)) {
    throw new DeployingError("InvalidTemplate", `${source} does not hold a template: an object was expected.`);
  }
  return value;
}
