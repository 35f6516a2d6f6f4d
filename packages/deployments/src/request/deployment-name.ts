import { isDeploymentName } from "@rad/core";
import { invalidDeployment } from "./request-shape.ts";

/** @throws ApiError `InvalidDeployment`, unless a deployment can have that name. */
export function checkDeploymentName(name: string): void {
  if (!isDeploymentName(name)) {
    const message = `The name of a deployment has 1 to 64 letters, digits, "-", "_", ".", "(" or ")"; "${name.slice(0, 100)}" is none.`;
    throw invalidDeployment("name", message);
  }
}
