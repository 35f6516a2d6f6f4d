import { atOnce, isJsonObject, objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { compileSchema } from "@rad/resource-types";
import type { RecipeType } from "./recipe-type.ts";
import { validationFailed } from "./validation-failed.ts";

/** Members that mean the same in every type, so no recipe sets them. */
const reserved: ReadonlySet<string> = new Set([
  "application",
  "environment",
  "status",
  "connections",
  "codeReference",
  "secrets",
  "recipe",
  "provisioningState",
]);

/**
 * A type that only its schema describes: values become the properties that the schema has; those that it marks as sensitive
 * are sealed wherever they are stored. Secrets are never stored with the resource; where the schema has a block `secrets`,
 * they go to a resource of their own, and otherwise nowhere.
 */
export function schemaRecipe({ isRendered }: Pick<RecipeType, "isRendered">): RecipeType {
  return {
    isRendered,
    showsStatus: true,
    outcome({ values, secrets }, { schema }) {
      const declared = objectMember(schema, "properties");
      const known = Object.entries(values).filter(([name]) => Object.hasOwn(declared, name) && !reserved.has(name));
      const problems = known.flatMap(([name, value]) => problemsOf(name, declared[name] ?? {}, value));
      if (problems.length > 0) {
        throw validationFailed(problems);
      }
      const sensitive = known.filter(([name, value]) => isSensitive(name, declared[name] ?? {}, value));
      const hidden = new Set(sensitive.map(([name]) => name));
      const hasSecrets = isJsonObject(declared["secrets"]) && isObjectSchema(declared["secrets"]);
      return {
        properties: Object.fromEntries(known),
        values: Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.has(name))),
        secretValues: texts(Object.fromEntries(sensitive)),
        ...(hasSecrets ? { managedSecrets: texts(secrets) } : {}),
      };
    },
  };
}

function problemsOf(name: string, schema: JsonValue, value: JsonValue): string[] {
  const { readOnly: _readOnly, ...settable } = isJsonObject(schema) ? schema : {};
  const wanted = compileSchema({ type: "object", properties: { [name]: settable } });
  return atOnce(wanted.validate({ [name]: value })).map(
    ({ message }) => `the value "${name}" provided by the recipe does not fit the schema of the type: it ${message}`,
  );
}

/** Whether the value, or a part of it, is sealed in the properties. */
function isSensitive(name: string, schema: JsonValue, value: JsonValue): boolean {
  const compiled = compileSchema({ type: "object", properties: { [name]: schema } });
  return Object.keys(atOnce(compiled.splitSecrets({ [name]: value })).secrets).length > 0;
}

function isObjectSchema({ type, properties }: JsonObject): boolean {
  return type === "object" || isJsonObject(properties);
}

/** Values that are not texts are stored as JSON; `null` is no value. */
function texts(secrets: Readonly<Record<string, JsonValue>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(secrets)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}
