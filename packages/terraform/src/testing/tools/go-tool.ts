import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { buildGoTool, cachedTool } from "@rad/kubernetes/testing/tools";

export interface OwnGoTool {
  /** Of its folder below `tools/`, and of what is built. */
  readonly folder: string;
  /** What is built, for whoever waits. */
  readonly what: string;
  /** What it takes when nothing is cached: `about 1 minute on two idle cores`. */
  readonly cost: string;
  /** How many packages there are to compile, at most. */
  readonly packages: number;
  /** What to build; the folder's own program if left out. */
  readonly main?: string;
  readonly linkerFlags?: string;
}

const tools = path.join(import.meta.dirname, "..", "..", "..", "..", "..", "tools");

/** The path of a program of `tools/`, built when the cache has none of exactly these sources. */
export async function ownGoTool(tool: OwnGoTool): Promise<string> {
  const { what, cost, packages, main = ".", linkerFlags = "" } = tool;
  const folder = path.join(tools, tool.folder);
  const sources = await readSources(folder);
  const args = ["-trimpath", "-ldflags", `-s -w ${linkerFlags}`.trim(), main];
  const key = hash("sha256", JSON.stringify([process.platform, process.arch, args, sources])).slice(0, 16);
  const name = tool.folder.replaceAll("/", "-");
  const cached = await cachedTool({
    name: `${name}-${key}`,
    make: async (into, report) => {
      await buildGoTool(path.join(into, name), { what, cost, packages, folder, args }, report);
    },
  });
  return path.join(cached, name);
}

/** In a stable order. */
async function readSources(folder: string): Promise<(readonly [string, string])[]> {
  const names = (await readdir(folder)).filter((file) => /\.(?:go|mod|sum)$/u.test(file)).sort();
  return await Promise.all(names.map(async (file) => [file, await readFile(path.join(folder, file), "utf8")] as const));
}
