import { ApiError, type ErrorDetail, type Redactor } from "@rad/core";
import { type Store, StoreError } from "@rad/store";

/** Longer circles are shown by their ends. */
const maxPath = 10;

/**
 * What a failed attempt deserves:
 * - an `ApiError` is an answer: it ends the operation, unless it says that it may pass.
 * - a circle of operations that wait for each other does not go away by itself either.
 * - everything else, from a lost connection to a bug, is tried again.
 */
export function isFinal(error: unknown): boolean {
  return error instanceof ApiError ? !error.transient : error instanceof StoreError && error.code === "WaitCycle";
}

/** What the operation's status says about it; `undefined` when that must not leave the server's log. */
export async function describeFailure(
  error: unknown,
  { store, redactor }: { readonly store: Store; readonly redactor: Redactor },
): Promise<ErrorDetail | undefined> {
  if (error instanceof ApiError) {
    return redactor.redactError(error.toDetail());
  }
  if (!(error instanceof StoreError)) {
    return undefined;
  }
  switch (error.code) {
    case "GuardFailed":
    case "EtagMismatch":
      return { code: "Conflict", message: "Something the operation relied on changed meanwhile; try again." };
    case "WaitCycle":
      return { code: "Conflict", message: await describeCircle(store, error.path) };
    default:
      return undefined;
  }
}

/** Operations mean nothing to whoever reads this; the resources they work on do. */
async function describeCircle(store: Store, path: readonly string[]): Promise<string> {
  const shown = path.length > maxPath ? [...path.slice(0, maxPath - 1), ...path.slice(-1)] : path;
  const names: string[] = [];
  for (const id of shown) {
    names.push((await store.operations.get(id))?.resourceId ?? `operation ${id}`);
  }
  if (shown.length < path.length) {
    names.splice(-1, 0, `… ${path.length - shown.length} more …`);
  }
  return `The operation would wait for itself: ${names.join(" → ")}.`;
}
