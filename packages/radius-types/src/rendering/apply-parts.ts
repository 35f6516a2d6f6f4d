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
 * @returns them with the objects as the target has them now
 * @throws whatever the first of them in that order failed with
 */
export async function applyParts(
  target: ObjectTarget,
  parts: readonly KubernetesPart[],
  { signal, onApplied, onRefused }: ApplyOptions,
): Promise<readonly KubernetesPart[]> {
  const applying = new Map<string, Promise<KubernetesPart>>();
  for (const part of parts) {
    const { localId, dependsOn = [], object } = part;
    const before = dependsOn.flatMap((other) => applying.get(other) ?? []);
    const apply = async (): Promise<KubernetesPart> => {
      try {
        await Promise.all(before);
        const applied = await target.apply(object, { signal });
        onApplied();
        return { ...part, object: applied.object };
      } catch (error) {
        if (error instanceof ApiError && !error.transient) {
          onRefused(part);
        }
        throw error;
      }
    };
    applying.set(localId, apply());
  }
  await Promise.allSettled(applying.values());
  return await Promise.all(applying.values());
}
