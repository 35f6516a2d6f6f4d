import { isDeploymentName } from "@rad/core";
import { PlanProblem } from "./plan-problem.ts";

/** `{scope}/providers/Ns/a/x/b/y` for type `Ns/a/b` and name `x/y`. */
export function resourceIdOf(scope: string, type: string, name: string): string {
  const [namespace = "", ...types] = type.split("/");
  const names = name.split("/");
  if (types.length !== names.length || names.includes("")) {
    const message = `The type "${type}" needs ${types.length} names with "/" between them, but "${name}" has ${names.length}.`;
    throw new PlanProblem("InvalidName", message);
  }
  const segments = types.map((segment, index) => `/${segment}/${names[index]}`);
  return `${scope}/providers/${namespace}${segments.join("")}`;
}

/** Parts at the last `@`: `Ns/type@version`. */
export function splitVersionedType(type: string): { readonly type: string; readonly version: string | undefined } {
  const at = type.lastIndexOf("@");
  return at < 0 ? { type, version: undefined } : { type: type.slice(0, at), version: type.slice(at + 1) };
}

export const deploymentsType = "Microsoft.Resources/deployments";

export function isDeploymentsType(type: string): boolean {
  return type.toLowerCase() === deploymentsType.toLowerCase();
}

export function checkDeploymentName(name: string): void {
  if (!isDeploymentName(name)) {
    const rule = "1 to 64 letters, digits, hyphens, underscores, periods and parentheses";
    throw new PlanProblem("InvalidName", `"${name}" is no name for a deployment: it takes ${rule}.`);
  }
}
