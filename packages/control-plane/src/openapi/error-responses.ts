import { type ErrorCode, type JsonObject, statusByCode } from "@rad/core";
import { ref, withHeaders } from "./parts.ts";

/** A failure as the document names it: what it means, and one of the codes that it comes with. */
interface Failure {
  readonly description: string;
  readonly code: ErrorCode;
  readonly message: string;
}

const failures = {
  BadRequest: {
    description: "The URL, the api-version or the body is wrong. `details` names each problem of a body.",
    code: "BadRequest",
    message: "'top' must be a whole number from 5 to 20, not '3'. Leave it out for pages of 10.",
  },
  Unauthenticated: {
    description: "There is no token, or it is not valid.",
    code: "InvalidAuthenticationInfo",
    message: "This request needs a bearer token in its Authorization header.",
  },
  Forbidden: {
    description: "The caller lacks the permission that the message names.",
    code: "Forbidden",
    message: "'token:ci' needs Applications.Core/containers/write at '/planes/radius/local/resourceGroups/default'.",
  },
  NotFound: {
    description: "There is no such resource, group, plane, operation or route.",
    code: "NotFound",
    message: "the resource with id '/planes/radius/local/resourcegroups/default' was not found",
  },
  Conflict: {
    description: "Another operation works on the resource, or what is to be deleted still contains something.",
    code: "Conflict",
    message: "Somebody else changed this meanwhile; try again.",
  },
  PreconditionFailed: {
    description: "`If-Match` or `If-None-Match` does not hold.",
    code: "PreconditionFailed",
    message: "If-None-Match asks for a new resource, but it exists already.",
  },
  TooLarge: {
    description: "The body is larger than the server accepts.",
    code: "RequestEntityTooLarge",
    message: "The request body is larger than this server accepts.",
  },
  UnsupportedMediaType: {
    description: "The body is not `application/json`.",
    code: "UnsupportedMediaType",
    message: "Request bodies must be application/json.",
  },
  Internal: {
    description: "A bug. The server's log has the cause under the request id.",
    code: "Internal",
    message: "The request failed unexpectedly; the server's log has the cause.",
  },
  Unavailable: {
    description: "The database cannot be reached, or the server is stopping. Try again later.",
    code: "ServiceUnavailable",
    message: "The database cannot be reached or used yet; try again later.",
  },
  InsufficientStorage: {
    description: "The database's disk is full or read-only. Nothing was stored.",
    code: "InsufficientStorage",
    message: "The database cannot be written: its disk is full or read-only.",
  },
} as const satisfies Readonly<Record<string, Failure>>;
type FailureName = keyof typeof failures;

const open: readonly FailureName[] = ["BadRequest", "Internal"];
const read: readonly FailureName[] = [
  "BadRequest",
  "Unauthenticated",
  "Forbidden",
  "NotFound",
  "Internal",
  "Unavailable",
];
const remove: readonly FailureName[] = [...read, "Conflict", "PreconditionFailed", "InsufficientStorage"];
const write: readonly FailureName[] = [...remove, "TooLarge", "UnsupportedMediaType"];
const byKind = { open, read, remove, write };

/** `components.responses`: every failure that operations refer to. */
export const errorResponses: JsonObject = {
  ...Object.fromEntries(
    Object.entries(failures).map(([name, { description, code, message }]) => [
      name,
      failureResponse(description, { error: { code, message } }),
    ]),
  ),
  Failure: failureResponse("Any other failure."),
};

/** The answers of an operation: those given, and every failure of its kind. `open` needs no token. */
export function responses(kind: keyof typeof byKind, answers: JsonObject): { responses: JsonObject } {
  const failed = byKind[kind].map((name): [string, JsonObject] => [
    String(statusByCode[failures[name].code]),
    { $ref: `#/components/responses/${name}` },
  ]);
  return {
    responses: { ...answers, ...Object.fromEntries(failed), default: { $ref: "#/components/responses/Failure" } },
  };
}

function failureResponse(description: string, example?: JsonObject): JsonObject {
  const media = { schema: ref("ErrorResponse"), ...(example === undefined ? {} : { example }) };
  const response = { description, content: { "application/json": media } };
  return withHeaders(response, "x-ms-request-id", "x-ms-correlation-request-id");
}
