import type { Diagnostic } from "@rad/bicep";
import type { ClientError } from "@rad/client";
import type { ErrorDetail } from "@rad/core";
import { isJsonObject } from "@rad/core";
import { diagnosticText } from "../bicep/diagnostic-text.ts";
import type { CommandContext } from "../command-context.ts";
import { resolvePath } from "./json-path.ts";
import type { TemplateSource } from "./template-source.ts";

/** The innermost errors that name a place in the template, as the compiler would have shown them. */
export function failurePlaces(context: CommandContext, error: ClientError, source: TemplateSource): string {
  const { origins } = source;
  if (origins === undefined) {
    return "";
  }
  const colors = context.errorColors;
  const excerpts = context.host.stderr.isTTY === true;
  return locatedErrors(error)
    .map(({ code, message, path }) => {
      const place = origins.sourceMap.find(resolvePath(source.template, path));
      if (place === undefined) {
        return "";
      }
      const file = origins.file(place.file);
      const start = file.lineMap.lineStart(place.line) + place.column - 1;
      const diagnostic: Diagnostic = { code, level: "error", message, span: { start, end: start + 1 } };
      return diagnosticText([{ ...file, diagnostics: [diagnostic] }], { excerpts, colors });
    })
    .join("");
}

interface LocatedError {
  readonly code: string;
  readonly message: string;
  readonly path: string;
}

/**
 * An error with a path stands for its place, and the errors inside it say what is wrong there: so each path is shown
 * with the message of the first error inside that has none of its own below it.
 */
function locatedErrors(error: ErrorDetail): LocatedError[] {
  const inner = (error.details ?? []).flatMap(locatedErrors);
  const path = pathOf(error);
  if (inner.length > 0 || path === undefined) {
    return inner;
  }
  const { code, message } = innermost(error);
  return [{ code, message, path }];
}

function innermost(error: ErrorDetail): ErrorDetail {
  const [only, ...others] = error.details ?? [];
  return only === undefined || others.length > 0 ? error : innermost(only);
}

function pathOf(error: ErrorDetail): string | undefined {
  for (const { type, info } of error.additionalInfo ?? []) {
    if (type === "TemplateViolation" && isJsonObject(info) && typeof info["path"] === "string") {
      return info["path"];
    }
  }
  return undefined;
}
