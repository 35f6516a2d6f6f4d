import { readFile, rm } from "node:fs/promises";
import { isJsonObject } from "@rad/core";
import { CliError, systemCode } from "../cli-error.ts";
import { writeFileAtomically } from "@rad/artifacts/files";
import { processIdentity } from "./process-identity.ts";

/** What a running server says about itself. */
export interface ServerRecord {
  readonly pid: number;
  /** Tells the server from a later process with the same pid. */
  readonly identity: string;
  readonly url: string;
  readonly tokenFile: string | undefined;
  readonly startedAt: string;
}

/** Announces this process as the folder's server until the result is disposed. */
export async function announce(
  path: string,
  server: Pick<ServerRecord, "url" | "tokenFile">,
): Promise<AsyncDisposable> {
  const identity = (await processIdentity(process.pid)) ?? "";
  const record: ServerRecord = { pid: process.pid, identity, ...server, startedAt: new Date().toISOString() };
  await writeFileAtomically(path, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600, forceMode: true });
  return {
    [Symbol.asyncDispose]: async () => {
      const current = await readRecord(path);
      if (current?.pid === record.pid && current.identity === identity) {
        await rm(path, { force: true });
      }
    },
  };
}

/** The server that runs now. A file left by one that was killed counts as none, whoever has its pid today. */
export async function findRunning(path: string): Promise<ServerRecord | undefined> {
  const record = await readRecord(path);
  if (record === undefined) {
    return undefined;
  }
  return (await isRunning(record)) ? record : undefined;
}

export async function isRunning(record: ServerRecord): Promise<boolean> {
  const identity = await processIdentity(record.pid);
  return identity !== undefined && identity === record.identity;
}

async function readRecord(path: string): Promise<ServerRecord | undefined> {
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

/** Anything that is not one of our records names no server. */
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
  const { pid, identity, url, tokenFile, startedAt } = value;
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 1) {
    return undefined;
  }
  if (typeof identity !== "string" || identity === "" || typeof url !== "string") {
    return undefined;
  }
  return {
    pid,
    identity,
    url,
    tokenFile: typeof tokenFile === "string" ? tokenFile : undefined,
    startedAt: typeof startedAt === "string" ? startedAt : "",
  };
}
