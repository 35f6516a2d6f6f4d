import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject } from "@rad/core";
import { ConfigurationError } from "./configuration-error.ts";
import { hclExpression } from "./hcl-text.ts";

/** Linux takes 128 KiB for a variable with its name. */
const maxBytes = 127 * 1024;

/**
 * The variables of the root module: one for each secret. The file has their declarations, marked sensitive, and the
 * values travel in the environment of Terraform.
 */
export class SecretVariables {
  readonly declarations: JsonObject = {};
  readonly env: Record<string, string> = {};
  /** Every text in the values, to be kept out of logs. */
  readonly texts: string[] = [];

  /** The expression to write in the place of a secret. `what` names the secret in errors. */
  add(value: JsonValue, what: string): string {
    const name = `radius_secret_${Object.keys(this.declarations).length + 1}`;
    const isText = typeof value === "string";
    const text = isText ? value : hclExpression(value);
    if (text.includes("\0")) {
      throw unusable(`${what} has a NUL character in it, which an environment variable cannot carry.`);
    }
    if (Buffer.byteLength(text) > maxBytes) {
      throw unusable(
        `${what} is larger than ${maxBytes / 1024} KiB, which is as much as an environment variable carries.`,
      );
    }
    // A variable of type string is taken as it is; any other is read as an expression.
    this.declarations[name] = { type: isText ? "string" : "any", sensitive: true };
    this.env[`TF_VAR_${name}`] = text;
    this.texts.push(...textsIn(value), ...numbersIn(value));
    return `\${var.${name}}`;
  }
}

function unusable(message: string): ConfigurationError {
  return new ConfigurationError("RecipeConfigurationFailure", message);
}

/** The texts that are in a value, at any depth, without empty ones. */
export function textsIn(value: JsonValue): string[] {
  if (Array.isArray(value) || isJsonObject(value)) {
    return Object.values(value).flatMap((member) => textsIn(member));
  }
  return typeof value === "string" && value !== "" ? [value] : [];
}

/** The numbers that are in a value, as they are printed: an account number or a PIN is a secret like a text. */
function numbersIn(value: JsonValue): string[] {
  if (Array.isArray(value) || isJsonObject(value)) {
    return Object.values(value).flatMap((member) => numbersIn(member));
  }
  return typeof value === "number" ? [String(value)] : [];
}
