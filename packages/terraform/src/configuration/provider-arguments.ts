import type { JsonObject } from "@rad/core";
import type { SecretVariables } from "./secret-variables.ts";
import { mapMembers, templateText, templateValue } from "./template-text.ts";

/** The arguments of one provider block, before they are written. A secret wins over a plain value of its name. */
export interface ProviderArguments {
  readonly plain: JsonObject;
  readonly secrets: Readonly<Record<string, string>>;
}

/** A block in which plain values are data and secrets are variables. */
export function blockOf(name: string, { plain, secrets }: ProviderArguments, variables: SecretVariables): JsonObject {
  const block = mapMembers(plain, templateText, templateValue);
  for (const [argument, value] of Object.entries(secrets)) {
    block[templateText(argument)] = variables.add(value, `The value of '${argument}' for the provider '${name}'`);
  }
  return block;
}
