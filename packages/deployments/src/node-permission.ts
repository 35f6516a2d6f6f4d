import type { DeploymentInput } from "./deployment-input.ts";

/**
 * Where permission for a resource of a template is asked: at its id. Where only the provider knows that, at the scope of
 * the deployment, before the first send and ever after: what is allowed must not depend on how far a run has come.
 */
export function permissionPlace({ id }: { readonly id: string | undefined }, { scopes }: DeploymentInput): string {
  return id ?? scopes.deployments;
}
