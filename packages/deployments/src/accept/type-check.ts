import { ApiError } from "@rad/core";
import type { Plan, PlanNode } from "@rad/templates";
import type { DeploymentHost } from "../deployment-host.ts";

/** Registrations of types are resources too. */
const registrations = "system.resources/";

/**
 * Asks the targets of a deployment and of those nested in it for the types of their resources, each type once: a slip
 * in a name or a version is found before anything is deployed. A template that registers types itself is left alone.
 */
export class TypeCheck {
  readonly #host: DeploymentHost;
  readonly #refusals = new Map<string, Promise<ApiError | undefined>>();
  #isOff = false;

  constructor(host: DeploymentHost) {
    this.#host = host;
  }

  /** To be told of each plan before its nodes are asked about, the outermost first. */
  begin({ nodes }: Plan): void {
    this.#isOff ||= [...nodes.values()].some(
      (node) => node.kind !== "barrier" && node.type.toLowerCase().startsWith(registrations),
    );
  }

  /** Resolves to what the target says against the type of a node, if anything. */
  async refusal(node: Exclude<PlanNode, { readonly kind: "barrier" }>): Promise<ApiError | undefined> {
    const { id, type, apiVersion, provider } = node;
    const target = this.#host.targets[provider];
    if (this.#isOff || id === undefined || target === undefined) {
      return undefined;
    }
    const scope = id.slice(0, id.lastIndexOf("/providers/"));
    const key = `${scope} ${type} ${apiVersion}`.toLowerCase();
    const known = this.#refusals.get(key) ?? orRefusal(target.checkType(id, apiVersion));
    this.#refusals.set(key, known);
    return await known;
  }
}

async function orRefusal(check: Promise<void>): Promise<ApiError | undefined> {
  try {
    await check;
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) {
      return error;
    }
    throw error;
  }
}
