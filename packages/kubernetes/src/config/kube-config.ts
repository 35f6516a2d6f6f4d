import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ApiError, isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { parseDocument } from "yaml";

export interface KubeConfig {
  /** For messages: `the kube config '/home/dev/.kube/config'`. */
  readonly source: string;
  /** Paths in the file are relative to it; absent for a text, which may name no files. */
  readonly folder: string | undefined;
  readonly currentContext: string | undefined;
  readonly contexts: ReadonlyMap<string, JsonObject>;
  readonly clusters: ReadonlyMap<string, JsonObject>;
  readonly users: ReadonlyMap<string, JsonObject>;
}

export interface KubeContext {
  readonly name: string;
  readonly clusterName: string;
  readonly cluster: JsonObject;
  readonly userName: string | undefined;
  readonly user: JsonObject;
}

/** @throws ApiError `BadRequest` that names the file. */
export async function readKubeConfig(file: string): Promise<KubeConfig> {
  const path = resolve(file);
  const source = `the kube config '${path}'`;
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    const problem = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new ApiError("BadRequest", `${capital(source)} ${problem}. Name another one in the configuration.`);
  }
  return parseKubeConfig(text, source, dirname(path));
}

/** No message repeats the text, since it holds credentials. @throws ApiError `BadRequest` */
export function parseKubeConfig(text: string, source: string, folder: string | undefined): KubeConfig {
  const document = parseDocument(text, { uniqueKeys: false });
  const [problem] = document.errors;
  if (problem !== undefined) {
    const [{ line, col } = { line: 1, col: 1 }] = problem.linePos ?? [];
    throw new ApiError("BadRequest", `${capital(source)} is not valid YAML at line ${line}, column ${col}.`);
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch {
    throw new ApiError("BadRequest", `${capital(source)} has YAML aliases, which are not supported. Write them out.`);
  }
  if (!isJsonObject(value)) {
    throw new ApiError("BadRequest", `${capital(source)} is empty, or no kube config.`);
  }
  return {
    source,
    folder,
    currentContext: textOf(value, "current-context"),
    contexts: named(value["contexts"], "context"),
    clusters: named(value["clusters"], "cluster"),
    users: named(value["users"], "user"),
  };
}

/** @throws ApiError `BadRequest` that names the contexts there are. */
export function chooseContext(config: KubeConfig, wanted: string | undefined): KubeContext {
  const name = wanted ?? config.currentContext;
  const known = config.contexts.size === 0 ? "It has none." : `It has ${quoted(config.contexts.keys())}.`;
  if (name === undefined) {
    throw new ApiError("BadRequest", `${capital(config.source)} has no current context. Name one. ${known}`);
  }
  const context = config.contexts.get(name);
  if (context === undefined) {
    throw new ApiError("BadRequest", `${capital(config.source)} has no context '${name}'. ${known}`);
  }
  const clusterName = textOf(context, "cluster") ?? "";
  const cluster = config.clusters.get(clusterName);
  if (cluster === undefined) {
    const problem = `names the cluster '${clusterName}', which is not in the file`;
    throw new ApiError("BadRequest", `The context '${name}' of ${config.source} ${problem}.`);
  }
  const userName = textOf(context, "user");
  const user = userName === undefined ? {} : config.users.get(userName);
  if (user === undefined) {
    const problem = `names the user '${userName}', who is not in the file`;
    throw new ApiError("BadRequest", `The context '${name}' of ${config.source} ${problem}.`);
  }
  return { name, clusterName, cluster, userName, user };
}

/** The member when it is a text that is not empty. */
export function textOf(object: JsonObject, member: string): string | undefined {
  const value = object[member];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The first of two entries of one name counts, as for kubectl. */
function named(list: unknown, member: string): Map<string, JsonObject> {
  const entries = new Map<string, JsonObject>();
  for (const entry of Array.isArray(list) ? list : []) {
    const name: unknown = isJsonObject(entry) ? entry["name"] : undefined;
    const value: unknown = isJsonObject(entry) ? entry[member] : undefined;
    if (typeof name === "string" && !entries.has(name)) {
      entries.set(name, isJsonObject(value) ? value : {});
    }
  }
  return entries;
}

function quoted(names: Iterable<string>): string {
  return [...names].map((name) => `'${name}'`).join(", ");
}
