import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { buildGoTool } from "./go.ts";
import { cachedTool } from "./tools-cache.ts";

const name = "kube-test-server";
const sources = path.join(import.meta.dirname, "..", "..", "..", "..", "..", "tools", name);

/** The path of `tools/kube-test-server`, built when the cache has none of exactly these sources. */
export async function buildServer(): Promise<string> {
  const files = await readSources();
  const version = /^require k8s\.io\/kubernetes (v\d+\.\d+\.\d+)$/m.exec(files.get("go.mod") ?? "")?.[1];
  if (version === undefined) {
    throw new Error(`${sources}/go.mod requires no version of k8s.io/kubernetes`);
  }
  const args = ["-trimpath", "-ldflags", linkerFlags(version)];
  const hash = createHash("sha256").update(JSON.stringify([process.platform, process.arch, args, ...files]));
  const tool = {
    what: `${name}, the cluster of the tests`,
    cost: "about 8 minutes on two idle cores",
    packages: 2_500,
    folder: sources,
    args: [...args, "."],
  };
  const folder = await cachedTool({
    name: `${name}-${hash.digest("hex").slice(0, 16)}`,
    make: async (folder, report) => await buildGoTool(path.join(folder, name), tool, report),
  });
  return path.join(folder, name);
}

/** By name, in a stable order. */
async function readSources(): Promise<Map<string, string>> {
  const names = (await readdir(sources)).filter((file) => /\.(?:go|mod|sum)$/.test(file)).sort();
  return new Map(
    await Promise.all(names.map(async (file) => [file, await readFile(path.join(sources, file), "utf8")] as const)),
  );
}

/** Kubernetes learns its version when it is linked; clients decide by it. */
function linkerFlags(version: string): string {
  const [major, minor] = version.slice(1).split(".");
  const values = {
    gitVersion: version,
    gitMajor: major,
    gitMinor: minor,
    gitTreeState: "clean",
    gitCommit: "unknown",
  };
  const flags = Object.entries(values).map(([key, value]) => `-X k8s.io/component-base/version.${key}=${value}`);
  return ["-s", "-w", ...flags].join(" ");
}
