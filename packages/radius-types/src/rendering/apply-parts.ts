import { ApiError } from "@rad/core";
import type { CallOptions, ObjectTarget } from "@rad/kubernetes";
import type { KubernetesPart } from "./renderer.ts";

interface ApplyOptions extends CallOptions {
  /** Called whenever one more object is there. */
  readonly onApplied: () => void;
  /** Called for every object that certainly was not changed. */
  readonly onRefused: (part: KubernetesPart) => void;
}

/**
 * Applies objects as soon as those that they depend on are there. Resolves or rejects when nothing is under way any more.
 * @param parts in the order of their dependencies
 * @throws whatever the first of them in that order failed with
 */
export async function applyParts(
  target: ObjectTarget,
  parts: readonly KubernetesPart[],
  { signal, onApplied, onRefused }: ApplyOptions,
): Promise<void> {
  const applying = new Map<string, Promise<void>>();
  for (const part of parts) {
    const { localId, dependsOn = [], object } = part;
    const before = dependsOn.flatMap((other) => applying.get(other) ?? []);
    const apply = async (): Promise<void> => {
      try {
        await Promise.all(before);
        await target.apply(object, { signal });
        onApplied();
      } catch (error) {
        if (error instanceof ApiError && !error.transient) {
          onRefused(part);
        }
        throw error;
      }
    };
    applying.set(localId, apply());
  }
  const results = await Promise.allSettled(applying.values());
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) {
    throw failed.reason;
  }
}
