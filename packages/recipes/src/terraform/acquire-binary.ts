import { ApiError } from "@rad/core";
import { setupError } from "@rad/radius-types";
import type { ExecutionLease, ExecutionLeases } from "@rad/terraform";

/** Before anything else: without a binary nothing is read, downloaded or created. @throws RecipeError with the installer's text */
export async function acquireBinary(
  leases: Pick<ExecutionLeases, "acquire">,
  signal: AbortSignal,
): Promise<ExecutionLease> {
  try {
    return await leases.acquire({ signal });
  } catch (error) {
    if (error instanceof ApiError && !error.transient) {
      throw setupError(error.code, error.message, { details: error.details, cause: error });
    }
    throw error;
  }
}
