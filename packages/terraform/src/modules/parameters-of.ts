import type { JsonObject } from "@rad/core";
import type { ModuleContents } from "./module-contents.ts";

/** The parameters of a recipe, by name, as its metadata shows them. `context` is filled in by the control plane. */
export function parametersOf({ variables }: ModuleContents): Record<string, JsonObject> {
  const parameters = variables
    .filter(({ name }) => name !== "context")
    .map(({ name, type, description, default: defaultValue, required, sensitive, position }) => ({
      name,
      ...(type !== undefined && { type }),
      ...(description !== undefined && { description }),
      // A default of a sensitive variable is a secret that somebody wrote into a module.
      ...(defaultValue !== undefined && !sensitive && { defaultValue }),
      required,
      sensitive,
      pos: { filename: position.file, line: position.line },
    }));
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter]));
}
