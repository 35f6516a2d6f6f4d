import type { CallOptions, ObjectTarget } from "@rad/kubernetes";
import type { KubernetesPart } from "./renderer.ts";

interface ApplyOptions extends CallOptions {
  /** Called with the number of objects that are there, whenever one more is. */
  readonly onApplied: (count: number) => void;
}

/**
 * Applies objects as soon as those that they depend on are there. Resolves or rejects when nothing is under way any more.
 * @param parts in the order of their dependencies
 * @throws whatever the first of them in that order failed with
 */
export async function applyParts(
  target: ObjectTarget,
  parts: readonly KubernetesPart[],
  { signal, onApplied }: ApplyOptions,
): Promise<void> {
  const applying = new Map<string, Promise<void>>();
  let count = 0;
  for (const { localId, dependsOn = [], object } of parts) {
    const before = dependsOn.map((other) => applying.get(other));
    const apply = async (): Promise<void> => {
      await Promise.all(before);
      await target.apply(object, { signal });
      count += 1;
      onApplied(count);
    };
    applying.set(localId, apply());
  }
  const results = await Promise.allSettled(applying.values());
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) {
    throw failed.reason;
  }
}
