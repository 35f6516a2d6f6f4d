import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { ConfigOverrides } from "@rad/control-plane";
import { startReleaseMirror } from "@rad/terraform/testing";
import type { ReleaseMirror } from "@rad/terraform/testing";
import { createRadHome } from "../kubernetes/rad-home.ts";
import type { RadHome } from "../kubernetes/rad-home.ts";
import { databases } from "../support/database.ts";
import type { TestDatabase } from "../support/database.ts";
import type { ServerProcess } from "../support/server-process.ts";

/** A database, a volume and a mirror, on which servers are started that install from it. */
export interface InstallerRig extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly mirror: ReleaseMirror;
  /** Of the volume, which all servers share. */
  readonly root: string;
  /** Leases of jobs and of executions are as short as a test can wait for, unless it asks for others. */
  readonly config: ConfigOverrides & { readonly operations: { readonly leaseSeconds: number } };
  startServer(): Promise<ServerProcess>;
  /** `rad` of somebody who has a workspace for the server. */
  radHome(server: ServerProcess): Promise<RadHome>;
}

export async function openRig(
  kind: keyof typeof databases,
  options: { readonly drainSeconds?: number; readonly leaseSeconds?: number } = {},
): Promise<InstallerRig> {
  const [database, mirror] = await Promise.all([databases[kind](), startReleaseMirror()]);
  const root = path.join(database.folder, "volume");
  const config = {
    terraform: { installer: { ...mirror.settings, root, drainSeconds: options.drainSeconds ?? 0 } },
    workerServer: { maxOperationRetryCount: 100 },
    operations: { leaseSeconds: options.leaseSeconds ?? 2, maxProcessDeaths: 1_000 },
  };
  return {
    database,
    mirror,
    root,
    config,
    startServer: () => database.startServer(config),
    radHome: async (server) => {
      const tokenFile = path.join(database.folder, "rad-token");
      await writeFile(tokenFile, server.token, { mode: 0o600 });
      return await createRadHome({ server: { url: server.url, tokenFile }, group: "test" });
    },
    [Symbol.asyncDispose]: async () => {
      await mirror[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
