import type { MirroredBinary, MirroredModule, MirroredProvider } from "@rad/client";
import { ReportedFailure } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { showingRecipes } from "../deploy/plan-view.ts";
import type { EnvironmentOptions } from "../environments/find-environment.ts";
import { printableLine } from "../output/printable.ts";
import type { Column } from "../output/table-layout.ts";
import { findRecipeEnvironment } from "../recipes/find-recipe-environment.ts";

export interface MirrorListOptions extends EnvironmentOptions {
  readonly platform?: readonly string[];
}

const binaryColumns: readonly Column<MirroredBinary>[] = [
  { heading: "BINARY", value: ({ product, version }) => `${product} ${version}` },
  { heading: "PLATFORM", value: ({ platform }) => platform },
  { heading: "URL", value: ({ url, error }) => url ?? error },
  { heading: "SHA256", value: ({ sha256 }) => sha256 },
];

const providerColumns: readonly Column<ProviderPackage>[] = [
  { heading: "PROVIDER", value: ({ address }) => address },
  { heading: "VERSION", value: ({ version }) => version },
  { heading: "PLATFORM", value: ({ platform }) => platform },
  { heading: "HASH", value: ({ hash }) => hash },
];

const moduleColumns: readonly Column<MirroredModule>[] = [
  { heading: "MODULE", value: ({ source }) => source },
  { heading: "VERSION", value: ({ version, commit }) => version ?? commit },
  { heading: "RECIPES", value: ({ recipes }) => recipes.join(", ") },
];

interface ProviderPackage extends Pick<MirroredProvider, "address" | "version"> {
  readonly platform: string;
  readonly hash: string;
}

/** What has to be in mirrors for the recipes of an environment to run without the rest of the world. */
export async function showMirrorList(context: CommandContext, options: MirrorListOptions): Promise<void> {
  const { output } = context;
  const { client, environment } = await findRecipeEnvironment(context, options);
  const platforms = options.platform ?? [];
  const list = await showingRecipes(context, "Getting modules and providers...", (onRecipe) =>
    client.recipes.mirrorList(environment.id, { platforms, onRecipe }),
  );
  if (output.format === "json") {
    output.json(list.body);
  } else {
    await output.table(binaryColumns, list.binaries);
    output.write("\n");
    await output.table(providerColumns, list.providers.flatMap(packagesOf));
    output.write("\n");
    await output.table(moduleColumns, list.modules);
  }
  const missing = list.binaries.flatMap(({ platform, error }) =>
    error === undefined ? [] : [`${platform}: ${error}`],
  );
  const failed = list.errors.map(({ code, message, recipes }) => `${recipes.join(", ")}: ${code}: ${message}`);
  for (const line of [...missing, ...failed]) {
    context.host.stderr.write(`Error: ${printableLine(line)}\n`);
  }
  if (missing.length + failed.length > 0) {
    throw new ReportedFailure("The list is not complete.");
  }
}

/** A row for each hash: they are long, and those who compare want them one by one. */
function packagesOf({ address, version, packages }: MirroredProvider): ProviderPackage[] {
  return packages.flatMap(({ platform, hashes }) => hashes.map((hash) => ({ address, version, platform, hash })));
}
