import type { ApiClient } from "../api/api-client.ts";
import { createApiClient } from "../api/http-api-client.ts";
import type { ClusterConfig } from "../config/cluster-config.ts";
import { resolveConnection } from "../config/resolve-connection.ts";
import { followLogs, type LogEntry, type LogOptions } from "./follow-logs.ts";
import { forwardPort, type ForwardPortOptions, type PortForward } from "./forward-port.ts";
import { forwardPorts, type ForwardPortsOptions } from "./forward-ports.ts";
import { type PodSelection, type RunningPod, runningPods } from "./running-pods.ts";

/** What commands do with the pods of one cluster. Nothing is left open after its end. */
export interface Pods extends Disposable {
  running(options: PodSelection): Promise<RunningPod[]>;
  followLogs(options: LogOptions): AsyncGenerator<LogEntry>;
  forwardPort(options: ForwardPortOptions): Promise<PortForward>;
  forwardPorts(options: ForwardPortsOptions): Promise<void>;
}

/** @throws ApiError `BadRequest` for a configuration that cannot be used. No connection is made yet. */
export async function openPods(config: ClusterConfig): Promise<Pods> {
  return podsOf(createApiClient(await resolveConnection(config)));
}

function podsOf(client: ApiClient): Pods {
  return {
    running: (options) => runningPods(client, options),
    followLogs: (options) => followLogs(client, options),
    forwardPort: (options) => forwardPort(client, options),
    forwardPorts: (options) => forwardPorts(client, options),
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
}
