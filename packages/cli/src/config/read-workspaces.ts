import { readFileSync } from "node:fs";
import { CliError, systemCode } from "../cli-error.ts";
import type { Connection, Workspace } from "./workspace.ts";

export interface RadConfig {
  /** Name of the current workspace; empty when there is none. */
  readonly current: string;
  /** By lower-case name, sorted. */
  readonly workspaces: ReadonlyMap<string, Workspace>;
  /** Things that were ignored and that the user may want to know about. */
  readonly warnings: readonly string[];
}

/** Empty when there is no such file. */
export function readConfig(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") {
      return "";
    }
    throw loadFailed(`it cannot be read (${code ?? "unknown error"})`).in(path);
  }
}

/** @param file what the file holds, as YAML reads it */
export function readWorkspaces(file: unknown): RadConfig {
  const warnings: string[] = [];
  const root = asMapping(file ?? {}, "the file");
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

/** What is wrong with the configuration; `in` says of which file. */
class InvalidConfig extends CliError {
  readonly #reason: string;

  constructor(reason: string, path?: string) {
    super("InvalidConfig", `Error: failed to load config${path === undefined ? "" : ` ${path}`}: ${reason}`);
    this.#reason = reason;
  }

  in(path: string): InvalidConfig {
    return new InvalidConfig(this.#reason, path);
  }
}

export function loadFailed(reason: string): InvalidConfig {
  return new InvalidConfig(reason);
}

/** @throws CliError that names the file, when `read` finds something wrong in it */
export function inFile<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InvalidConfig ? error.in(path) : error;
  }
}
