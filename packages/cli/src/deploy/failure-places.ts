import type { Diagnostic } from "@rad/bicep";
import type { ErrorDetail, JsonObject } from "@rad/core";
import { isJsonObject } from "@rad/core";
import { diagnosticText } from "../bicep/diagnostic-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { PathSegment } from "./json-path.ts";
import { resolvePath } from "./json-path.ts";
import type { TemplateSource } from "./template-source.ts";

/** The innermost errors that name a place in the template, as the compiler would have shown them. */
export function failurePlaces(context: CommandContext, error: ErrorDetail, source: TemplateSource): string {
  const { origins } = source;
  if (origins === undefined) {
    return "";
  }
  const colors = context.errorColors;
  const excerpts = context.host.stderr.isTTY === true;
  return locatedErrors(error)
    .map(({ code, message, path }) => {
      const place = origins.sourceMap.find(segmentsOf(source.template, path, message));
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

/** An error with a path stands for its place; the innermost errors inside it say what is wrong there. */
function locatedErrors(error: ErrorDetail): LocatedError[] {
  const inner = (error.details ?? []).flatMap(locatedErrors);
  const path = pathOf(error);
  if (inner.length > 0 || path === undefined) {
    return inner;
  }
  return innermost(error).map(({ code, message }) => ({ code, message, path }));
}

function innermost(error: ErrorDetail): ErrorDetail[] {
  const details = error.details ?? [];
  return details.length === 0 ? [error] : details.flatMap(innermost);
}

/**
 * Where in the template an error belongs. One about a resource may begin with a path in its body, `$.properties.size: …`,
 * which in a compiled template lies in the entry of the resource, or one level below it for those of extensions.
 */
function segmentsOf(template: JsonObject, path: string, message: string): PathSegment[] {
  const inBody = /^\$([.[].*?): /.exec(message)?.[1] ?? "";
  const [longest = []] = [path, `${path}${inBody}`, `${path}.properties${inBody}`]
    .map((candidate) => resolvePath(template, candidate))
    .sort((a, b) => b.length - a.length);
  return longest;
}

function pathOf(error: ErrorDetail): string | undefined {
  for (const { type, info } of error.additionalInfo ?? []) {
    if (type === "TemplateViolation" && isJsonObject(info) && typeof info["path"] === "string") {
      return info["path"];
    }
  }
  return undefined;
}
