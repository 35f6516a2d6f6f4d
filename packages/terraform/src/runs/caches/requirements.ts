import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject } from "@rad/core";

/**
 * Stands for what a configuration requires of providers: the configuration files of its modules, and of the root what
 * concerns providers. Parameters, which differ from run to run, are not part of it.
 */
export async function requirementsOf(work: string): Promise<string> {
  const hash = createHash("sha256");
  const modules = join(work, ".terraform", "modules");
  const entries = await readdir(modules, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile() && /\.(?:tf|tofu)(?:\.json)?$/u.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) {
    hash.update(JSON.stringify([file.slice(modules.length), await readFile(file, "utf8")]));
  }
  hash.update(JSON.stringify(await rootRequirements(work)));
  return hash.digest("hex").slice(0, 40);
}

async function rootRequirements(work: string): Promise<unknown> {
  try {
    const main: unknown = JSON.parse(await readFile(join(work, "main.tf.json"), "utf8"));
    if (!isJsonObject(main)) {
      return [];
    }
    const { terraform, provider, module, resource, data } = main;
    const required = isJsonObject(terraform) ? [terraform["required_providers"], terraform["required_version"]] : [];
    const types = [provider, resource, data].map((block) => (isJsonObject(block) ? Object.keys(block).sort() : []));
    return [required, types, isJsonObject(module) ? Object.keys(module) : []];
  } catch {
    return [];
  }
}
