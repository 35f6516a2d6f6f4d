import type { ErrorDetail, JsonObject, JsonValue } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core/json";
import { isTerminal } from "@rad/core/provisioning-state";
import { ClientError, errorFromWire, toDetail } from "./client-error.ts";

export interface Deployment {
  readonly id: string;
  readonly name: string;
  /** `Accepted` and `Running` on the way, `Succeeded`, `Failed` or `Canceled` at the end. */
  readonly state: string;
  /** The id of the deployment that it is a module of. */
  readonly parent: string | undefined;
  readonly correlationId: string | undefined;
  readonly timestamp: string | undefined;
  /** ISO 8601. */
  readonly duration: string | undefined;
  /** By name; secure ones, and those that are null, have no value. */
  readonly outputs: Readonly<Record<string, DeploymentOutput>>;
  /** Ids of everything that the template deployed, nested deployments included. */
  readonly outputResources: readonly string[];
  readonly error: ClientError | undefined;
  /** The whole answer. */
  readonly body: JsonObject;
}

export interface StartedDeployment extends Deployment {
  /** For `operations.follow`; absent when the control plane did not give one. */
  readonly operationLink: string | undefined;
}

export interface DeploymentOutput {
  readonly type: string;
  readonly value?: JsonValue;
}

/** One step of a deployment. */
export interface DeploymentOperation {
  readonly operationId: string;
  /** `Create`, `Read`, `Action` or `EvaluateDeploymentOutput`. */
  readonly kind: string;
  /** `Running`, `Succeeded`, `Failed` or `Canceled`. */
  readonly state: string;
  readonly timestamp: string | undefined;
  readonly duration: string | undefined;
  readonly statusCode: string | undefined;
  readonly target: OperationTarget | undefined;
  /** `Create`, `Modify` or `NoChange`, once it is known. */
  readonly changeType: string | undefined;
  /** The operation of the resource itself that this one waits for; `operations.ofResource` reads it. */
  readonly trackingId: string | undefined;
  /** What the control plane did, but advises against. */
  readonly warnings: readonly string[];
  readonly error: ClientError | undefined;
  readonly body: JsonObject;
}

export interface OperationTarget {
  readonly id: string;
  readonly type: string;
  readonly name: string;
}

/** What a deployment would do. */
export interface WhatIf {
  readonly changes: readonly WhatIfChange[];
  /** Those that depend on values which are known only while the deployment runs. */
  readonly potentialChanges: readonly WhatIfChange[];
  readonly diagnostics: readonly WhatIfDiagnostic[];
  readonly body: JsonObject;
}

export interface WhatIfChange {
  readonly resourceId: string;
  /** `Create`, `Modify`, `NoChange`, `Deploy`, `Ignore`, `Unsupported`, `Delete` or `NoEffect`. */
  readonly changeType: string;
  readonly unsupportedReason: string | undefined;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly delta: readonly PropertyChange[];
  /** What carrying the change out would change elsewhere, such as objects of a cluster. */
  readonly nestedChanges: readonly WhatIfChange[];
  readonly recipe: WhatIfRecipe | undefined;
}

/** What would become of the recipe behind a resource. */
export interface WhatIfRecipe {
  readonly name: string;
  readonly kind: string;
  readonly source: string;
  readonly version: string | undefined;
  /** `run`, `destroy` or `none`. */
  readonly action: string;
  readonly reasons: readonly string[];
  /** Only if it was asked for. */
  readonly plan: WhatIfPlan | undefined;
}

export interface WhatIfPlan {
  /** `Succeeded`, `Failed` or `Unknown`. */
  readonly status: string;
  readonly changes: readonly PlannedChange[];
  readonly omittedChanges: number;
  readonly unknown: readonly { readonly path: string; readonly reason: string }[];
  readonly notes: readonly string[];
  readonly error: ClientError | undefined;
}

export interface PlannedChange {
  readonly address: string;
  /** `create`, `update`, `replace`, `delete`, `no-op`, `read` or `forget`. */
  readonly action: string;
  readonly attributes: readonly PlannedAttribute[];
}

export interface PlannedAttribute {
  readonly name: string;
  readonly changed: boolean;
  readonly sensitive: boolean;
  readonly unknown: boolean;
}

/** A recipe that is being planned. */
export interface WhatIfProgress {
  readonly resourceId: string;
  /** `Running`, `Succeeded` or `Failed`. */
  readonly state: string;
}

export interface PropertyChange {
  readonly path: string;
  /** `Create`, `Delete`, `Modify`, `Array` or `NoEffect`. */
  readonly changeType: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly children: readonly PropertyChange[];
}

export interface WhatIfDiagnostic extends ErrorDetail {
  /** `Info`, `Warning`, or `Error` for what would make the deployment fail. */
  readonly level: string;
}

export function toDeployment(value: JsonValue | undefined): Deployment {
  if (!isJsonObject(value) || typeof value["id"] !== "string" || typeof value["name"] !== "string") {
    throw new ClientError("UnexpectedResponse", "The control plane's answer is not a deployment.");
  }
  const properties = objectMember(value, "properties");
  return {
    id: value["id"],
    name: value["name"],
    state: text(properties["provisioningState"]) ?? "",
    parent: text(objectMember(properties, "parent")["id"]),
    correlationId: text(properties["correlationId"]),
    timestamp: text(properties["timestamp"]),
    duration: text(properties["duration"]),
    outputs: toOutputs(objectMember(properties, "outputs")),
    outputResources: objects(properties["outputResources"]).flatMap((resource) => text(resource["id"]) ?? []),
    error: errorFromWire(properties["error"]),
    body: value,
  };
}

