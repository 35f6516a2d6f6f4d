import { rm } from "node:fs/promises";
import { lockFile, writeFileAtomically } from "@rad/artifacts/files";
import { systemCode } from "../cli-error.ts";
import type { DataFolder } from "./data-folder.ts";
import { processIdentity } from "./process-identity.ts";
import { formatRecord, type ServerRecord, type StartFlags } from "./server-record.ts";

/** This process is the folder's server, the one that `rad server status` and `stop` mean, until this is disposed. */
export interface FolderClaim extends AsyncDisposable {
  /** Says where the server listens. */
  announce(server: Pick<ServerRecord, "url" | "tokenFile" | "loopbackTls">): Promise<void>;
}

/** Whoever looks whether the lock is held, holds it for a moment. */
const lockWaitMs = 500;

/**
 * Makes this process the folder's server. The lock decides, and only its holder touches the pid file: a second server, with
 * a database elsewhere, must not remove the record of the first.
 * @returns nothing when another server has the folder.
 */
export async function claimFolder(folder: DataFolder, flags: StartFlags): Promise<FolderClaim | undefined> {
  const lock = await tryLock(folder.serverLock);
  if (lock === undefined) {
    return undefined;
  }
  await using parts = new AsyncDisposableStack();
  parts.use(lock);
  const identity = (await processIdentity(process.pid)) ?? "";
  const started: ServerRecord = { pid: process.pid, identity, startedAt: new Date().toISOString(), flags };
  const write = (record: ServerRecord): Promise<void> =>
    writeFileAtomically(folder.pidFile, formatRecord(record), { mode: 0o600, forceMode: true });
  await write(started);
  parts.defer(() => rm(folder.pidFile, { force: true }));
  const claim = parts.move();
  return {
    announce: (server) => write({ ...started, ...server }),
    [Symbol.asyncDispose]: () => claim.disposeAsync(),
  };
}

async function tryLock(path: string): Promise<Disposable | undefined> {
  try {
    return await lockFile(path, { waitMs: lockWaitMs });
  } catch (error) {
    if (systemCode(error) === "Locked") {
      return undefined;
    }
    throw error;
  }
}
