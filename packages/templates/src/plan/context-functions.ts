import type { JsonObject } from "@rad/core";
import { formatInstant } from "../dates/date-format.ts";
import { define, type FunctionCall, type FunctionDefinition } from "../functions/function-call.ts";
import { createResourceIdFunctions, type ResourceIdScope } from "../functions/resource-ids.ts";
import { fromJson } from "../values/json-conversion.ts";
import { getMember } from "../values/members.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../values/value.ts";
import { scopePrefix } from "./azure-scope.ts";
import { publicCloud } from "./cloud-environment.ts";
import type { DeploymentContext, PlanScopes, Surroundings } from "./plan.ts";
import { PlanProblem } from "./plan-problem.ts";
import { zoneFunctions } from "./zone-functions.ts";

export interface FunctionContext {
  readonly deployment: DeploymentContext;
  /** What `deployment().properties` says beyond the mode. */
  readonly deploymentProperties: () => ObjectValue;
  readonly scopes: PlanScopes;
  /** Where Azure resources go, if anywhere. */
  readonly azure: ResourceIdScope | undefined;
  readonly surroundings: Surroundings;
  readonly now: Date;
  readonly newGuid: () => string;
}

/** The functions that look around a deployment. Their answers stay the same while it lasts, GUIDs aside. */
export function contextFunctions(context: FunctionContext): FunctionDefinition[] {
  const { surroundings, azure } = context;
  const once = remembered();
  return [
    define("deployment", 0, () => once("deployment", () => deploymentValue(context))),
    define("resourceGroup", 0, (call) => once("resourceGroup", () => resourceGroupValue(call, context))),
    define("subscription", 0, (call) => once("subscription", () => subscriptionValue(call, context))),
    define("managementGroup", 0, (call) => managementGroupValue(call, azure)),
    define("tenant", 0, () => once("tenant", () => tenantValue(surroundings))),
    define("deployer", 0, () => deployerValue(surroundings)),
    define("environment", 0, () => once("environment", () => fromJson(surroundings.environment ?? publicCloud))),
    define("providers", [1, 2], (call) => providersValue(call, surroundings.providers ?? [])),
    define("roleDefinitions", 1, (call) => {
      throw new PlanProblem("Unsupported", `${call.name}: the roles of Azure are not known here.`);
    }),
    define("utcNow", [0, 1], (call) => utcNow(call, context.now)),
    define("newGuid", 0, () => context.newGuid().toLowerCase()),
    ...zoneFunctions(surroundings.zones, surroundings.zoneMappings),
    ...idFunctions(context),
  ];
}

const emptyId = "00000000-0000-0000-0000-000000000000";

function remembered(): (name: string, make: () => Value) => Value {
  const values = new Map<string, Value>();
  return (name, make) => {
    const value = values.get(name) ?? make();
    values.set(name, value);
    return value;
  };
}

/** Without Azure, ids are those of the resource group that the deployment belongs to. */
function idFunctions({ azure, scopes }: FunctionContext): readonly FunctionDefinition[] {
  if (azure !== undefined) {
    return createResourceIdFunctions(azure);
  }
  return createResourceIdFunctions({ kind: "tenant" }).map((definition) => {
    if (definition.name !== "resourceId") {
      return definition;
    }
    return {
      ...definition,
      run: (call) => {
        const id = definition.run(call);
        return typeof id === "string" && id.startsWith("/providers/") ? `${scopes.radius}${id}` : id;
      },
    };
  });
}

function deploymentValue({ deployment, deploymentProperties, azure }: FunctionContext): Value {
  const properties = new Map<string, Value>(deploymentProperties());
  properties.set("mode", deployment.mode ?? "Incremental");
  properties.set("provisioningState", "Accepted");
  const value = new Map<string, Value>([["name", deployment.name]]);
  if (azure !== undefined && azure.kind !== "resourceGroup") {
    value.set("location", deployment.location ?? "global");
  }
  return value.set("properties", properties);
}

