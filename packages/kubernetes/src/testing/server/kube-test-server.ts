import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ClusterDescription } from "./cluster-description.ts";
import { ServerProcess } from "./server-process.ts";
import type { RunningServer, StartOptions } from "./start-server.ts";

/** Starts our own executable: API server, controllers, and a node that pretends to run pods. */
export async function startKubeTestServer(executable: string, options: StartOptions): Promise<RunningServer> {
  const { folder, port, apiServerArgs } = options;
  const args = ["up", "--dir", folder, "--port", String(port), "--stop-on-stdin-eof"];
  const process = new ServerProcess(executable, [...args, ...apiServerArgs.map((arg) => `--apiserver-arg=${arg}`)], {
    folder,
    log: path.join(folder, "server.log"),
  });
  while (process.firstLine === undefined) {
    if (!process.isRunning) {
      throw new Error(`The test cluster did not start:\n${await process.lastWords()}`);
    }
    await delay(20);
  }
  return { process, description: JSON.parse(process.firstLine) as ClusterDescription };
}
