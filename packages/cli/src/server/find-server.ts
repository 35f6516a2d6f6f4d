import { readdir, readFile, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isLocked } from "@rad/artifacts/files";
import type { DataFolder } from "./data-folder.ts";
import { processIdentity } from "./process-identity.ts";
import { readRecord, type ServerRecord } from "./server-record.ts";

/** A process that has the folder. Its pid file may be gone, since anybody who owns the folder can delete that. */
export interface FoundServer extends Partial<Omit<ServerRecord, "identity">> {
  /** Whether the process is still there. */
  isThere(): Promise<boolean>;
}

/**
 * The process that has the folder now. The locks decide, which end with their process however it ends; the pid file only
 * tells more about it, and a file that a killed server left counts for nothing, whoever has its pid today.
 */
export async function findServer(folder: DataFolder): Promise<FoundServer | undefined> {
  if (!(await isHeld(folder))) {
    return undefined;
  }
  const record = await readRecord(folder.pidFile);
  if (record !== undefined && (await isSameProcess(record))) {
    const { identity: _, ...known } = record;
    return { ...known, isThere: () => isSameProcess(record) };
  }
  const pid = await databaseOwner(folder);
  return { ...(pid === undefined ? {} : { pid }), isThere: () => isHeld(folder) };
}

async function isHeld(folder: DataFolder): Promise<boolean> {
  return (await isLocked(folder.serverLock)) || (await isLocked(folder.databaseLock));
}

async function isSameProcess(record: ServerRecord): Promise<boolean> {
  const identity = await processIdentity(record.pid);
  return identity !== undefined && identity === record.identity;
}

/**
 * Written by whoever holds the database's lock, a moment after they got it. Until then it may be of one that was killed,
 * whose pid belongs to a stranger by now.
 */
async function databaseOwner(folder: DataFolder): Promise<number | undefined> {
  if (!(await isLocked(folder.databaseLock))) {
    return undefined;
  }
  const pid = Number(await readFile(folder.databasePidFile, "utf8").catch(() => ""));
  return Number.isSafeInteger(pid) && pid > 1 && (await hasOpen(pid, folder.databaseLock)) ? pid : undefined;
}

/** Whether the process has the file open. Where the system does not show that, nobody is taken for the owner. */
async function hasOpen(pid: number, file: string): Promise<boolean> {
  const descriptors = `/proc/${pid}/fd`;
  const [wanted, names] = await Promise.all([realpath(file), readdir(descriptors)]).catch(() => ["", []] as const);
  for (const name of names) {
    if ((await readlink(join(descriptors, name)).catch(() => undefined)) === wanted) {
      return true;
    }
  }
  return false;
}
