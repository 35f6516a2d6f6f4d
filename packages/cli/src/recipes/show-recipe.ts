import type { JsonValue } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core/json";
import { ClientError } from "@rad/client";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { naturalOrder } from "../output/natural-order.ts";
import type { Column } from "../output/table-layout.ts";
import type { RecipeOptions } from "./find-recipe-environment.ts";
import { findRecipeEnvironment, fullTypeName } from "./find-recipe-environment.ts";
import { recipeColumns, toEntry } from "./recipe-entry.ts";

interface RecipeParameter {
  readonly name: string;
  readonly type?: JsonValue | undefined;
  readonly defaultValue?: JsonValue | undefined;
  /** What the environment sets. */
  readonly value?: JsonValue | undefined;
  readonly minValue?: JsonValue | undefined;
  readonly maxValue?: JsonValue | undefined;
}

const parameterColumns: readonly Column<RecipeParameter>[] = [
  { heading: "PARAMETER", value: ({ name }) => name },
  { heading: "TYPE", value: ({ type }) => cell(type) },
  { heading: "DEFAULT VALUE", value: ({ defaultValue }) => cell(defaultValue) },
  { heading: "VALUE", value: ({ value }) => cell(value) },
  { heading: "MIN", value: ({ minValue }) => cell(minValue) },
  { heading: "MAX", value: ({ maxValue }) => cell(maxValue) },
];

/** A recipe with the parameters of its template, which the control plane reads for this. */
export async function showRecipe(context: CommandContext, name: string, options: RecipeOptions): Promise<void> {
  const { output } = context;
  const { client, environment } = await findRecipeEnvironment(context, options);
  const { id, apiVersion, resource } = environment;
  const recipes = objectMember(objectMember(resource, "properties"), "recipes");
  const type = await fullTypeName(client, options.resourceType, Object.keys(recipes));
  const answer = await client.resources
    .action(id, "getMetadata", { name, resourceType: type }, { apiVersion })
    .catch((error: unknown) => {
      throw error instanceof ClientError && error.isNotFound
        ? new CliError(
            "RecipeNotFound",
            `The environment "${environment.name}" has no recipe "${name}" for the type "${type}". Run \`rad recipe list\` to see those there are.`,
            { cause: error },
          )
        : error;
    });
  const recipe = isJsonObject(answer) ? answer : {};
  const entry = toEntry(name, type, recipe);
  const parameters = parametersOf(objectMember(recipe, "parameters"));
  if (output.format === "json") {
    output.json({ ...entry, parameters });
    return;
  }
  await output.table(recipeColumns, [entry]);
  output.write("\n");
  if (parameters.length === 0) {
    output.result("The recipe has no parameters.");
  } else {
    await output.table(parameterColumns, parameters);
  }
}

/** From Z to A, as upstream's `rad` prints them. */
function parametersOf(parameters: Readonly<Record<string, JsonValue>>): RecipeParameter[] {
  return Object.entries(parameters)
    .map(([name, details]) => ({ name, ...(isJsonObject(details) ? details : {}) }))
    .sort((a, b) => naturalOrder(b.name, a.name));
}

function cell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) {
    return "-";
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}
