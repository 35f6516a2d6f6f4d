import { realpath } from "node:fs/promises";
import path from "node:path";
import { ModuleError } from "./module-error.ts";

/**
 * Where a path leads when all links are followed.
 * @returns `undefined` where nothing is there
 * @throws ModuleError `ModuleOutsideFolder` when that is not within `folder`
 */
export async function confinedPath(folder: string, relative: string): Promise<string | undefined> {
  const [real, root] = await Promise.all([realpathIfAny(path.resolve(folder, relative)), realpathIfAny(folder)]);
  if (real === undefined || root === undefined) {
    return undefined;
  }
  const way = path.relative(root, real);
  if (way === ".." || way.startsWith(`..${path.sep}`) || path.isAbsolute(way)) {
    throw new ModuleError("ModuleOutsideFolder", `'${path.basename(relative)}' leads out of the folder of the module.`);
  }
  return real;
}

async function realpathIfAny(file: string): Promise<string | undefined> {
  try {
    return await realpath(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTDIR", "ELOOP"].includes(String(error.code))) {
      return undefined;
    }
    throw error;
  }
}
