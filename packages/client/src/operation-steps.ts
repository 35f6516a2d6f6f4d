import type { JsonValue } from "@rad/core";
import { isJsonObject } from "@rad/core/json";

/** A part of the work of an operation, perhaps made of smaller ones. */
export interface OperationStep {
  readonly name: string;
  /** `Running`, `Succeeded`, `Failed` or `Canceled`. */
  readonly state: string;
  readonly startTime: string | undefined;
  readonly endTime: string | undefined;
  /** Why it ended as it did. */
  readonly message: string | undefined;
  /** What it is doing right now. */
  readonly detail: string | undefined;
  /** How much of it is done, from 0 to 1, when that can be told. */
  readonly share: number | undefined;
  readonly steps: readonly OperationStep[];
}

/** Deeper ones are left out: nobody draws them, and a broken answer must not exhaust the stack. */
const maxDepth = 16;

/** The steps of an operation's status; whatever does not look like one is left out. */
export function parseSteps(value: JsonValue | undefined, depth = 0): readonly OperationStep[] {
  if (!Array.isArray(value) || depth >= maxDepth) {
    return [];
  }
  return value.flatMap((step): OperationStep[] => {
    if (!isJsonObject(step) || typeof step["name"] !== "string" || typeof step["state"] !== "string") {
      return [];
    }
    return [
      {
        name: step["name"],
        state: step["state"],
        startTime: text(step["startTime"]),
        endTime: text(step["endTime"]),
        message: text(step["message"]),
        detail: text(step["detail"]),
        share: share(step["share"]),
        steps: parseSteps(step["steps"], depth + 1),
      },
    ];
  });
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function share(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && value >= 0 && value <= 1 ? value : undefined;
}