function resourceGroupValue(call: FunctionCall, { azure, scopes, surroundings }: FunctionContext): Value {
  if (azure !== undefined && azure.kind !== "resourceGroup") {
    throw wrongScope(call, "a resource group");
  }
  const id = azure === undefined ? scopes.radius : scopePrefix(azure);
  const group = new Map<string, Value>([
    ["id", id],
    ["name", id.slice(id.lastIndexOf("/") + 1)],
    ["type", azure === undefined ? "System.Resources/resourceGroups" : "Microsoft.Resources/resourceGroups"],
    ["location", surroundings.resourceGroup?.location ?? "global"],
    ["properties", new Map([["provisioningState", "Succeeded"]])],
  ]);
  const tags = surroundings.resourceGroup?.tags;
  return tags === undefined ? group : group.set("tags", fromJson(tags));
}

function subscriptionValue(call: FunctionCall, { azure, surroundings }: FunctionContext): Value {
  if (azure?.subscriptionId === undefined) {
    throw wrongScope(call, "a subscription");
  }
  const id = azure.subscriptionId;
  return new Map<string, Value>([
    ["id", `/subscriptions/${id}`],
    ["subscriptionId", id],
    ["tenantId", surroundings.tenant?.tenantId ?? emptyId],
    ["displayName", surroundings.subscription?.displayName ?? id],
  ]);
}

function managementGroupValue(call: FunctionCall, azure: ResourceIdScope | undefined): Value {
  if (azure?.managementGroup === undefined) {
    throw wrongScope(call, "a management group");
  }
  return new Map<string, Value>([
    ["id", scopePrefix({ ...azure, kind: "managementGroup" })],
    ["name", azure.managementGroup],
    ["type", "Microsoft.Management/managementGroups"],
    ["properties", new Map([["displayName", azure.managementGroup]])],
  ]);
}

function wrongScope(call: FunctionCall, what: string): PlanProblem {
  return new PlanProblem("MissingScope", `${call.name}: this deployment does not run in ${what} of Azure.`);
}

function tenantValue({ tenant }: Surroundings): Value {
  return new Map<string, Value>([
    ["tenantId", tenant?.tenantId ?? emptyId],
    ["country", tenant?.country ?? ""],
    ["countryCode", tenant?.countryCode ?? ""],
    ["displayName", tenant?.displayName ?? ""],
  ]);
}

function deployerValue({ deployer }: Surroundings): Value {
  return new Map<string, Value>([
    ["objectId", deployer?.objectId ?? ""],
    ["tenantId", deployer?.tenantId ?? ""],
    ["userPrincipalName", deployer?.userPrincipalName ?? ""],
  ]);
}

function providersValue(call: FunctionCall, providers: readonly JsonObject[]): Value {
  const namespace = call.string(0);
  const provider = providers.map((entry) => fromJson(entry)).find((entry) => hasText(entry, "namespace", namespace));
  if (provider === undefined || !isObject(provider)) {
    throw call.invalid(`there is no resource provider "${namespace}"`);
  }
  if (call.count === 1) {
    return provider;
  }
  const type = call.string(1);
  const types = getMember(provider, "resourceTypes");
  const found =
    types !== undefined && isArray(types) ? types.find((item) => hasText(item, "resourceType", type)) : undefined;
  if (found === undefined) {
    throw call.invalid(`the resource provider "${namespace}" has no type "${type}"`);
  }
  return found;
}

function hasText(value: Value, member: string, text: string): boolean {
  const found = isObject(value) ? getMember(value, member) : undefined;
  return typeof found === "string" && found.toLowerCase() === text.toLowerCase();
}

const ticksPerMillisecond = 10_000n;

function utcNow(call: FunctionCall, now: Date): string {
  const format = call.count > 0 ? call.string(0) : "yyyyMMddTHHmmssZ";
  const text = formatInstant(BigInt(now.getTime()) * ticksPerMillisecond, format);
  if (text === undefined) {
    throw call.invalid("the format is none of a date");
  }
  return text;
}
