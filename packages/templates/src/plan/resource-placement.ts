import { withLowerCaseGroup } from "@rad/core";
import type { ResourceIdScope } from "../functions/resource-ids.ts";
import { parseAzureScope, scopeId, scopePrefix } from "./azure-scope.ts";
import type { Compiled } from "./compiled.ts";
import { evaluateCompiled, type CompiledEnvironment } from "./evaluate-compiled.ts";
import type { PlanScopes, ProviderKind } from "./plan.ts";
import { PlanProblem } from "./plan-problem.ts";
import type { ResourceEntry } from "./resource-entry.ts";
import { checkDeploymentName, resourceIdOf } from "./resource-names.ts";

export interface Place {
  readonly id: string | undefined;
  readonly ids: readonly string[];
  readonly scopes: PlanScopes;
}

/** Decides where a resource goes, and with that its id. */
export class ResourcePlacement {
  readonly #scopes: PlanScopes;
  readonly #azure: ResourceIdScope | undefined;

  constructor(scopes: PlanScopes, azure: ResourceIdScope | undefined) {
    this.#scopes = scopes;
    this.#azure = azure;
  }

  place(
    entry: ResourceEntry,
    provider: ProviderKind,
    name: string | undefined,
    environment: CompiledEnvironment,
  ): Place {
    const scopes = this.#scopes;
    if (provider !== "azure" && provider !== "deployments") {
      refuseScope(entry);
    }
    if (name === undefined || (provider !== "radius" && provider !== "azure" && provider !== "deployments")) {
      return { id: undefined, ids: [], scopes };
    }
    if (provider === "radius") {
      const id = resourceIdOf(withLowerCaseGroup(scopes.radius), entry.type, name);
      return { id, ids: [id], scopes };
    }
    const base = this.#base(entry, environment);
    if (provider === "deployments") {
      return this.#deployment(entry, name, base);
    }
    if (base.prefix === undefined) {
      throw new PlanProblem("MissingScope", noAzureScope(entry.type));
    }
    const id = resourceIdOf(base.prefix, entry.type, name);
    return { id, ids: [id], scopes };
  }

  /** Its record lives in the scope for deployments; templates look for it where its resources go. */
  #deployment(entry: ResourceEntry, name: string, base: Base): Place {
    checkDeploymentName(name);
    const id = resourceIdOf(withLowerCaseGroup(this.#scopes.deployments), entry.type, name);
    const seen = resourceIdOf(base.prefix ?? withLowerCaseGroup(this.#scopes.radius), entry.type, name);
    const { azure } = base;
    if (azure === undefined && base.prefix !== undefined) {
      const message = "A nested deployment goes to a tenant, a management group, a subscription or a resource group.";
      throw new PlanProblem("InvalidShape", message, `${entry.path}.scope`);
    }
    const scopes = azure === undefined ? this.#scopes : { ...this.#scopes, az: scopeId(azure) };
    return { id, ids: id === seen ? [id] : [seen, id], scopes };
  }

  #base(entry: ResourceEntry, environment: CompiledEnvironment): Base {
    const text = (compiled: Compiled | undefined, member: string): string | undefined => {
      const value = compiled === undefined ? null : evaluateCompiled(compiled, environment);
      if (value !== null && typeof value !== "string") {
        throw new PlanProblem("InvalidShape", `"${member}" must be a text.`, `${entry.path}.${member}`);
      }
      return value ?? undefined;
    };
    const scope = text(entry.scope, "scope");
    const subscriptionId = text(entry.subscriptionId, "subscriptionId");
    const resourceGroup = text(entry.resourceGroup, "resourceGroup");
    if (this.#azure === undefined) {
      this.#refuseElsewhere(entry, scope ?? subscriptionId, resourceGroup);
      return { prefix: undefined, azure: undefined };
    }
    return scope === undefined
      ? baseOf(within(this.#azure, subscriptionId, resourceGroup, entry))
      : this.#explicitBase(scope, this.#azure);
  }

  #explicitBase(scope: string, azure: ResourceIdScope): Base {
    const parsed = parseAzureScope(scope);
    if (parsed !== undefined) {
      return baseOf(parsed);
    }
    const prefix = scope.startsWith("/") ? scope : `${scopePrefix(azure)}/providers/${scope}`;
    return { prefix: prefix.replace(/\/$/, ""), azure: undefined };
  }

  /** Without Azure there is one group to deploy to: the deployment's own. */
  #refuseElsewhere(entry: ResourceEntry, other: string | undefined, group: string | undefined): void {
    const own = this.#scopes.radius.slice(this.#scopes.radius.lastIndexOf("/") + 1);
    if (other !== undefined || (group !== undefined && group.toLowerCase() !== own.toLowerCase())) {
      const message = "The resource goes to another scope of Azure, but the deployment has no Azure scope.";
      throw new PlanProblem("MissingScope", message, entry.path);
    }
  }
}

/** A type outside of Microsoft's namespaces is more likely one that nobody has registered. */
function noAzureScope(type: string): string {
  const problem = `The resource is of the Azure type "${type}", but the deployment has no Azure scope.`;
  return /^microsoft\./i.test(type)
    ? problem
    : `${problem} If it is a type of your own, register it with "rad resource-type create -f <manifest>" and declare "extension radius" in the Bicep file.`;
}

/** What an extension makes lies in the scope of its provider, wherever the template would like to have it. */
function refuseScope(entry: ResourceEntry): void {
  const member = (["scope", "subscriptionId", "resourceGroup"] as const).find((name) => entry[name] !== undefined);
  if (member !== undefined) {
    const message = `A resource of an extension goes to the scope of its provider and cannot have a "${member}".`;
    throw new PlanProblem("Unsupported", message, `${entry.path}.${member}`);
  }
}

interface Base {
  /** What ids begin with; `undefined` without Azure. */
  readonly prefix: string | undefined;
  /** Set when it is a scope to deploy to, and not another resource. */
  readonly azure: ResourceIdScope | undefined;
}

function baseOf(azure: ResourceIdScope): Base {
  return { prefix: scopePrefix(azure), azure };
}

function within(
  azure: ResourceIdScope,
  subscription: string | undefined,
  resourceGroup: string | undefined,
  entry: ResourceEntry,
): ResourceIdScope {
  if (subscription === undefined && resourceGroup === undefined) {
    return azure;
  }
  const subscriptionId = subscription ?? azure.subscriptionId;
  if (subscriptionId === undefined) {
    throw new PlanProblem("MissingScope", "A resource group needs a subscription here.", entry.path);
  }
  return resourceGroup === undefined
    ? { kind: "subscription", subscriptionId }
    : { kind: "resourceGroup", subscriptionId, resourceGroup };
}
