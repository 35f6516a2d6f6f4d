import { ApiError } from "@rad/core";
import type { DeploymentHost } from "../deployment-host.ts";
import type { TargetNode } from "../target-order.ts";

/**
 * Asks the targets of a deployment and of those nested in it for the types of their resources, each type once: a slip
 * in a name or a version is found before anything is deployed. No template can register a type that it uses: types
 * belong to a plane, and templates are deployed to groups.
 */
export class TypeCheck {
  readonly #host: DeploymentHost;
  readonly #refusals = new Map<string, Promise<ApiError | undefined>>();

  constructor(host: DeploymentHost) {
    this.#host = host;
  }

  /** Resolves to what the target says against the type of a node, if anything. */
  async refusal({ id, type, apiVersion, provider }: TargetNode): Promise<ApiError | undefined> {
    const target = this.#host.targets[provider];
    if (target === undefined) {
      return undefined;
    }
    const scope = id?.slice(0, id.lastIndexOf("/providers/")) ?? provider;
    const key = `${scope} ${type} ${apiVersion}`.toLowerCase();
    const known = this.#refusals.get(key) ?? orRefusal(target.checkType({ id, type, apiVersion }));
    this.#refusals.set(key, known);
    return await known;
  }
}

async function orRefusal(check: Promise<void>): Promise<ApiError | undefined> {
  try {
    await check;
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) {
      return error;
    }
    throw error;
  }
}
