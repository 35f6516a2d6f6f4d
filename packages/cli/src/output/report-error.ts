import type { JsonObject } from "@rad/core";
import { stripVTControlCharacters } from "node:util";
import { CliError } from "../cli-error.ts";
import type { ShownError } from "./error-tree.ts";
import { errorTree } from "./error-tree.ts";

/**
 * The text for stderr: a message, its code, and for an error of the control plane the errors inside it and the trace id.
 * It ends with a blank line.
 */
export function describeError(error: unknown, traceId: string): string {
  if (error instanceof CliError || isDeployingError(error)) {
    const cause = error.cause instanceof Error ? ` Cause: ${withoutPeriod(error.cause.message)}.` : "";
    return `${clean(`${error.message}${cause}`)}\nCode:  ${error.code}\n\n`;
  }
  const message = error instanceof Error ? error.message : String(error);
  const tree = isApiError(error) ? errorTree(error).map((line) => `${line}\n`) : [];
  const hint = isApiError(error) ? hintFor(error) : undefined;
  const advice = hint === undefined ? "" : `${hint}\n`;
  return `Error: ${clean(message)}\nCode:  ${codeOf(error)}\n${tree.join("")}${advice}\nTraceId:  ${traceId}\n\n`;
}

/** What `-o json` prints in place of a result: the control plane's own error, or ours in the same form. */
export function errorDocument(error: unknown): JsonObject {
  if (isApiError(error) && error.wire !== undefined) {
    return { error: error.wire };
  }
  return { error: { code: codeOf(error), message: clean(error instanceof Error ? error.message : String(error)) } };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "Internal";
}

/** What to try next. The control plane's messages are for all clients and name no commands. */
function hintFor({ code, message, cause }: ApiError): string | undefined {
  if (code === "ConnectionFailed" && isRefusedHere(cause)) {
    return "Run `rad server start` to start a control plane on this machine, or `rad workspace switch <name>` to use another one.";
  }
  if (code === "UnexpectedResponse") {
    return "Another program may be answering there: check the URL in `rad workspace list`.";
  }
  if (code === "InvalidAuthenticationInfo") {
    return "With a token that it accepts, run `rad workspace create server <name> --url <url> --token-file <file> --force`; `rad server token --renew` replaces a lost one of a server on this machine.";
  }
  if (code === "BadRequest" && /\bapi-version\b|\btypes?\b/i.test(message)) {
    return "`rad resource-type list` shows the types and api-versions that are registered.";
  }
  return undefined;
}

/** Nobody listens at an address of this machine. */
function isRefusedHere(cause: unknown): boolean {
  const attempts: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return attempts.some(
    (error) =>
      error instanceof Error &&
      "code" in error &&
      error.code === "ECONNREFUSED" &&
      "address" in error &&
      /^(?:127\.|::1$)/.test(String(error.address)),
  );
}

type ApiError = Error & ShownError & { readonly wire: JsonObject | undefined };

/** By shape, because loading the client to report that it is not needed would slow every error down. */
function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === "ClientError" && "wire" in error;
}

/** What is wrong with a deployment before anything is sent is as plain as our own errors; by shape for the same reason. */
function isDeployingError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && error.name === "DeployingError" && "code" in error;
}

function clean(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return stripVTControlCharacters(text).replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}

function withoutPeriod(text: string): string {
  return text.endsWith(".") ? text.slice(0, -1) : text;
}
