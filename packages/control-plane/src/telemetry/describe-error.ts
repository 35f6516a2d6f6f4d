/** What a log line says about an error. */
export interface ErrorDescription {
  readonly name: string;
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorDescription;
}

const maxCauses = 3;

/**
 * Names the few fields that help. Libraries hang more on their errors, such as the request that failed with all of its
 * headers, or the claims of a token; none of that is for a log.
 */
export function describeError(error: Error, depth = 0): ErrorDescription {
  const code = "code" in error ? error.code : undefined;
  if (code === "Unavailable") {
    return { name: error.name, code, message: error.message }; // the world's fault: where it was noticed does not help
  }
  return {
    name: error.name,
    ...(typeof code === "string" ? { code } : {}),
    message: error.message,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause instanceof Error && depth < maxCauses ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
}
