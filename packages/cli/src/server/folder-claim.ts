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
  // Written while the server starts, which need not wait for the disk.
  const started = writeFirst(folder.pidFile, flags);
  started.catch(() => {}); // `announce` says so
  return {
    announce: async (server) => write(folder.pidFile, { ...(await started), ...server }),
    [Symbol.asyncDispose]: async () => {
      using _ = lock;
      await started.catch(() => {});
      await rm(folder.pidFile, { force: true });
    },
  };
}

async function writeFirst(pidFile: string, flags: StartFlags): Promise<ServerRecord> {
  const startedAt = new Date().toISOString();
  const identity = (await processIdentity(process.pid)) ?? "";
  const record: ServerRecord = { pid: process.pid, identity, startedAt, flags };
  await write(pidFile, record);
  return record;
}

async function write(pidFile: string, record: ServerRecord): Promise<void> {
  await writeFileAtomically(pidFile, formatRecord(record), { mode: 0o600, forceMode: true });
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
