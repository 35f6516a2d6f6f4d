import type { JsonObject } from "@rad/core";
import { nearestName } from "@rad/core";
import { ConfigurationError } from "./configuration-error.ts";
import type { ModuleInterface } from "./module-interface.ts";

/** Names that mean something to Terraform in a module block, and can name no variable. */
const reserved = new Set(["source", "version", "providers", "count", "for_each", "depends_on", "lifecycle", "locals"]);

/**
 * Whether the module takes these parameters, and has all that it needs. Terraform would say so too, about a file that
 * nobody has written.
 *
 * @throws ConfigurationError that lists every parameter that does not fit
 */
export function checkParameters(parameters: JsonObject, { variables }: ModuleInterface): void {
  const names = variables.map(({ name }) => name).filter((name) => name !== "context");
  const given = Object.keys(parameters).filter((name) => parameters[name] !== null && name !== "context");
  const problems = [
    ...given.filter((name) => reserved.has(name) || !names.includes(name)).map((name) => unknownName(name, names)),
    ...variables
      .filter(({ name, required }) => required && name !== "context" && !given.includes(name))
      .map(({ name }) => `The parameter '${name}' is required.`),
  ];
  if (problems.length > 0) {
    throw new ConfigurationError("RecipeValidationFailed", problems.join(" "));
  }
}

function unknownName(name: string, names: readonly string[]): string {
  const meant = nearestName(name, names);
  const advice =
    meant === undefined
      ? `It takes: ${names.length === 0 ? "no parameters" : names.join(", ")}.`
      : `Did you mean '${meant}'?`;
  return `The module has no variable '${name}'. ${advice}`;
}
