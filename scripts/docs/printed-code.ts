import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

const root = path.join(import.meta.dirname, "..", "..");

export interface PrintedCode extends AsyncDisposable {
  /** Errors of the type checker; empty when there are none. */
  typeErrors(): string;
  /** @param file as the first line of its code block names it. */
  import(file: string): Promise<unknown>;
}

/**
 * The TypeScript of a page, as printed, in a copy of the repository's folders that is removed afterwards. The first
 * line of each block names its file; files that the repository has beside them are there too.
 */
export async function writePrintedCode(page: string): Promise<PrintedCode> {
  const cache = path.join(root, ".cache");
  await mkdir(cache, { recursive: true });
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(cache, "printed-"));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  for (const { file, code } of blocksOf(await readFile(path.join(root, page), "utf8"))) {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, code);
  }
  await linkNeighbours(folder);
  const config = path.join(folder, "tsconfig.json");
  const compilerOptions = { tsBuildInfoFile: "./tsc.tsbuildinfo" };
  await writeFile(config, JSON.stringify({ extends: "../../tsconfig.json", compilerOptions, include: ["packages"] }));
  const stack = cleanup.move();
  return {
    typeErrors: () => spawnSync("tsc", ["--project", config], { encoding: "utf8" }).stdout,
    import: (file) => import(pathToFileURL(path.join(folder, file)).href),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

interface Block {
  readonly file: string;
  readonly code: string;
}

function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => {
    const file = /^\/\/ (packages\/\S+\.ts)$/m.exec(code.slice(0, code.indexOf("\n")))?.[1];
    if (file === undefined) {
      throw new Error(`The first line of a code block does not name its file: ${code.slice(0, 80)}`);
    }
    return { file, code };
  });
}

/** Completes the sources of packages to which the page adds files, so that relative imports resolve. */
async function linkNeighbours(folder: string): Promise<void> {
  for (const name of readdirSync(path.join(folder, "packages"))) {
    const source = path.join(root, "packages", name, "src");
    const copy = path.join(folder, "packages", name, "src");
    const printed = new Set(readdirSync(copy));
    const entries = existsSync(source) ? readdirSync(source) : []; // the page may add a package
    for (const entry of entries.filter((entry) => !printed.has(entry))) {
      await symlink(path.join(source, entry), path.join(copy, entry));
    }
  }
}