export function hasEnded(body: JsonValue | undefined): boolean {
  return isTerminal(toDeployment(body).state);
}

export function toDeploymentOperation(value: JsonValue | undefined): DeploymentOperation {
  if (!isJsonObject(value) || typeof value["operationId"] !== "string") {
    throw new ClientError("UnexpectedResponse", "The control plane's answer is not an operation of a deployment.");
  }
  const properties = objectMember(value, "properties");
  const target = objectMember(properties, "targetResource");
  return {
    operationId: value["operationId"],
    kind: text(properties["provisioningOperation"]) ?? "",
    state: text(properties["provisioningState"]) ?? "",
    timestamp: text(properties["timestamp"]),
    duration: text(properties["duration"]),
    statusCode: text(properties["statusCode"]),
    target:
      typeof target["id"] === "string"
        ? { id: target["id"], type: text(target["resourceType"]) ?? "", name: text(target["resourceName"]) ?? "" }
        : undefined,
    changeType: text(properties["changeType"]),
    trackingId: text(properties["trackingId"]),
    warnings: texts(properties["warnings"]),
    error: errorFromWire(objectMember(properties, "statusMessage")["error"]),
    body: value,
  };
}

/** @throws ClientError with the reason when no prediction could be made. */
export function toWhatIf(value: JsonValue | undefined): WhatIf {
  if (!isJsonObject(value)) {
    throw new ClientError("UnexpectedResponse", "The control plane's answer is not a prediction of changes.");
  }
  const error = errorFromWire(value["error"]);
  if (error !== undefined) {
    throw error;
  }
  const properties = objectMember(value, "properties");
  return {
    changes: objects(properties["changes"]).map(toChange),
    potentialChanges: objects(properties["potentialChanges"]).map(toChange),
    diagnostics: objects(properties["diagnostics"]).flatMap((value) => {
      const detail = toDetail(value);
      return detail === undefined ? [] : [{ ...detail, level: text(value["level"]) ?? "" }];
    }),
    body: value,
  };
}

function toChange(value: JsonObject): WhatIfChange {
  return {
    resourceId: text(value["resourceId"]) ?? "",
    changeType: text(value["changeType"]) ?? "",
    unsupportedReason: text(value["unsupportedReason"]),
    before: value["before"],
    after: value["after"],
    delta: objects(value["delta"]).map(toPropertyChange),
    nestedChanges: objects(value["nestedChanges"]).map(toChange),
    recipe: isJsonObject(value["recipe"]) ? toRecipe(value["recipe"]) : undefined,
  };
}

function toRecipe(value: JsonObject): WhatIfRecipe {
  return {
    name: text(value["name"]) ?? "",
    kind: text(value["kind"]) ?? "",
    source: text(value["source"]) ?? "",
    version: text(value["version"]),
    action: text(value["action"]) ?? "",
    reasons: texts(value["reasons"]),
    plan: isJsonObject(value["plan"]) ? toPlan(value["plan"]) : undefined,
  };
}

function toPlan(value: JsonObject): WhatIfPlan {
  const { omittedChanges } = value;
  return {
    status: text(value["status"]) ?? "",
    changes: objects(value["changes"]).map((change) => ({
      address: text(change["address"]) ?? "",
      action: text(change["action"]) ?? "",
      attributes: objects(change["attributes"]).map((attribute) => ({
        name: text(attribute["name"]) ?? "",
        changed: attribute["changed"] === true,
        sensitive: attribute["sensitive"] === true,
        unknown: attribute["unknown"] === true,
      })),
    })),
    omittedChanges: typeof omittedChanges === "number" ? omittedChanges : 0,
    unknown: objects(value["unknown"]).map(({ path, reason }) => ({
      path: text(path) ?? "",
      reason: text(reason) ?? "",
    })),
    notes: texts(value["notes"]),
    error: errorFromWire(value["error"]),
  };
}

/** The body of a what-if that also plans recipes. */
export function planningRecipes(body: JsonObject): JsonObject {
  const properties = objectMember(body, "properties");
  const whatIfSettings = { ...objectMember(properties, "whatIfSettings"), planRecipes: true };
  return { ...body, properties: { ...properties, whatIfSettings } };
}

export function toWhatIfProgress(value: JsonValue): WhatIfProgress {
  const { resourceId, state } = isJsonObject(value) ? value : {};
  return { resourceId: text(resourceId) ?? "", state: text(state) ?? "" };
}

function toPropertyChange(value: JsonObject): PropertyChange {
  return {
    path: text(value["path"]) ?? "",
    changeType: text(value["propertyChangeType"]) ?? "",
    before: value["before"],
    after: value["after"],
    children: objects(value["children"]).map(toPropertyChange),
  };
}

function toOutputs(outputs: JsonObject): Record<string, DeploymentOutput> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, output]) => {
      const member = isJsonObject(output) ? output : {};
      const type = text(member["type"]) ?? "";
      return [name, member["value"] === undefined ? { type } : { type, value: member["value"] }];
    }),
  );
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
