import path from "node:path";
import type { Import } from "./import-graph.ts";

/** Packages from the bottom to the top: each imports only packages of earlier rows. */
const rows: readonly (readonly string[])[] = [
  ["core"],
  ["resource-types", "templates"],
  ["bicep", "store"],
  ["artifacts", "operations"],
  ["kubernetes", "resources"],
  ["deployments", "radius-types", "terraform"],
  ["recipes"],
  ["modules", "client"],
  ["control-plane"],
  ["cli"],
];

/** Programs meet over HTTP. `rad server` loads the control plane, and only then. */
const lazily = [{ from: "cli", to: "control-plane" }];

const rowOf = new Map(rows.flatMap((names, row) => names.map((name) => [name, row] as const)));

/** What is wrong with the direction of imports between packages. */
export function packageProblems(imports: readonly Import[]): string[] {
  const problems = new Set<string>();
  for (const { file, specifier, isLazy } of imports) {
    const from = packageOf(file);
    const to = /^@rad\/([\w-]+)/.exec(specifier)?.[1];
    if (to === undefined || from === to) {
      continue;
    }
    const [lower, upper] = [rowOf.get(to), rowOf.get(from)];
    if (lower === undefined || upper === undefined) {
      problems.add(`${file}: '${lower === undefined ? to : from}' has no row in scripts/imports/import-rules.ts.`);
    } else if (lower >= upper) {
      problems.add(`${file}: '${from}' must not import '${to}', which is not below it.`);
    } else if (!isLazy && lazily.some((rule) => rule.from === from && rule.to === to)) {
      problems.add(`${file}: '${from}' may import '${to}' only for types or with import().`);
    }
  }
  return [...problems];
}

/** Folders of one package that import one another, directly or through others. Files beside the folders may see all. */
export function folderProblems(imports: readonly Import[]): string[] {
  const edges = new Map<string, Map<string, string>>();
  for (const { file, specifier } of imports) {
    const from = folderOf(file);
    const to = specifier.startsWith(".") ? folderOf(path.posix.join(path.posix.dirname(file), specifier)) : undefined;
    if (from !== undefined && to !== undefined && from !== to) {
      const targets = edges.get(from) ?? new Map<string, string>();
      edges.set(from, targets.set(to, targets.get(to) ?? file));
    }
  }
  return [...edges.keys()].flatMap((start) => {
    const circle = shortestCircle(edges, start);
    // Each circle is told once, by its first folder.
    if (circle === undefined || circle.some((folder) => folder < start)) {
      return [];
    }
    const places = circle.map((folder, index) => edges.get(folder)?.get(circle[index + 1] ?? start) ?? "");
    return [`${[...circle, start].join(" → ")} (${places.join(", ")})`];
  });
}

function shortestCircle(edges: ReadonlyMap<string, ReadonlyMap<string, string>>, start: string): string[] | undefined {
  const paths: string[][] = [[start]];
  const seen = new Set<string>();
  for (const walked of paths) {
    for (const next of edges.get(walked.at(-1) ?? "")?.keys() ?? []) {
      if (next === start) {
        return walked;
      }
      if (!seen.has(next)) {
        seen.add(next);
        paths.push([...walked, next]);
      }
    }
  }
  return undefined;
}

function packageOf(file: string): string {
  return file.split("/")[1] ?? "";
}

/** `packages/store/src/sqlite`, or nothing for a file right in `src`. */
function folderOf(file: string): string | undefined {
  const parts = file.split("/");
  return parts.length > 4 ? parts.slice(0, 4).join("/") : undefined;
}
