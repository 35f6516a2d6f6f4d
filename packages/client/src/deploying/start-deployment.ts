import type { CallOptions, Client } from "../client.ts";
import { ClientError } from "../client-error.ts";
import type { StartedDeployment } from "../deployments.ts";
import { applicationExists, createApplication } from "./application.ts";
import { ensureDefaultRecipePack } from "./default-recipe-pack.ts";
import type { PreparedDeployment } from "./prepare-deployment.ts";

export type DeployingStep =
  | { readonly kind: "applicationCreated"; readonly name: string; readonly id: string }
  /** From now on the control plane may have the deployment, whatever becomes of the answer. */
  | { readonly kind: "sending" };

export interface StartOptions extends CallOptions {
  readonly onProgress?: ((step: DeployingStep) => void) | undefined;
}

/**
 * Creates what the template may rely on, its application and the default recipe pack, where that is missing, and sends
 * the deployment. Resolves as soon as the control plane has accepted it.
 */
export async function startDeployment(
  client: Client,
  prepared: PreparedDeployment,
  { onProgress, signal }: StartOptions = {},
): Promise<StartedDeployment> {
  const { application, needsDefaultRecipePack, id, body } = prepared;
  if (application !== undefined && !(await applicationExists(client, application.id, { signal }))) {
    await createApplication(client, application, { signal });
    onProgress?.({ kind: "applicationCreated", name: application.name, id: application.id });
  }
  if (needsDefaultRecipePack) {
    await ensureDefaultRecipePack(client, { signal });
  }
  signal?.throwIfAborted();
  onProgress?.({ kind: "sending" });
  try {
    return await client.deployments.start(id, body, { signal });
  } catch (error) {
    if (prepared.isNameUnique && isActive(error, id)) {
      // Nobody else has the name: an earlier try of this request did arrive, and only its answer got lost.
      return { ...(await client.deployments.get(id, { signal })), operationLink: undefined };
    }
    throw error;
  }
}

function isActive(error: unknown, id: string): boolean {
  return (
    error instanceof ClientError &&
    error.code === "DeploymentActive" &&
    error.target?.toLowerCase() === id.toLowerCase()
  );
}
