import { define, type FunctionCall, type FunctionDefinition } from "./function-call.ts";

/** Where a deployment runs, as far as resource ids show it. */
export interface ResourceIdScope {
  readonly kind: "resourceGroup" | "subscription" | "managementGroup" | "tenant";
  readonly subscriptionId?: string;
  readonly resourceGroup?: string;
  readonly managementGroup?: string;
}

const callSteps = 8;

/** The functions that spell ids. Without a scope every part of it has to be among the arguments. */
export function createResourceIdFunctions(scope?: ResourceIdScope): readonly FunctionDefinition[] {
  return [
    define("resourceId", [2, Infinity], (call) => resourceId(call, scope), callSteps),
    define("subscriptionResourceId", [2, Infinity], (call) => subscriptionResourceId(call, scope), callSteps),
    define("managementGroupResourceId", [2, Infinity], (call) => managementGroupResourceId(call, scope), callSteps),
    define("tenantResourceId", [2, Infinity], (call) => spell("", readResource(call, 0, 0)), callSteps),
    define("extensionResourceId", [3, Infinity], (call) => spell(call.string(0), readResource(call, 1, 0)), callSteps),
  ];
}

function resourceId(call: FunctionCall, scope: ResourceIdScope | undefined): string {
  const resource = readResource(call, 0, 2);
  const [outer, inner] = resource.leading;
  const subscription = inner === undefined ? scope?.subscriptionId : outer;
  const group = inner ?? outer ?? scope?.resourceGroup;
  if (scope?.kind === "tenant" || scope?.kind === "managementGroup") {
    return outer === undefined ? spell("", resource) : spell(groupId(call, subscription, group), resource);
  }
  if (scope?.kind === "subscription" && inner === undefined) {
    return spell(subscriptionId(call, outer ?? subscription), resource);
  }
  return spell(groupId(call, subscription, group), resource);
}

function subscriptionResourceId(call: FunctionCall, scope: ResourceIdScope | undefined): string {
  const resource = readResource(call, 0, 1);
  return spell(subscriptionId(call, resource.leading[0] ?? scope?.subscriptionId), resource);
}

function managementGroupResourceId(call: FunctionCall, scope: ResourceIdScope | undefined): string {
  const resource = readResource(call, 0, 1);
  const group = present(call, resource.leading[0] ?? scope?.managementGroup, "management group");
  return spell(`/providers/Microsoft.Management/managementGroups/${group}`, resource);
}

function groupId(call: FunctionCall, subscription: string | undefined, group: string | undefined): string {
  return `${subscriptionId(call, subscription)}/resourceGroups/${present(call, group, "resource group")}`;
}

function subscriptionId(call: FunctionCall, id: string | undefined): string {
  return `/subscriptions/${present(call, id, "subscription")}`;
}

function present(call: FunctionCall, value: string | undefined, what: string): string {
  if (value === undefined) {
    throw call.invalid(`no ${what} is given, and there is no deployment to take it from`);
  }
  return value;
}

interface Resource {
  /** What comes before the type: at most a subscription and a resource group. */
  readonly leading: readonly string[];
  readonly type: string;
  readonly names: readonly string[];
}

/** The type is the first argument with a slash, or a namespace and a type in two arguments. */
function readResource(call: FunctionCall, from: number, maxLeading: number): Resource {
  const args = call.strings(from);
  for (const arg of args) {
    call.budget.spend(arg.length);
  }
  const slash = args.findIndex((arg) => arg.includes("/"));
  if (slash >= 0 && slash <= maxLeading) {
    return checked(call, { leading: args.slice(0, slash), type: args[slash] ?? "", names: args.slice(slash + 1) });
  }
  const namespace = args.findIndex((arg) => /^[A-Za-z][A-Za-z0-9]*(?:\.[A-Za-z0-9]+)+$/.test(arg));
  if (namespace >= 0 && namespace <= maxLeading && args.length >= namespace + 3) {
    const type = `${args[namespace]}/${args[namespace + 1]}`;
    return checked(call, { leading: args.slice(0, namespace), type, names: args.slice(namespace + 2) });
  }
  throw call.invalid("no argument is a resource type such as Namespace/type");
}

function checked(call: FunctionCall, resource: Resource): Resource {
  const types = resource.type.split("/").length - 1;
  if (types !== resource.names.length) {
    throw call.invalid(
      `the type has ${types} segments after its namespace, but ${resource.names.length} names are given`,
    );
  }
  return resource;
}

function spell(scope: string, { type, names }: Resource): string {
  const [namespace, ...types] = type.split("/");
  const pairs = types.map((segment, index) => `/${segment}/${names[index]}`);
  return `${scope}/providers/${namespace}${pairs.join("")}`;
}
