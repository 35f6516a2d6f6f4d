import { objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { isGiven, knownValues, type PortableType } from "../manual-provisioning/portable-type.ts";
import type { RecipeType } from "./recipe-type.ts";
import { kindOf, validationFailed } from "./validation-failed.ts";

/** What upstream calls the types of values that are not texts. */
const goTypes: Readonly<Record<string, "int32" | "bool">> = { port: "int32", tls: "bool" };

/** A type whose values come from the author, or else from the recipe, or else are computed of the others. */
export function portableRecipe(type: PortableType): RecipeType {
  return {
    isRendered: false,
    showsStatus: false,
    outcome({ values: given, secrets: givenSecrets }, { properties, secrets: sealed }) {
      const problems: string[] = [];
      const values: JsonObject = {};
      for (const name of [...type.required, ...type.optional]) {
        const value = isGiven(properties[name]) ? properties[name] : given[name];
        const converted = value === undefined || value === null ? undefined : convert(name, value);
        if (value !== undefined && value !== null && converted === undefined) {
          problems.push(wrongType("value", name, value));
        } else if (isGiven(converted)) {
          values[name] = converted;
        } else if (type.required.includes(name)) {
          problems.push(
            `the connection value "${name}" should be provided by the recipe, ` +
              `set '.properties.${name}' to provide a value manually`,
          );
        }
      }
      const own = objectMember(sealed, "/properties/secrets");
      const secrets: JsonObject = { ...own };
      for (const name of type.secrets) {
        const value = givenSecrets[name];
        if (isGiven(own[name]) || value === undefined || value === null) {
          continue;
        }
        if (typeof value === "string") {
          secrets[name] = value;
        } else {
          problems.push(wrongType("secret", name, value));
        }
      }
      if (problems.length > 0) {
        throw validationFailed(problems);
      }
      const known = knownValues(type, values, { "/properties/secrets": secrets });
      return { properties: known.values, values: known.values, secretValues: known.secretValues };
    },
  };
}

/** `undefined` for a value of another type. Numbers lose their fraction, as upstream has it. */
function convert(name: string, value: JsonValue): JsonValue | undefined {
  const type = goTypes[name];
  switch (type) {
    case "int32":
      return typeof value === "number" ? Math.trunc(value) : undefined;
    case "bool":
      return typeof value === "boolean" ? value : undefined;
    case undefined:
      return typeof value === "string" ? value : undefined;
    default:
      return type satisfies never;
  }
}

function wrongType(what: "value" | "secret", name: string, value: JsonValue): string {
  const expected = (what === "value" ? goTypes[name] : undefined) ?? "string";
  return `the connection ${what} "${name}" provided by the recipe is expected to be a ${expected}, got ${kindOf(value)}`;
}
