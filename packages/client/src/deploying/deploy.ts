import { isTerminal } from "@rad/core";
import type { CallOptions, Client } from "../client.ts";
import { isOutage, longestOutageMs } from "../client-error.ts";
import type { Deployment } from "../deployments.ts";
import type { PreparedDeployment } from "./prepare-deployment.ts";
import { startDeployment, type StartOptions } from "./start-deployment.ts";

const pollMs = 1_000;

/**
 * Carries a prepared deployment out and waits for its end, however it ends: `state` and `error` tell. Aborting ends the
 * waiting, not the deployment.
 */
export async function deploy(
  client: Client,
  prepared: PreparedDeployment,
  options: StartOptions = {},
): Promise<Deployment> {
  await startDeployment(client, prepared, options);
  return waitForDeployment(client, prepared.id, options);
}

async function waitForDeployment(client: Client, id: string, { signal }: CallOptions): Promise<Deployment> {
  let outageMs = 0;
  for (;;) {
    try {
      await client.deployments.waitForEnd(id, { signal });
      const deployment = await client.deployments.get(id, { signal });
      if (isTerminal(deployment.state)) {
        return deployment;
      }
      outageMs = 0;
    } catch (error) {
      if (!isOutage(error) || outageMs >= longestOutageMs) {
        throw error;
      }
      outageMs += pollMs;
    }
    await client.sleep(pollMs, signal);
  }
}
