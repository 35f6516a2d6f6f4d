import { readdir } from "node:fs/promises";
import path from "node:path";
import { confinedPath } from "./confined-path.ts";
import type { ModuleDiagnostic } from "./module-contents.ts";
import { ModuleError } from "./module-error.ts";
import { readBounded } from "./read-bounded.ts";

export interface ModuleFile {
  readonly name: string;
  readonly text: string;
  readonly isJson: boolean;
  /** Its blocks change those of other files. */
  readonly isOverride: boolean;
}

export interface ModuleFiles {
  /** Override files come last; otherwise in the order of their names. */
  readonly files: readonly ModuleFile[];
  readonly diagnostics: readonly ModuleDiagnostic[];
}

const maxFiles = 1_000;
const maxFileBytes = 1 << 20;
const maxBytes = 8 << 20;

/**
 * Reads the files of a folder that Terraform takes for configuration.
 * @param within the folder that links must not leave
 */
export async function readModuleFiles(folder: string, within: string): Promise<ModuleFiles> {
  const names = await configurationNames(folder);
  if (names.length > maxFiles) {
    throw new ModuleError("ModuleTooLarge", `The module has more than ${maxFiles} files.`);
  }
  const files: ModuleFile[] = [];
  const diagnostics: ModuleDiagnostic[] = [];
  let bytes = 0;
  for (const name of names) {
    const content = await readFileOf(folder, within, name);
    if (typeof content === "string") {
      diagnostics.push({ file: name, message: content });
      continue;
    }
    bytes += content.byteLength;
    if (bytes > maxBytes) {
      throw new ModuleError("ModuleTooLarge", `The files of the module have more than ${maxBytes >> 20} MiB.`);
    }
    const text = content.toString("utf8");
    files.push({ name, text, isJson: name.endsWith(".json"), isOverride: isOverride(name) });
  }
  return {
    files: [...files.filter((file) => !file.isOverride), ...files.filter((file) => file.isOverride)],
    diagnostics,
  };
}

async function configurationNames(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => name)
      .filter((name) => /\.tf(?:\.json)?$/u.test(name) && !isIgnored(name))
      .sort();
  } catch (error) {
    throw new ModuleError("ModuleNotFound", "The folder of the module cannot be read.", { cause: error });
  }
}

/** Hidden files, and what editors leave behind. */
function isIgnored(name: string): boolean {
  return name.startsWith(".") || name.endsWith("~") || (name.startsWith("#") && name.endsWith("#"));
}

function isOverride(name: string): boolean {
  return /(?:^|_)override\.tf(?:\.json)?$/u.test(name);
}

/** The content, or why there is none. */
async function readFileOf(folder: string, within: string, name: string): Promise<Buffer | string> {
  const real = await confinedPath(within, path.join(folder, name));
  if (real === undefined) {
    return "The link leads nowhere.";
  }
  try {
    return (await readBounded(real, maxFileBytes)) ?? "This is not a file.";
  } catch (error) {
    if (error instanceof ModuleError) {
      throw error;
    }
    return "The file cannot be read."; // a socket, or no right to read it; the error would tell where the module lies
  }
}
