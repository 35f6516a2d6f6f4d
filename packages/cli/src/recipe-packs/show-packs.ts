import type { ResourceBody } from "@rad/client";
import { radiusPlane } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core/json";
import { ResourceId } from "@rad/core/resource-id";
import { familyVersion } from "@rad/radius-types/families";
import type { CommandContext } from "../command-context.ts";
import { packType } from "../environments/recipe-packs.ts";
import { naturalOrder } from "../output/natural-order.ts";
import { printable, printableLine } from "../output/printable.ts";
import type { Column } from "../output/table-layout.ts";
import { withoutCredentials } from "@rad/core/without-credentials";
import { checkGroupName, explainMissingGroup, groupId } from "../scope.ts";
import type { PackOptions } from "./find-pack.ts";
import { mustFindPack, namedPack } from "./find-pack.ts";

const packColumns: readonly Column<ResourceBody>[] = [
  { heading: "RECIPE PACK", value: ({ name }) => name },
  { heading: "GROUP", value: ({ id }) => ResourceId.tryParse(id)?.resourceGroup },
];

/** Those of a group, or of all groups. */
export async function listPacks(context: CommandContext, options: PackOptions): Promise<void> {
  const { output } = context;
  const group = options.group === undefined ? undefined : await checkGroupName(options.group);
  const collection = `${group === undefined ? radiusPlane : groupId(group)}/providers/${packType}`;
  const packs = await (
    await context.client()
  ).resources
    .list(collection, { apiVersion: familyVersion(collection) })
    .catch((error: unknown) => {
      throw group === undefined ? error : explainMissingGroup(error, group);
    });
  if (output.format === "json") {
    output.json(packs.map(withHiddenSources));
  } else {
    await output.table(packColumns, packs);
  }
}

export async function showPack(context: CommandContext, name: string, options: PackOptions): Promise<void> {
  const { output } = context;
  const pack = await mustFindPack(await namedPack(context, name, options));
  if (output.format === "json") {
    output.json(withHiddenSources(pack));
    return;
  }
  await output.table(packColumns, [pack]);
  output.write(`\n${await recipesText(pack)}`);
}

/** The recipes one below the other, by type. */
async function recipesText(pack: ResourceBody): Promise<string> {
  const recipes = Object.entries(objectMember(objectMember(pack, "properties"), "recipes")).sort(([a], [b]) =>
    naturalOrder(a, b),
  );
  if (recipes.length === 0) {
    return "RECIPES: none\n";
  }
  const blocks: string[] = [];
  for (const [type, recipe] of recipes) {
    const { kind, source, parameters } = isJsonObject(recipe) ? recipe : {};
    const lines = [type, `   Kind: ${textOf(kind)}`, `   Source: ${withoutCredentials(textOf(source))}`];
    blocks.push(`${lines.map(printableLine).join("\n")}\n${await parametersText(parameters)}`);
  }
  return `RECIPES:\n${blocks.join("\n")}`;
}

async function parametersText(parameters: unknown): Promise<string> {
  if (!isJsonObject(parameters) || Object.keys(parameters).length === 0) {
    return "";
  }
  const { stringify } = await import("yaml");
  const lines = printable(stringify(parameters)).trimEnd().split("\n");
  return `   Parameters:\n${lines.map((line) => `      ${line}\n`).join("")}`;
}

/** A pack for printing: a source may carry a token. */
function withHiddenSources(pack: ResourceBody): ResourceBody {
  const properties = objectMember(pack, "properties");
  const recipes = Object.entries(objectMember(properties, "recipes")).map(([type, recipe]): [string, unknown] => [
    type,
    isJsonObject(recipe) && typeof recipe["source"] === "string"
      ? { ...recipe, source: withoutCredentials(recipe["source"]) }
      : recipe,
  ]);
  return { ...pack, properties: { ...properties, recipes: Object.fromEntries(recipes) as JsonObject } };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
