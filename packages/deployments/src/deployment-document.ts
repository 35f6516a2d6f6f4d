import { isJsonObject, isTerminal, type JsonObject, type JsonValue, objectMember } from "@rad/core";
import type { DocumentInput, StoredDocument } from "@rad/store";
import type { DeploymentInput } from "./deployment-input.ts";

export const deploymentType = "Microsoft.Resources/deployments";

export type DeploymentState = "Accepted" | "Running" | "Succeeded" | "Failed" | "Canceled";

/** Where the sealed values of a deployment are kept. */
export const sealed = {
  /** What a run needs. Dropped when the deployment ends. */
  run: "/run",
  /** The node of another deployment that a nested one belongs to. */
  parent: "/parent",
  /** Values of secure outputs of a nested deployment, by name. Dropped when the outermost one ends. */
  outputs: "/outputs",
  /** What `exportTemplate` gives; stays. */
  template: "/template",
} as const;

/** Everything that a run needs and cannot work out again. Plain JSON. */
export interface RunInput {
  readonly input: DeploymentInput;
  /** What planning took from outside. */
  readonly now: string;
  readonly guids: readonly string[];
  readonly caller: JsonObject;
  /** JSON path of the template within the outermost one. */
  readonly templatePath: string;
}

/** The node of another deployment that a nested deployment belongs to. */
export interface ParentNode {
  readonly id: string;
  readonly node: string;
}

/** For sealing. Members without a value do not survive it, and need not. */
export function runToJson(run: RunInput): JsonValue {
  return run as unknown as JsonValue;
}

/** The template for export: until an outermost deployment ends, that is the one it runs. */
export function templateIn(secrets: Readonly<Record<string, JsonValue>>): JsonValue | undefined {
  return secrets[sealed.template] ?? runFromJson(secrets[sealed.run])?.input.template;
}

/** What we sealed ourselves needs no checking. */
export function runFromJson(value: JsonValue | undefined): RunInput | undefined {
  return isJsonObject(value) ? (value as unknown as RunInput) : undefined;
}

export function parentToJson(parent: ParentNode): JsonValue {
  return { ...parent };
}

export function parentFromJson(value: JsonValue | undefined): ParentNode | undefined {
  return isJsonObject(value) ? (value as unknown as ParentNode) : undefined;
}

function stateOf({ body }: Pick<StoredDocument, "body">): string {
  return textMember(objectMember(body, "properties"), "provisioningState");
}

export function hasEnded(document: Pick<StoredDocument, "body">): boolean {
  return isTerminal(stateOf(document));
}

export function textMember(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

/** Overwrites members of a deployment's `properties`. */
export function withProperties(body: JsonObject, properties: JsonObject): JsonObject {
  return { ...body, properties: { ...objectMember(body, "properties"), ...properties } };
}

/** The same document with another body and, unless they are given, the sealed values it has. */
export function replaceBody(
  { id, type, apiVersion }: StoredDocument,
  body: JsonObject,
  more: Pick<DocumentInput, "operationId"> & Partial<Pick<DocumentInput, "secrets">>,
): DocumentInput {
  return { id, type, apiVersion, body, secrets: "keep", ...more };
}
