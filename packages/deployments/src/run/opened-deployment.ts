import { isJsonObject, type JsonObject, type JsonValue, objectMember } from "@rad/core";
import type { DocumentPut } from "@rad/store";
import type { Outputs, Plan } from "@rad/templates";
import {
  type DeploymentState,
  deploymentType,
  type ParentNode,
  parentToJson,
  sealed,
  withProperties,
} from "../deployment-document.ts";
import type { DeploymentInput, InputOrigin } from "../deployment-input.ts";
import { formatDuration } from "../records/iso-duration.ts";
import type { RecordBook } from "../records/node-record.ts";

/** A deployment of the tree that is about to run or to go on. */
export interface OpenedDeployment {
  readonly id: string;
  readonly apiVersion: string;
  /** As stored. */
  readonly body: JsonObject;
  readonly input: DeploymentInput;
  readonly origin: InputOrigin;
  readonly plan: Plan;
  readonly records: RecordBook;
  readonly startedAt: Date;
  readonly parent: ParentNode | undefined;
  /** For export; without the secrets of the deployments around it. */
  readonly template: JsonValue;
}

/** What a deployment that went well has made. */
export interface DeploymentResult {
  readonly outputs: Outputs;
  /** Ids in the order in which they were finished, those of nested deployments among them. */
  readonly outputResources: readonly string[];
}

export function outputResourceList(ids: readonly string[]): JsonObject[] {
  return ids.map((id) => ({ id }));
}

/** The ids that a deployment's own document lists. */
export function outputResourcesIn(body: JsonObject | undefined): string[] {
  const list = body === undefined ? [] : objectMember(body, "properties")["outputResources"];
  return Array.isArray(list)
    ? list.flatMap((entry) => (isJsonObject(entry) && typeof entry["id"] === "string" ? [entry["id"]] : []))
    : [];
}

/** Objects of Kubernetes are no resources with an id of their own. */
export function isListed(id: string): boolean {
  return id !== "" && !id.toLowerCase().startsWith("/planes/kubernetes/");
}

/** Secure values are told by type only. */
export function outputsToJson(outputs: Outputs): JsonObject {
  const entries = Object.entries(outputs).map(([name, { type, secure, value }]): [string, JsonObject] => [
    name,
    secure || value === undefined ? { type } : { type, value },
  ]);
  return Object.fromEntries(entries);
}

export function secureValues(outputs: Outputs): JsonObject {
  const values: JsonObject = {};
  for (const [name, { secure, value }] of Object.entries(outputs)) {
    if (secure) {
      values[name] = value ?? null;
    }
  }
  return values;
}

/** The properties that the end of a deployment sets. */
export function endProperties(state: DeploymentState, now: Date, startedAt: Date, more: JsonObject): JsonObject {
  const duration = formatDuration(now.getTime() - startedAt.getTime());
  return { provisioningState: state, timestamp: now.toISOString(), duration, ...more };
}

export interface NestedEnd {
  readonly properties: JsonObject;
  /** Kept sealed for the deployment around it. */
  readonly secureOutputs: JsonObject;
  readonly operationId: string;
}

/** A nested deployment that has ended needs its input no more. It stays with the operation until all have ended. */
export function endedNested(opened: OpenedDeployment, end: NestedEnd): DocumentPut {
  const { id, apiVersion, body, parent, template } = opened;
  const hasSecrets = Object.keys(end.secureOutputs).length > 0;
  return {
    kind: "put",
    input: {
      id,
      type: deploymentType,
      apiVersion,
      body: withProperties(body, end.properties),
      secrets: {
        [sealed.template]: template,
        ...(parent === undefined ? {} : { [sealed.parent]: parentToJson(parent) }),
        ...(hasSecrets ? { [sealed.outputs]: end.secureOutputs } : {}),
      },
      operationId: end.operationId,
    },
    expect: "any",
  };
}
