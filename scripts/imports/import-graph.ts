import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** One import of a source file; tests and test kits are not sources. */
export interface Import {
  readonly file: string;
  /** What stands between the quotes. */
  readonly specifier: string;
  /** `await import(…)`, or for types only. */
  readonly isLazy: boolean;
}

export interface Source {
  readonly file: string;
  readonly text: string;
}

/** Every source file below `packages`. */
export function readSources(root: string): Source[] {
  return globSync("packages/*/src/**/*.ts", { cwd: root })
    .filter((file) => !file.endsWith(".test.ts") && !/\/(?:testing|tests)\//.test(file))
    .map((file) => ({ file, text: readFileSync(path.join(root, file), "utf8") }));
}

export function importsIn(file: string, text: string): Import[] {
  const found: Import[] = [];
  for (const match of text.matchAll(/^(?:import|export)\s+(type\s)?[^"';]*?from\s+"([^"]+)"/gm)) {
    found.push({ file, specifier: match[2] ?? "", isLazy: match[1] !== undefined });
  }
  for (const match of text.matchAll(/\bimport\("([^"]+)"\)/g)) {
    found.push({ file, specifier: match[1] ?? "", isLazy: true });
  }
  return found;
}
