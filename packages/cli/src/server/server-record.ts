import { readFile } from "node:fs/promises";
import { isJsonObject, type JsonObject } from "@rad/core";
import { CliError, systemCode } from "../cli-error.ts";

/** What a running server says about itself in its pid file. */
export interface ServerRecord {
  readonly pid: number;
  /** Tells the server from a later process with the same pid. */
  readonly identity: string;
  /** Absent while it starts. */
  readonly url?: string;
  readonly tokenFile?: string;
  /** The second listener, and the file with the authority that signs its certificate. */
  readonly loopbackTls?: { readonly url: string; readonly caFile: string };
  readonly startedAt: string;
  /** Flags of `rad server` that it was started with, paths made absolute. */
  readonly flags: StartFlags;
}

export interface StartFlags {
  readonly configFile?: string;
  readonly host?: string;
  readonly port?: string;
}

/** `undefined` when there is no file, or one that is none of our records. */
export async function readRecord(path: string): Promise<ServerRecord | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") {
      return undefined;
    }
    throw new CliError("PidFileUnreadable", `${path} cannot be read (${systemCode(error) ?? "unknown error"}).`);
  }
  return parseRecord(text);
}

export function formatRecord(record: ServerRecord): string {
  return `${JSON.stringify(record, undefined, 2)}\n`;
}

function parseRecord(text: string): ServerRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) {
    return undefined;
  }
  const { pid, identity } = value;
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 1) {
    return undefined;
  }
  if (typeof identity !== "string" || identity === "") {
    return undefined;
  }
  const { loopbackTls, flags } = value;
  return {
    pid,
    identity,
    ...texts(value, ["url", "tokenFile"]),
    ...(isJsonObject(loopbackTls)
      ? { loopbackTls: { url: "", caFile: "", ...texts(loopbackTls, ["url", "caFile"]) } }
      : {}),
    startedAt: "",
    ...texts(value, ["startedAt"]),
    flags: isJsonObject(flags) ? texts(flags, ["configFile", "host", "port"]) : {},
  };
}

function texts<Name extends string>(value: JsonObject, names: readonly Name[]): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const text = value[name];
    if (typeof text === "string") {
      found[name] = text;
    }
  }
  return found;
}
