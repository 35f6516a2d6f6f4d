import { inSlices } from "@rad/core";
import type { Sliced } from "@rad/core";
import type { ModuleContents } from "./module-contents.ts";
import { ModuleError } from "./module-error.ts";
import { readModuleFiles } from "./module-files.ts";
import type { ModuleFile } from "./module-files.ts";
import { ModuleReader } from "./module-reader.ts";
import { parseHcl } from "./parse-hcl.ts";
import type { ParsedHcl } from "./parse-hcl.ts";
import { parseJson } from "./parse-json.ts";

export interface InspectOptions {
  /** The folder that links must not leave: what was downloaded. Without it, the folder of the module. */
  readonly within?: string;
}

/**
 * Reads what a module declares, from its `*.tf` and `*.tf.json` files, as Terraform reads them. Nothing is executed.
 * @throws ModuleError when the folder has no configuration, is too large, or has links that lead out of it
 */
export async function inspectModule(folder: string, options: InspectOptions = {}): Promise<ModuleContents> {
  const { files, diagnostics } = await readModuleFiles(folder, options.within ?? folder);
  if (files.length === 0) {
    throw new ModuleError("ModuleWithoutConfiguration", "The folder of the module has no Terraform configuration.");
  }
  const native = files.filter((file) => !file.isJson);
  const contents = await inSlices(contentsOf(files, await parseHcl(native)));
  return { ...contents, diagnostics: [...diagnostics, ...contents.diagnostics] };
}

/** @param parsed what the files in native syntax have, in their order */
export function* contentsOf(files: readonly ModuleFile[], parsed: readonly ParsedHcl[]): Sliced<ModuleContents> {
  const reader = new ModuleReader();
  const results = parsed.values();
  for (const file of files) {
    const result = file.isJson ? { json: file.text } : (results.next().value ?? { error: "The file was not parsed." });
    const body = "error" in result ? result : yield* parseJson(result.json);
    if ("error" in body) {
      reader.report(file, body.error);
    } else {
      yield* reader.read(file, body.value);
    }
  }
  return reader.contents();
}
