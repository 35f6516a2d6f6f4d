import type { Client, ResourceBody } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core/json";
import type { CommandContext } from "../command-context.ts";
import { mustFind } from "../families/family-resource.ts";
import { naturalOrder } from "../output/natural-order.ts";
import { printWarnings } from "../output/print-warnings.ts";
import { resourceColumns } from "../output/resource-columns.ts";
import type { Column } from "../output/table-layout.ts";
import { withoutCredentials } from "@rad/core/without-credentials";
import type { EnvironmentOptions } from "./find-environment.ts";
import { namedEnvironment } from "./find-environment.ts";
import { packsOfEnvironment } from "./recipe-packs.ts";

/** One of `Radius.Core` with its providers and the recipes of its packs; in JSON as the API has it. */
export async function showEnvironment(
  context: CommandContext,
  given: string | undefined,
  options: EnvironmentOptions,
): Promise<void> {
  const { output } = context;
  const workspace = await context.workspace();
  const wanted = await namedEnvironment(context, workspace, given, options);
  const client = await context.client(workspace);
  const { resource, namespace, warnings } = await mustFind(client, wanted, workspace.name);
  printWarnings(output, warnings);
  if (output.format === "json") {
    output.json(resource);
    return;
  }
  await output.table(resourceColumns, [resource]);
  if (namespace === "Radius.Core") {
    await section(context, providerColumns, providersOf(resource));
    await section(context, recipeColumns, await recipesOf(context, client, resource));
  }
}

async function section<Row>({ output }: CommandContext, columns: readonly Column<Row>[], rows: readonly Row[]) {
  if (rows.length > 0) {
    output.write("\n");
    await output.table(columns, rows);
  }
}

interface ProviderRow {
  readonly name: string;
  readonly properties: string;
}

const providerColumns: readonly Column<ProviderRow>[] = [
  { heading: "PROVIDER", value: ({ name }) => name },
  { heading: "PROPERTIES", value: ({ properties }) => properties },
];

function providersOf(environment: ResourceBody): ProviderRow[] {
  const providers = objectMember(objectMember(environment, "properties"), "providers");
  return Object.entries(providers)
    .flatMap(([name, provider]) => (isJsonObject(provider) ? [{ name, properties: texts(provider) }] : []))
    .sort((a, b) => naturalOrder(a.name, b.name));
}

/** `subscriptionId: '…', resourceGroupName: '…'`. */
function texts(provider: JsonObject): string {
  return Object.entries(provider)
    .flatMap(([key, value]) => (typeof value === "string" ? [`${key}: '${value}'`] : []))
    .join(", ");
}

interface RecipeRow {
  readonly pack: string;
  readonly type: string;
  readonly kind: string;
  readonly source: string;
}

const recipeColumns: readonly Column<RecipeRow>[] = [
  { heading: "RECIPE PACK", value: ({ pack }) => pack },
  { heading: "RESOURCE TYPE", value: ({ type }) => type },
  { heading: "RECIPE KIND", value: ({ kind }) => kind },
  { heading: "RECIPE SOURCE", value: ({ source }) => source },
];

async function recipesOf(context: CommandContext, client: Client, environment: ResourceBody): Promise<RecipeRow[]> {
  const packs = await packsOfEnvironment(context, client, environment);
  return packs.flatMap(recipesIn).sort((a, b) => naturalOrder(a.pack, b.pack) || naturalOrder(a.type, b.type));
}

function recipesIn(pack: ResourceBody): RecipeRow[] {
  const recipes = objectMember(objectMember(pack, "properties"), "recipes");
  return Object.entries(recipes).flatMap(([type, recipe]) => {
    const { kind, source } = isJsonObject(recipe) ? recipe : {};
    return [{ pack: pack.name, type, kind: textOf(kind), source: withoutCredentials(textOf(source)) }];
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
