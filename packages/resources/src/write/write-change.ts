import { ApiError, type ResourceId } from "@rad/core";
import { type Store, type StoredDocument, StoreError, type Write } from "@rad/store";
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isReferencesPath } from "../references/reference-documents.ts";
import { requireScopes } from "../scopes.ts";
import type { Preconditions } from "./preconditions.ts";
import type { TypeDirectory } from "../types/served-type.ts";

/** How often a write is tried again because a registration changed under it. */
const maxTries = 4;

/** Runs a change again when the registration it relied on turned out to be stale. */
export async function withFreshTypes<T>(types: TypeDirectory, change: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await change();
    } catch (error) {
      const guard = error instanceof StoreError && error.code === "GuardFailed" ? error.guard : undefined;
      if (guard?.kind !== "exists" || tries === maxTries) {
        throw guard === undefined
          ? error
          : new ApiError("Conflict", "A registration changed meanwhile; try again.", { cause: error });
      }
      types.refresh();
    }
  }
}

/** After so many attempts, which take some seconds, the caller gets a conflict: other writers were faster. */
const maxLooks = 20;
const longestPauseMs = 250;

/**
 * Runs a change again when another write came in between, such as progress of the operation that a forced delete ends,
 * unless the caller named the version to change. It pauses, so as not to keep step with a worker that writes on and on.
 */
export async function lookingAgain<T>({ ifMatch = "*" }: Preconditions, change: () => Promise<T>): Promise<T> {
  for (let looks = 1; ; looks += 1) {
    try {
      return await change();
    } catch (error) {
      const wasFaster = error instanceof ApiError && isOvertaken(error.cause);
      if (!wasFaster || ifMatch !== "*" || looks === maxLooks) {
        throw error;
      }
      await sleep(randomInt(Math.min(2 ** looks, longestPauseMs)));
    }
  }
}

/** The document has changed, or somebody began to refer to it; the next attempt knows, and says, who. */
function isOvertaken(cause: unknown): boolean {
  if (!(cause instanceof StoreError)) {
    return false;
  }
  const { code, guard } = cause;
  return code === "EtagMismatch" || (guard?.kind === "empty" && isReferencesPath(guard.under));
}

/** Writes a change. @throws ApiError `Conflict` after a concurrent change, `NotFound` when the scope is gone. */
export async function writeChange(store: Store, id: ResourceId, change: Write): Promise<StoredDocument | undefined> {
  try {
    return await store.write(change);
  } catch (error) {
    if (!(error instanceof StoreError)) {
      throw error;
    }
    if (error.code === "EtagMismatch") {
      throw new ApiError("Conflict", "Somebody else changed the resource meanwhile; read it and try again.", {
        target: id.toString(),
        cause: error,
      });
    }
    if (error.code === "GuardFailed") {
      await requireScopes(store, id);
      if (error.guard?.kind !== "exists") {
        throw new ApiError("Conflict", "Something was created below the resource meanwhile; try again.", {
          target: id.toString(),
          cause: error,
        });
      }
    }
    throw error;
  }
}
