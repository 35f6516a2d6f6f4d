import type { Configuration } from "./configuration.ts";
import { extensionOf, folderOf, resolvePath } from "./paths.ts";

const armExtensions = new Set([".json", ".jsonc", ".arm"]);

/** Whether a path names an ARM template by its ending; everything else is taken for Bicep. */
export function isArmFile(path: string): boolean {
  return armExtensions.has(extensionOf(path));
}

/** The folder for restored artifacts that a configuration asks for. */
export function cacheRootOf(configuration: Configuration): string | undefined {
  const { cacheRootDirectory, path } = configuration;
  return cacheRootDirectory === undefined ? undefined : resolvePath(folderOf(path ?? "/"), cacheRootDirectory);
}
