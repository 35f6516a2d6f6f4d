import { stripVTControlCharacters } from "node:util";
import { CliError } from "../cli-error.ts";

/**
 * The text for stderr: what the user can act on is shown as it is, a control plane's error as the object that it sent,
 * anything else as one line. Each ends with a blank line.
 */
export function describeError(error: unknown, traceId: string): string {
  if (error instanceof CliError || isDeployingError(error)) {
    const cause = error.cause instanceof Error ? ` Cause: ${withoutPeriod(error.cause.message)}.` : "";
    return `${clean(`${error.message}${cause}`)}\nCode:  ${error.code}\n\n`;
  }
  const trailer = `TraceId:  ${traceId}\n\n`;
  if (isApiError(error) && error.wire !== undefined) {
    const hint = Object.hasOwn(hints, error.code) ? `${hints[error.code]}\n\n` : "";
    return `Error: ${clean(JSON.stringify(error.wire, undefined, 2))}\n\n${hint}${trailer}`;
  }
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "Internal";
  return `Error: ${clean(message)}\nCode:  ${code}\n\n${trailer}`;
}

/** What to try next, by the control plane's error code. Its messages are for all clients and name no commands. */
const hints: Readonly<Record<string, string>> = {
  BadRequest: "If this is about a type or an api-version: `rad resource-type list` shows those that are registered.",
};

/** By shape, because loading the client to report that it is not needed would slow every error down. */
function isApiError(error: unknown): error is Error & { readonly code: string; readonly wire: object | undefined } {
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
