import { readFile } from "node:fs/promises";
import type { Document } from "yaml";
import { isMap, isScalar, parseDocument } from "yaml";
import { CliError, systemCode } from "../cli-error.ts";
import { lockFile, removeLeftovers, writeFileAtomically } from "@rad/artifacts/files";
import type { Connection, Workspace } from "./workspace.ts";

export interface RadConfig {
  /** Name of the current workspace; empty when there is none. */
  readonly current: string;
  /** By lower-case name, sorted. */
  readonly workspaces: ReadonlyMap<string, Workspace>;
  /** Things that were ignored and that the user may want to know about. */
  readonly warnings: readonly string[];
}

/** Changes inside one locked read-modify-write of the file. */
export interface ConfigEdit {
  readonly config: RadConfig;
  put(workspace: Workspace): void;
  remove(name: string): void;
  setCurrent(name: string): void;
}

/** A missing file is an empty configuration. */
export async function loadConfig(path: string): Promise<RadConfig> {
  return readWorkspaces(parse(await read(path)));
}

/**
 * Edits the file while no other `rad` does. What is not about the edited workspace stays as it was: comments, order,
 * and other top-level keys.
 */
export async function updateConfig<T>(path: string, edit: (config: ConfigEdit) => T | Promise<T>): Promise<T> {
  using _ = await lockFile(`${path}.lock`);
  await removeLeftovers(path);
  const before = await read(path);
  const document = parse(before);
  readWorkspaces(document); // an edit is no cure for a file that cannot be read
  const result = await edit(createEdit(document));
  const after = document.toString({ lineWidth: 0 });
  readWorkspaces(parse(after)); // never leave a file behind that we would refuse ourselves
  if (after !== before) {
    await writeFileAtomically(path, after, { mode: 0o600 });
  }
  return result;
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") {
      return "";
    }
    throw loadFailed(`${path} cannot be read (${code ?? "unknown error"})`);
  }
}

function parse(text: string): Document {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) {
    throw loadFailed(problem.message.split("\n")[0] ?? problem.code);
  }
  if (document.contents !== null && !isMap(document.contents) && !isEmptyScalar(document.contents)) {
    throw loadFailed("the file is not a mapping");
  }
  return document;
}

function isEmptyScalar(node: unknown): boolean {
  return isScalar(node) && node.value === null;
}

function readWorkspaces(document: Document): RadConfig {
  const warnings: string[] = [];
  let root: Record<string, unknown>;
  try {
    root = asMapping(document.toJS({ maxAliasCount: 100 }) ?? {}, "the file");
  } catch (error) {
    throw error instanceof CliError ? error : loadFailed(error instanceof Error ? error.message : "it is not YAML");
  }
  const section = asMapping(root["workspaces"] ?? {}, "workspaces");
  refuseUnknown(section, ["default", "items"], "workspaces");
  const items = asMapping(section["items"] ?? {}, "workspaces.items");
  const workspaces = new Map<string, Workspace>();
  for (const [key, value] of Object.entries(items).sort(([a], [b]) => compare(a.toLowerCase(), b.toLowerCase()))) {
    const name = key.toLowerCase();
    if (workspaces.has(name)) {
      throw loadFailed(`workspaces.items has "${key}" more than once, in different case`);
    }
    workspaces.set(name, readWorkspace(name, value, `workspaces.items.${key}`, warnings));
  }
  const current = asText(section["default"], "workspaces.default").toLowerCase();
  return { current, workspaces, warnings };
}

function readWorkspace(name: string, value: unknown, at: string, warnings: string[]): Workspace {
  const item = asMapping(value ?? {}, at);
  refuseUnknown(item, ["connection", "scope", "environment"], at);
  if (item["connection"] === undefined || item["connection"] === null) {
    throw loadFailed(`${at}.connection is missing`);
  }
  const scope = asText(item["scope"], `${at}.scope`);
  const environment = asText(item["environment"], `${at}.environment`);
  return {
    name,
    connection: readConnection(item["connection"], `${at}.connection`, warnings),
    ...(scope === "" ? {} : { scope }),
    ...(environment === "" ? {} : { environment }),
  };
}

function readConnection(value: unknown, at: string, warnings: string[]): Connection {
  const connection = asMapping(value, at);
  refuseUnknown(connection, ["kind", "context", "overrides", "namespace"], at);
  if (connection["namespace"] !== undefined) {
    warnings.push(`${at}.namespace is ignored: it has had no meaning for a while and can be removed.`);
  }
  const kind = asText(connection["kind"], `${at}.kind`);
  if (kind.toLowerCase() !== "kubernetes") {
    throw loadFailed(`${at}.kind is "${kind}", and only "kubernetes" is supported`);
  }
  const overrides = asMapping(connection["overrides"] ?? {}, `${at}.overrides`);
  refuseUnknown(overrides, ["ucp"], `${at}.overrides`);
  const ucp = asText(overrides["ucp"], `${at}.overrides.ucp`);
  const context = asText(connection["context"], `${at}.context`);
  return { kind: "kubernetes", context, ...(ucp === "" ? {} : { overrides: { ucp } }) };
}

function createEdit(document: Document): ConfigEdit {
  /** The key as it is spelled in the file, so that an edit does not add a second one in other case. */
  const keyOf = (name: string): string => {
    const items = document.getIn(["workspaces", "items"]);
    const keys = isMap(items) ? items.items.map((pair) => (isScalar(pair.key) ? String(pair.key.value) : "")) : [];
    return keys.find((key) => key.toLowerCase() === name) ?? name;
  };
  return {
    get config() {
      return readWorkspaces(document);
    },
    put(workspace) {
      const { name, ...content } = workspace;
      const path = ["workspaces", "items", keyOf(name)];
      dropEmpty(document, ["workspaces"]);
      dropEmpty(document, ["workspaces", "items"]);
      dropEmpty(document, path);
      for (const key of ["connection", "scope", "environment"] as const) {
        const value = content[key];
        if (value === undefined) {
          document.deleteIn([...path, key]);
        } else if (JSON.stringify(toPlain(document.getIn([...path, key]))) !== JSON.stringify(value)) {
          document.setIn([...path, key], document.createNode(value));
        }
      }
    },
    remove(name) {
      document.deleteIn(["workspaces", "items", keyOf(name)]);
    },
    setCurrent(name) {
      dropEmpty(document, ["workspaces"]);
      document.setIn(["workspaces", "default"], name);
    },
  };
}

/** `items:` without a value is a null scalar, into which nothing can be put. */
function dropEmpty(document: Document, path: readonly string[]): void {
  if (document.hasIn(path) && !isMap(document.getIn(path, true))) {
    document.deleteIn(path);
  }
}

function toPlain(node: unknown): unknown {
  return isMap(node) ? node.toJSON() : node;
}

function asMapping(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw loadFailed(`${at} is not a mapping`);
  }
  return value as Record<string, unknown>;
}

function asText(value: unknown, at: string): string {
  if (value === undefined || value === null) {
    return "";
  }
  if (typeof value !== "string") {
    throw loadFailed(`${at} is not text`);
  }
  return value;
}

function refuseUnknown(mapping: Record<string, unknown>, known: readonly string[], at: string): void {
  const unknown = Object.keys(mapping).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw loadFailed(`${at} has an unknown key "${unknown}"; known are: ${known.join(", ")}`);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function loadFailed(reason: string): CliError {
  return new CliError("InvalidConfig", `Error: failed to load config: ${reason}`);
}
