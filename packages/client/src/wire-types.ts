import type { ErrorDetail, JsonObject } from "@rad/core";
import type { OperationStep } from "./operation-steps.ts";

/** A resource as the API shows it; other members (`location`, `tags`, `systemData`) are there untouched. */
export interface ResourceBody extends JsonObject {
  id: string;
  name: string;
  type: string;
}

export interface ProviderSummary extends JsonObject {
  name: string;
  locations: JsonObject;
  resourceTypes: Record<string, ResourceTypeSummary>;
}

export interface ResourceTypeSummary extends JsonObject {
  apiVersions: Record<string, JsonObject>;
}

export type OperationState = "Succeeded" | "Failed" | "Canceled" | "Running";

export interface OperationStatus {
  readonly id: string;
  readonly state: OperationState;
  /** The server's own word, `Accepted` or `Updating` while it runs. */
  readonly status: string;
  readonly error?: ErrorDetail;
  /** What it has done so far and is doing, when its type tells. */
  readonly steps: readonly OperationStep[];
  /** The whole answer. */
  readonly body: JsonObject;
}
