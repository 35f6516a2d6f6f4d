import { ApiError } from "@rad/core";

const type = "EffectUnknown";

/** The failure of a resource that was sent to a target outside of the store, and of which nothing was heard since. */
export function unknownEffect(code: "Internal" | "ServiceUnavailable", cause: unknown): ApiError {
  const reason = {
    Internal: "The target failed unexpectedly (the server's log has the cause)",
    ServiceUnavailable: "The provider cannot be reached",
  }[code];
  return new ApiError(code, `${reason}, so it is not known whether the resource was made.`, {
    additionalInfo: [{ type, info: {} }],
    cause,
  });
}

export function isUnknownEffect(error: unknown): boolean {
  return error instanceof ApiError && error.additionalInfo.some((info) => info.type === type);
}
