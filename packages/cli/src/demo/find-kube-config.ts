import { readFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { isJsonObject } from "@rad/core/json";
import { CliError } from "../cli-error.ts";
import type { CliHost } from "../host.ts";

/** The kube config with a context of this name: one of `KUBECONFIG`, or else the usual one. @throws CliError */
export async function findKubeConfig(host: CliHost, context: string): Promise<string> {
  const { KUBECONFIG: named = "" } = host.env;
  const files = named.split(delimiter).filter((file) => file !== "");
  const candidates = files.length === 0 ? [join(host.home, ".kube", "config")] : files;
  const known = new Set<string>();
  for (const file of candidates.map((candidate) => resolve(host.cwd, candidate))) {
    const contexts = await contextsIn(file);
    if (contexts.includes(context)) {
      return file;
    }
    contexts.forEach((name) => known.add(name));
  }
  const there = known.size === 0 ? "There is none at all" : `There are: ${[...known].join(", ")}`;
  throw new CliError(
    "KubeContextNotFound",
    `The kube config (${candidates.join(", ")}) has no context "${context}". ${there}.`,
  );
}

async function contextsIn(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  const { parse } = await import("yaml");
  let content: unknown;
  try {
    content = parse(text);
  } catch {
    return []; // whoever reads it for good says what is wrong with it
  }
  const contexts = isJsonObject(content) ? content["contexts"] : undefined;
  return (Array.isArray(contexts) ? contexts : []).flatMap((entry) => {
    const name = isJsonObject(entry) ? entry["name"] : undefined;
    return typeof name === "string" ? [name] : [];
  });
}
