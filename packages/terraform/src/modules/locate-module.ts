import { isJsonObject } from "@rad/core";
import { confinedPath } from "./confined-path.ts";
import { ModuleError } from "./module-error.ts";
import { readBounded } from "./read-bounded.ts";

export interface LocatedModule {
  /** Has the files of the module. */
  readonly folder: string;
  /** What was downloaded: the folder itself, or one above it when the source names a sub-folder. */
  readonly within: string;
}

const manifest = ".terraform/modules/modules.json";
const maxManifestBytes = 4 << 20;

/**
 * Where `terraform get` put a module, by the key of its block in the root module.
 * @throws ModuleError `ModuleNotFound`, or `ModuleOutsideFolder` when the record leads out of the working folder
 */
export async function locateModule(workingFolder: string, key: string): Promise<LocatedModule> {
  const file = await confinedPath(workingFolder, manifest);
  const content = file === undefined ? undefined : await readBounded(file, maxManifestBytes);
  if (content === undefined) {
    throw new ModuleError("ModuleNotFound", "Terraform has downloaded no modules.");
  }
  const relative = folderIn(content.toString("utf8"), key);
  const folder = relative === undefined ? undefined : await confinedPath(workingFolder, relative);
  if (relative === undefined || folder === undefined) {
    throw new ModuleError("ModuleNotFound", `Terraform has downloaded no module '${key}'.`);
  }
  const download = await confinedPath(workingFolder, `.terraform/modules/${key}`);
  return { folder, within: download !== undefined && isWithin(download, folder) ? download : folder };
}

function folderIn(text: string, key: string): string | undefined {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new ModuleError("ModuleUnreadable", `'${manifest}' is not JSON.`, { cause: error });
  }
  const modules = isJsonObject(document) ? document["Modules"] : undefined;
  const records = Array.isArray(modules) ? modules.filter(isJsonObject) : [];
  const folder = records.find((record) => record["Key"] === key)?.["Dir"];
  return typeof folder === "string" && folder !== "" ? folder : undefined;
}

function isWithin(folder: string, file: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}
