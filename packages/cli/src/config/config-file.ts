import type { ConfigEdit } from "./edit-config.ts";
import { readPlainMapping } from "./plain-mapping.ts";
import type { RadConfig } from "./read-workspaces.ts";
import { inFile, readConfig, readWorkspaces } from "./read-workspaces.ts";

/** A missing file is an empty configuration. */
export async function loadConfig(path: string): Promise<RadConfig> {
  const text = readConfig(path);
  const plain = text === "" ? {} : readPlainMapping(text);
  if (plain !== undefined) {
    return inFile(path, () => readWorkspaces(plain));
  }
  const { parseYaml } = await import("./edit-config.ts");
  return inFile(path, () => readWorkspaces(parseYaml(text)));
}

/**
 * Edits the file while no other `rad` does. What is not about the edited workspace stays as it was: comments, order,
 * and other top-level keys.
 */
export async function updateConfig<T>(path: string, edit: (config: ConfigEdit) => T | Promise<T>): Promise<T> {
  return (await import("./edit-config.ts")).editConfig(path, edit);
}
