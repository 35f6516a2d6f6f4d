// npm run conformance:types -- <folder> [--types MODULE]
//
// Compares the types of `extension radius` with a Bicep type package in a folder, such as the one that upstream
// publishes, member by member: missing types and members, differing kinds and flags. MODULE exports `builtInTypes`.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { createRadiusPackage } from "../../packages/resource-types/src/bicep/index.ts";
import type { PackageType } from "../../packages/resource-types/src/bicep/index.ts";
import { compareTypePackages } from "./compare-types.ts";

const usage = "Usage: npm run conformance:types -- <folder> [--types MODULE]";
const defaultModule = "packages/radius-types/src/index.ts";

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { types: { type: "string", default: defaultModule } },
  });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) {
    throw new Error(usage);
  }
  const { builtInTypes } = (await import(pathToFileURL(resolve(values.types)).href)) as {
    builtInTypes: readonly PackageType[];
  };
  const differences = compareTypePackages(documentsIn(folder), createRadiusPackage(builtInTypes).document);
  process.stdout.write(differences.map((line) => `${line}\n`).join(""));
  process.stdout.write(`${builtInTypes.length} types, ${differences.length} differences\n`);
  return differences.length === 0 ? 0 : 1;
}

function documentsIn(folder: string): (path: string) => unknown {
  const known = new Map<string, unknown>();
  return (path) => {
    if (!known.has(path)) {
      known.set(path, JSON.parse(readFileSync(join(folder, path), "utf8")));
    }
    return known.get(path);
  };
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 2;
});
