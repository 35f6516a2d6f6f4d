import { join, resolve } from "node:path";
import type { CliHost } from "../host.ts";

/** Where a server on this machine keeps its database, token, log and pid file. */
export interface DataFolder {
  readonly path: string;
  readonly pidFile: string;
  readonly logFile: string;
  /** Held while a server is being started, so that two at once end up with one. */
  readonly startLock: string;
}

export function dataFolder(host: CliHost, given: string | undefined): DataFolder {
  const path = given === undefined ? join(host.home, ".rad", "server") : resolve(host.cwd, given);
  return {
    path,
    pidFile: join(path, "server.pid"),
    logFile: join(path, "server.log"),
    startLock: join(path, "start.lock"),
  };
}
