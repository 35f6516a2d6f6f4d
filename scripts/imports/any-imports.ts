import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { importsIn } from "./import-graph.ts";

/** Whether one of the files imports `target`, directly or through others of the repository. Paths start at `root`. */
export function anyImports(files: readonly string[], target: string, root = "."): boolean {
  const seen = new Set(files.map((file) => path.normalize(file)));
  for (const current of seen) {
    if (current === path.normalize(target)) {
      return true;
    }
    for (const { specifier } of importsIn(current, readFileSync(path.join(root, current), "utf8"))) {
      const next = resolve(current, specifier, root);
      if (next !== undefined && existsSync(path.join(root, next))) {
        seen.add(next);
      }
    }
  }
  return false;
}

/** Gives nothing for packages of others. */
function resolve(file: string, specifier: string, root: string): string | undefined {
  if (specifier.startsWith(".")) {
    return path.join(path.dirname(file), specifier);
  }
  const [, name, entry] = /^@rad\/([\w-]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name === undefined) {
    return undefined;
  }
  const folder = path.join("packages", name);
  const manifest = path.join(root, folder, "package.json");
  const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { exports: Record<string, string> };
  const exported = exports[entry === undefined ? "." : `./${entry}`];
  return exported === undefined ? undefined : path.join(folder, exported);
}
