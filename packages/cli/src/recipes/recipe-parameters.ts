import type { JsonObject } from "@rad/core";
import { isJsonObject } from "@rad/core/json";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";

/** The values of `-p`, later ones over earlier ones; inline values are text. @throws CliError */
export async function readRecipeParameters(context: CommandContext, args: readonly string[]): Promise<JsonObject> {
  if (args.length === 0) {
    return {};
  }
  const { readParameters } = await import("../deploy/parameters/read-parameters.ts");
  const { sources } = await readParameters(context, args, undefined);
  let values: JsonObject = {};
  for (const source of sources) {
    switch (source.kind) {
      case "texts":
        values = { ...values, ...source.texts };
        break;
      case "values":
        values = { ...values, ...source.values };
        break;
      case "entries":
        values = { ...values, ...valuesOf(source.entries) };
        break;
      default:
        source satisfies never;
    }
  }
  return values;
}

function valuesOf(entries: Readonly<JsonObject>): JsonObject {
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => {
      if (!isJsonObject(entry) || entry["value"] === undefined) {
        throw new CliError(
          "InvalidParameter",
          `The parameter "${name}" of a recipe needs a value; references to a key vault are for deployments.`,
        );
      }
      return [name, entry["value"]];
    }),
  );
}
