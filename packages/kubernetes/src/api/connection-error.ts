import { ApiError } from "@rad/core";
import type { Connection } from "../config/connection.ts";

/** An answer that took too long, or was too large. The message says what the server did. */
export class LimitExceeded extends Error {
  override readonly name = "LimitExceeded";
}

/** What kept a call from being answered: the way to the server, or its certificate. */
export function connectionError(error: unknown, connection: Connection, subject: string): ApiError {
  const { server } = connection;
  const code = codeOf(error);
  const place = placeOf(connection);
  const untrusted = trustProblem(code, connection, error);
  if (untrusted !== undefined) {
    return new ApiError("ServiceUnavailable", `${subject}: no connection to ${place}. ${untrusted}`, { cause: error });
  }
  return new ApiError("ServiceUnavailable", `${subject}: ${place} ${reachProblem(code, server, error)}`, {
    transient: true,
    cause: error,
  });
}

/** `the cluster 'kind-dev' (https://127.0.0.1:6443)` */
export function placeOf({ description, server }: Connection): string {
  return description.includes(server.origin) ? description : `${description} (${server.origin})`;
}

function reachProblem(code: string | undefined, server: URL, error: unknown): string {
  if (error instanceof LimitExceeded) {
    return `${error.message}.`;
  }
  switch (code) {
    case "ECONNREFUSED":
      return "refuses connections (ECONNREFUSED). Check that its API server runs, and the address.";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `cannot be found: the name '${server.hostname}' does not resolve (${code}).`;
    case "ECONNRESET":
    case "EPIPE":
      return `closed the connection before it answered (${code}).`;
    case "EPROTO":
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
      return `does not speak TLS as expected (${code}). Check the address.`;
    default:
      return `cannot be reached (${code ?? (error instanceof Error ? error.message : "unknown error")}).`;
  }
}

/** Nothing for problems that have nothing to do with certificates and credentials. */
function trustProblem(code: string | undefined, connection: Connection, error: unknown): string | undefined {
  const now = new Date().toISOString();
  switch (code) {
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "CERT_SIGNATURE_FAILURE":
    case "INVALID_CA":
      return `Its certificate is not signed by ${connection.caSource} (${code}). Put the cluster's current authority there.`;
    case "CERT_NOT_YET_VALID":
      return `Its certificate is not valid yet, and it is ${now} here: check the clocks of both machines (${code}).`;
    case "CERT_HAS_EXPIRED":
      return `Its certificate has expired, and it is ${now} here: renew it, or check the clocks of both machines (${code}).`;
    case "ERR_TLS_CERT_ALTNAME_INVALID": {
      const reason = error instanceof Error && "reason" in error ? String(error.reason) : code;
      return `Its certificate is for another name: ${reason} Check the address, or set tls-server-name.`;
    }
    case "ERR_INVALID_CHAR":
      return `The token of ${connection.credentials.description} has characters that no token has.`;
    default:
      return code?.startsWith("ERR_OSSL_") === true
        ? `The certificate or the key of ${connection.credentials.description} cannot be read (${code}).`
        : undefined;
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
