import { ApiError } from "@rad/core";
import type { ErrorDetail } from "@rad/core";
import { fieldManager, objectOfId } from "@rad/kubernetes";
import type { CallOptions, KubernetesObject, ObjectName, ObjectTarget } from "@rad/kubernetes";
import type { OutputResource } from "./output-resources.ts";

interface RemoveOptions extends CallOptions {
  /** Called with what is being deleted. */
  readonly onRemoving: (text: string) => void;
}

/**
 * Deletes the managed ones of `outputs` in reverse order, and waits until they are gone. One that does not go does not
 * keep the others.
 * @throws ApiError that names what does not go; `transient` as soon as the target is away.
 */
export async function removeObjects(
  target: ObjectTarget,
  outputs: readonly OutputResource[],
  { signal, onRemoving }: RemoveOptions,
): Promise<void> {
  const failures: ApiError[] = [];
  for (const { id, radiusManaged } of outputs.toReversed()) {
    const name = radiusManaged ? objectOfId(id) : undefined;
    if (name === undefined) {
      continue;
    }
    onRemoving(`${name.kind} '${name.name}'`);
    try {
      await removeObject(target, name, { signal });
    } catch (error) {
      if (!(error instanceof ApiError) || error.transient) {
        throw error;
      }
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw combined(failures);
  }
}

/** An id is recorded before its object is created, so the object may be somebody else's: then it stays. */
async function removeObject(target: ObjectTarget, name: ObjectName, options: CallOptions): Promise<void> {
  const object = await target.read(name, options);
  if (object !== undefined && isOurs(target, object)) {
    await target.delete(name, options);
  }
}

/** Whether we have ever applied the object: the API server lists who owns its fields. */
function isOurs(target: ObjectTarget, { metadata }: KubernetesObject): boolean {
  const { managedFields } = metadata;
  return (
    target.kind === "folder" ||
    !Array.isArray(managedFields) ||
    managedFields.some((entry) => (entry as { manager?: unknown } | null)?.manager === fieldManager)
  );
}

function combined(failures: readonly [ApiError, ...ApiError[]] | readonly ApiError[]): ApiError {
  const [first, ...others] = failures;
  if (first === undefined || others.length === 0) {
    return first ?? new ApiError("Internal", "Nothing failed.");
  }
  const details: ErrorDetail[] = failures.map((failure) => failure.toDetail());
  return new ApiError("Conflict", failures.map(({ message }) => message).join(" "), { details });
}
