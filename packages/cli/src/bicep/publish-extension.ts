import type { Manifest } from "@rad/resource-types";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { readManifest } from "../resources/read-manifest.ts";
import { packagePath, writePackage } from "./type-package-file.ts";
import type { PackageTarget } from "./type-package-file.ts";

export interface PublishExtensionOptions extends PackageTarget {
  readonly fromFile?: string;
}

/** Makes the type package of a manifest, for `extensions` in `bicepconfig.json`. */
export async function publishExtension(
  context: CommandContext,
  argument: string | undefined,
  options: PublishExtensionOptions,
): Promise<void> {
  const file = argument ?? options.fromFile;
  if (file === undefined || (argument !== undefined && options.fromFile !== undefined)) {
    throw new CliError("InvalidUsage", "Name one manifest, as in `rad bicep publish-extension -f types.yaml`.");
  }
  const path = packagePath(context.host, options);
  const manifest = await readManifest(context.host, file);
  const { createManifestPackage } = await import("@rad/resource-types/bicep");
  const { SchemaError } = await import("@rad/resource-types");
  try {
    await writePackage(path, createManifestPackage([manifest]));
  } catch (error) {
    throw error instanceof SchemaError ? new CliError("InvalidManifest", `${file}: ${error.message}`) : error;
  }
  const types = typeNames(manifest);
  context.output.done(`${options.target} written: ${types.join(", ")}`, { target: path, types });
  const name = manifest.namespace.replaceAll(".", "");
  const alias = name.slice(0, 1).toLowerCase() + name.slice(1);
  const setting = JSON.stringify({ extensions: { [alias]: options.target } });
  context.output.note(
    `To use it, write ${setting} into bicepconfig.json and \`extension ${alias}\` into the Bicep file.`,
  );
}

function typeNames({ namespace, types }: Manifest): string[] {
  return types.flatMap(({ name, apiVersions }) => apiVersions.map((version) => `${namespace}/${name}@${version.name}`));
}
