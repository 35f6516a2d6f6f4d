import { ApiError, type ErrorDetail, type Logger, type Redactor } from "@rad/core";
import { StoreError } from "@rad/store";
import { type Answer, jsonAnswer } from "@rad/modules";

export function errorAnswer(error: ApiError, redactor?: Redactor): Answer {
  // RFC 9110 wants a 401 to say which credentials would do.
  const headers = error.status === 401 ? { "WWW-Authenticate": "Bearer" } : undefined;
  const detail = error.toDetail();
  return jsonAnswer(error.status, { error: redactor === undefined ? detail : hideIn(detail, redactor) }, headers);
}

/** Handlers write messages, and may put into them what they should not. */
function hideIn(detail: ErrorDetail, redactor: Redactor): ErrorDetail {
  const { message, details } = detail;
  return {
    ...detail,
    message: redactor.redact(message),
    ...(details === undefined ? {} : { details: details.map((inner) => hideIn(inner, redactor)) }),
  };
}

/** Makes a readable failure of whatever was thrown; what nobody foresaw is logged whole and leaves as a bare 500. */
export function toApiError(error: unknown, log: Logger): ApiError {
  if (error instanceof ApiError) {
    return error;
  }
  if (error instanceof StoreError) {
    switch (error.code) {
      case "Unavailable":
        return new ApiError("ServiceUnavailable", "The database cannot be reached; try again later.", { cause: error });
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
  const known = httpError(error);
  if (known !== undefined) {
    return known;
  }
  log.error("request failed unexpectedly", { error });
  return new ApiError("Internal", "The request failed unexpectedly; the server's log has the cause.");
}

/** Errors that the HTTP framework raises before our code runs. */
function httpError(error: unknown): ApiError | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new ApiError("RequestEntityTooLarge", "The request body is larger than this server accepts.");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new ApiError("UnsupportedMediaType", "Request bodies must be application/json.");
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return new ApiError("InvalidRequestContent", "The request body is not as long as its Content-Length says.");
    default:
      return undefined;
  }
}
