import { ApiError, type JsonObject } from "@rad/core";
import type { Store } from "@rad/store";
import { templateIn } from "../deployment-document.ts";

/** `{template}` of a deployment as it was sent. @throws ApiError `DeploymentNotFound` */
export async function exportTemplate(store: Store, id: string): Promise<JsonObject> {
  const template = templateIn(await store.secrets(id));
  if (template === undefined) {
    const name = id.slice(id.lastIndexOf("/") + 1);
    throw new ApiError("DeploymentNotFound", `Deployment '${name}' could not be found.`, { target: id });
  }
  return { template };
}
