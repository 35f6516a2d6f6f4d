import { join, resolve } from "node:path";
import type { CliHost } from "../host.ts";

/** Where a server on this machine keeps its database, token, log and pid file. */
export interface DataFolder {
  readonly path: string;
  /** Held by the server whose record is `pidFile`, from before its start until after its end. */
  readonly serverLock: string;
  readonly pidFile: string;
  readonly logFile: string;
  /** Held while a server is being started, so that two at once end up with one. */
  readonly startLock: string;
  /** Held by whatever process has the folder's database open, and that process's id. */
  readonly databaseLock: string;
  readonly databasePidFile: string;
}

export function dataFolder(host: CliHost, given: string | undefined): DataFolder {
  const path = given === undefined ? join(host.home, ".rad", "server") : resolve(host.cwd, given);
  return {
    path,
    serverLock: join(path, "server.lock"),
    pidFile: join(path, "server.pid"),
    logFile: join(path, "server.log"),
    startLock: join(path, "start.lock"),
    databaseLock: join(path, "radius.lock"),
    databasePidFile: join(path, "radius.pid"),
  };
}
