import { systemClock } from "@rad/core";
import type { Clock } from "@rad/core";
import { createApiClient } from "../api/http-api-client.ts";
import type { ClusterConfig } from "../config/cluster-config.ts";
import { resolveConnection } from "../config/resolve-connection.ts";
import type { ObjectTarget } from "../object-target.ts";
import { ClusterTarget } from "./cluster-target.ts";

export interface ClusterOptions {
  readonly clock?: Clock;
  /** How long an object may take to go when it is deleted. */
  readonly deleteTimeoutMs?: number;
}

/** @throws ApiError `BadRequest` for a configuration that cannot be used. No connection is made yet. */
export async function openCluster(
  config: ClusterConfig,
  options: ClusterOptions = {},
): Promise<ObjectTarget & AsyncDisposable> {
  const { clock = systemClock, deleteTimeoutMs = 120_000 } = options;
  const client = createApiClient(await resolveConnection(config), { clock });
  return new ClusterTarget(client, clock, deleteTimeoutMs);
}
