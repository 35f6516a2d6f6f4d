import { access } from "node:fs/promises";
import { buildServer } from "./build-server.ts";
import type { ClusterDescription } from "./cluster-description.ts";
import { startEnvtest } from "./envtest.ts";
import { startKubeTestServer } from "./kube-test-server.ts";
import type { ServerProcess } from "./server-process.ts";

export interface StartOptions {
  /** All its state; the same one again continues the same cluster. */
  readonly folder: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** More arguments of kube-apiserver, such as `--max-requests-inflight=2`. */
  readonly apiServerArgs: readonly string[];
}

export interface RunningServer {
  readonly process: ServerProcess;
  readonly description: ClusterDescription;
}

export interface ServerKind {
  /** Whether there are controllers, and pods that seem to run. */
  readonly hasPods: boolean;
  readonly start: (options: StartOptions) => Promise<RunningServer>;
}

/** etcd and kube-apiserver in the folder `KUBEBUILDER_ASSETS`, else the executable of our own, which is built once. */
export async function findServer(): Promise<ServerKind> {
  const assets = process.env["KUBEBUILDER_ASSETS"];
  if (assets !== undefined && assets !== "") {
    await access(assets).catch((error: unknown) => {
      throw new Error(`KUBEBUILDER_ASSETS names the folder '${assets}', which cannot be read`, { cause: error });
    });
    return { hasPods: false, start: async (options) => await startEnvtest(assets, options) };
  }
  const executable = await buildServer();
  return { hasPods: true, start: async (options) => await startKubeTestServer(executable, options) };
}
