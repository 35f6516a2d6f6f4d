import type { ErrorDetail, ErrorInfo, JsonObject, JsonValue } from "@rad/core";
import { isJsonObject } from "@rad/core/json";
import { unfoldError } from "./unfold-error.ts";

/** Failures that start on this side of the wire; everything else carries the server's own code. */
export const ClientErrorCode = {
  InvalidEndpoint: "InvalidEndpoint",
  InvalidPath: "InvalidPath",
  ConnectionFailed: "ConnectionFailed",
  CertificateRefused: "CertificateRefused",
  RequestTimeout: "RequestTimeout",
  UntrustedLink: "UntrustedLink",
  UnexpectedRedirect: "UnexpectedRedirect",
  UnexpectedResponse: "UnexpectedResponse",
  OperationLost: "OperationLost",
} as const;
export type ClientErrorCode = (typeof ClientErrorCode)[keyof typeof ClientErrorCode];

export interface ClientErrorOptions {
  readonly status?: number;
  readonly target?: string;
  readonly details?: readonly ErrorDetail[];
  readonly additionalInfo?: readonly ErrorInfo[];
  readonly cause?: unknown;
  /** The error object as the server sent it, errors in its messages unfolded; absent when the failure is ours. */
  readonly wire?: JsonObject;
}

/** Why a call did not do what was asked. Branch on `code`; `status` is there only when a server answered. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  /** A `ClientErrorCode`, or whatever the server sent. */
  readonly code: ClientErrorCode | (string & {});
  readonly status: number | undefined;
  readonly target: string | undefined;
  readonly details: readonly ErrorDetail[];
  readonly additionalInfo: readonly ErrorInfo[];
  readonly wire: JsonObject | undefined;

  constructor(code: ClientErrorCode | (string & {}), message: string, options: ClientErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.target = options.target;
    this.details = options.details ?? [];
    this.additionalInfo = options.additionalInfo ?? [];
    this.wire = options.wire;
  }

  /** The server says that what was asked for is not there. */
  get isNotFound(): boolean {
    return this.status === 404 || this.code === "NotFound";
  }
}

/** How long a control plane may be away, for example restarting, before waiting for it is given up. */
export const longestOutageMs = 30_000;

const statusOfOutage: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);

/** Whether a control plane is away for a moment, for example restarting. */
export function isOutage(error: unknown): boolean {
  return error instanceof ClientError && (error.code === "ConnectionFailed" || statusOfOutage.has(error.status));
}

export function operationLost(origin: string): ClientError {
  return new ClientError(
    "OperationLost",
    `Lost the connection to ${origin} while an operation was running. It continues there: look at the resource once the control plane is back.`,
  );
}

/** Of a call that nothing is left of when its connection is. */
export function connectionLost(origin: string): ClientError {
  return new ClientError(
    "ConnectionFailed",
    `Lost the connection to ${origin} before the answer was complete. Nothing was changed; run the command again.`,
  );
}

/** Reads an ARM error object, `{ code, message, target?, details? }`; `undefined` when it is something else. */
export function errorFromWire(value: JsonValue | undefined, status?: number): ClientError | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const wire = unfoldError(value);
  const detail = toDetail(wire);
  if (detail === undefined) {
    return undefined;
  }
  return new ClientError(detail.code, detail.message, {
    ...detail,
    wire,
    ...(status === undefined ? {} : { status }),
  });
}

/** One error of many, with those inside it; `undefined` when it is something else. */
export function toDetail(value: JsonValue): ErrorDetail | undefined {
  if (!isJsonObject(value) || typeof value["code"] !== "string" || typeof value["message"] !== "string") {
    return undefined;
  }
  const { code, message, target, details, additionalInfo } = value;
  return {
    code,
    message,
    ...(typeof target === "string" ? { target } : {}),
    ...(Array.isArray(details) ? { details: details.flatMap((item) => toDetail(item) ?? []) } : {}),
    ...(Array.isArray(additionalInfo) ? { additionalInfo: additionalInfo.flatMap((item) => toInfo(item) ?? []) } : {}),
  };
}

function toInfo(value: JsonValue): ErrorInfo | undefined {
  if (!isJsonObject(value) || typeof value["type"] !== "string") {
    return undefined;
  }
  return { type: value["type"], info: value["info"] ?? null };
}
