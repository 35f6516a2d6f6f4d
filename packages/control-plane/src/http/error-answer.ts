import { ApiError, type Logger, type Redactor } from "@rad/core";
import { StoreError } from "@rad/store";
import { type Answer, jsonAnswer } from "@rad/modules";

/** A URL that is there, asked for in a way that it does not answer. */
export class MethodNotAllowedError extends ApiError {
  readonly allow: readonly string[];

  constructor(method: string, path: string, allow: readonly string[]) {
    super("BadRequest", `${method} is not allowed on '${path}'.`, { status: 405 });
    this.allow = allow;
  }
}

/** While there is no database to answer from, or documents in it are being upgraded. */
export function databaseAway(cause?: unknown): ApiError {
  return new ApiError("ServiceUnavailable", "The database cannot be reached or used yet; try again later.", { cause });
}

export function errorAnswer(error: ApiError, redactor?: Redactor): Answer {
  const headers = headersOf(error);
  const detail = error.toDetail();
  // Handlers write messages, and may put into them what they should not.
  return jsonAnswer(error.status, { error: redactor?.redactError(detail) ?? detail }, headers);
}

/** RFC 9110 wants a 401 to say which credentials would do, a 405 which methods, and a 503 when to try again. */
function headersOf(error: ApiError): Answer["headers"] {
  if (error.status === 401) {
    return { "WWW-Authenticate": "Bearer" };
  }
  if (error.status === 503) {
    return { "Retry-After": "1" };
  }
  return error instanceof MethodNotAllowedError ? { Allow: error.allow.join(", ") } : undefined;
}

/** Makes a readable failure of whatever was thrown; what nobody foresaw is logged whole and leaves as a bare 500. */
export function toApiError(error: unknown, log: Logger): ApiError {
  if (error instanceof ApiError) {
    return error;
  }
  if (error instanceof StoreError) {
    switch (error.code) {
      case "Unavailable":
        return databaseAway(error);
      case "NotWritable":
        log.error("the database cannot be written", { error });
        return new ApiError("InsufficientStorage", "The database cannot be written: its disk is full or read-only.", {
          cause: error,
        });
      case "EtagMismatch":
      case "GuardFailed":
        return new ApiError("Conflict", "Somebody else changed this meanwhile; try again.", { cause: error });
      case "LeaseLost":
      case "WaitCycle":
      case "InvalidToken":
      case "CannotOpen":
        break;
      default:
        return error.code satisfies never;
    }
  }
  log.error("request failed unexpectedly", { error });
  return new ApiError("Internal", "The request failed unexpectedly; the server's log has the cause.");
}
