import type { ClientError, Deployment, DeploymentOperation, ResourceBody, WhatIf } from "@rad/client";
import type { ErrorDetail, JsonObject, JsonValue } from "@rad/core";

/** What came of a deployment, without what differs from run to run: times of operations and the name of the group. */
export interface Outcome {
  readonly whatIf: Readonly<Record<string, readonly string[]>> | ErrorOutline;
  readonly state: string;
  readonly outputs: JsonObject;
  readonly outputResources: readonly string[];
  readonly error?: ErrorOutline;
  /** One line per operation: deployment, what was done to what, how it ended. */
  readonly operations: readonly string[];
  readonly resources: JsonObject;
  /** What the vaults tell those who may ask. */
  readonly secrets: JsonObject;
}

/** An error tree by its codes; what its messages say may change without notice. */
export interface ErrorOutline {
  readonly code: string;
  readonly target?: string;
  /** Where in the template. */
  readonly path?: string;
  readonly details?: readonly ErrorOutline[];
}

export function describeDeployment(
  scope: string,
  deployment: Deployment,
  operations: ReadonlyMap<string, readonly DeploymentOperation[]>,
  documents: ReadonlyMap<string, ResourceBody>,
): Omit<Outcome, "whatIf" | "secrets"> {
  return {
    state: deployment.state,
    outputs: shortened(scope, deployment.outputs as unknown as JsonObject) as JsonObject,
    outputResources: deployment.outputResources.map((id) => shortId(scope, id)).sort(),
    ...(deployment.error === undefined ? {} : { error: describeError(scope, deployment.error) }),
    operations: [...operations]
      .flatMap(([name, list]) => list.map((one) => describeOperation(scope, name, one)))
      .sort(),
    resources: Object.fromEntries(
      [...documents.values()]
        .map((document) => [shortId(scope, document.id), describeResource(scope, document)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}

export function describeWhatIf(scope: string, { changes, potentialChanges }: WhatIf): Record<string, string[]> {
  const byType: Record<string, string[]> = {};
  for (const { changeType, resourceId } of changes) {
    (byType[changeType] ??= []).push(shortId(scope, resourceId));
  }
  for (const { changeType, resourceId } of potentialChanges) {
    (byType[`potential ${changeType}`] ??= []).push(shortId(scope, resourceId));
  }
  for (const ids of Object.values(byType)) {
    ids.sort();
  }
  return Object.fromEntries(Object.entries(byType).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function describeError(scope: string, error: ClientError | ErrorDetail): ErrorOutline {
  const details = (error.details ?? []).map((detail) => describeError(scope, detail));
  const info = error.additionalInfo?.find(({ type }) => type === "TemplateViolation")?.info as JsonObject | undefined;
  return {
    code: error.code,
    ...(error.target === undefined ? {} : { target: shortId(scope, error.target) }),
    ...(typeof info?.["path"] === "string" ? { path: info["path"] } : {}),
    ...(details.length === 0 ? {} : { details: details.sort(byTarget) }),
  };
}

function byTarget(a: ErrorOutline, b: ErrorOutline): number {
  return JSON.stringify([a.target, a.path, a.code]) < JSON.stringify([b.target, b.path, b.code]) ? -1 : 1;
}

function describeOperation(scope: string, deployment: string, operation: DeploymentOperation): string {
  const { kind, target, state, statusCode, changeType, error, warnings } = operation;
  return [
    `${deployment}:`,
    kind,
    target === undefined ? undefined : shortId(scope, target.id),
    state,
    statusCode,
    changeType === undefined ? undefined : `(${changeType})`,
    error === undefined ? undefined : `error ${error.code}`,
    ...warnings.map((text) => `warning: ${text}`),
  ]
    .filter((word) => word !== undefined)
    .join(" ");
}

function describeResource(scope: string, { tags, properties }: ResourceBody): JsonObject {
  const members: JsonObject = {};
  if (tags !== undefined) {
    members["tags"] = tags;
  }
  members["properties"] = properties ?? {};
  return shortened(scope, members) as JsonObject;
}

/** Scopes keep whatever letter case they were written in, so that is not told apart. */
export function shortId(scope: string, id: string): string {
  const short = id.toLowerCase().startsWith(scope.toLowerCase()) ? `~${id.slice(scope.length)}` : id;
  return short.replace("~/providers/", "~/");
}

/** A value of a resource or an output, with ids as `shortId` writes them. */
export function shortened(scope: string, value: JsonValue): JsonValue {
  if (typeof value === "string") {
    const ids = new RegExp(RegExp.escape(`${scope}/providers/`), "gi");
    return value.replace(ids, "~/");
  }
  if (Array.isArray(value)) {
    return value.map((item) => shortened(scope, item));
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(scope, member)]));
  }
  return value;
}

const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const time = /\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?|\d{8}T\d{6}Z/g;

/** Without the ids and times that a template makes up, for those that do. */
export function withoutRandom<T>(outcome: T): T {
  return JSON.parse(JSON.stringify(outcome).replace(guid, "<guid>").replace(time, "<time>")) as T;
}
