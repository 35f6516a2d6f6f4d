import { ResourceId } from "@rad/core/resource-id";
import { printableLine } from "./printable.ts";

/** An error of the control plane, as far as people are shown it. */
export interface ShownError {
  readonly code: string;
  readonly message: string;
  readonly target?: string | undefined;
  readonly details?: readonly ShownError[] | undefined;
  readonly additionalInfo?: readonly { readonly type: string; readonly info: unknown }[] | undefined;
}

/**
 * The errors inside an error, one a line, those inside them indented: `- <code>: <message> (<type>/<name>)`. What went
 * well and what the line above says already is left out.
 */
export function errorTree(error: ShownError, indent = "  "): string[] {
  return shownDetails(error).flatMap((detail) => [
    `${indent}- ${lineOf(detail, error)}`,
    ...errorTree(detail, `${indent}  `),
  ]);
}

/** Deployments list a few of their successes among the errors, and wrap each failure in one that says only "Failed". */
function shownDetails({ details = [], target }: ShownError): ShownError[] {
  return details
    .filter(({ code }) => code !== "OK")
    .map((detail) => ({ ...detail, target: detail.target ?? target }))
    .flatMap((detail) =>
      detail.code === "ResourceDeploymentFailure" && (detail.details ?? []).length > 0
        ? shownDetails(detail)
        : [detail],
    );
}

function lineOf({ code, message, target, additionalInfo }: ShownError, parent: ShownError): string {
  const text = parent.message.endsWith(message) ? code : `${code}: ${message}`;
  return printableLine(`${text}${aboutText(target, message, parent.target)}${placeText(additionalInfo)}`);
}

/** What an error is about, unless its message or the error around it says so. */
function aboutText(target: string | undefined, message: string, parentTarget: string | undefined): string {
  if (target === undefined || target === "" || target === parentTarget || message.includes(target)) {
    return "";
  }
  const id = ResourceId.tryParse(target);
  return id?.kind === "resource" ? ` (${id.type}/${id.name})` : ` (${target})`;
}

/** Where in a template an error is, when no line of Bicep can be shown. */
function placeText(additionalInfo: ShownError["additionalInfo"] = []): string {
  for (const { type, info } of additionalInfo) {
    const path = typeof info === "object" && info !== null && "path" in info ? info.path : undefined;
    if (type === "TemplateViolation" && typeof path === "string" && path !== "") {
      return ` (at ${path})`;
    }
  }
  return "";
}
