import type { Diagnostic } from "@rad/bicep";
import { deploymentType } from "@rad/client";
import { type ErrorDetail, isJsonObject, type JsonObject, ResourceId } from "@rad/core";
import { diagnosticText } from "../bicep/diagnostic-text.ts";
import type { CommandContext } from "../command-context.ts";
import { stderrColors } from "../output/colors.ts";
import { printableLine } from "../output/printable.ts";
import type { PathSegment } from "./json-path.ts";
import { resolvePath } from "./json-path.ts";
import { describeId } from "../progress/progress-item.ts";
import type { TemplateSource } from "./template-source.ts";

export interface FailurePlaces {
  /** The innermost errors that name a place in the template, as the compiler would have shown them. */
  readonly text: string;
  /** The errors whose place is not known, with those around them. `undefined` when `text` says it all. */
  readonly rest: ErrorDetail | undefined;
}

/** Parts what can be shown at its line of Bicep from what cannot. */
export function failurePlaces(context: CommandContext, error: ErrorDetail, source: TemplateSource): FailurePlaces {
  const { origins } = source;
  if (origins === undefined) {
    return { text: "", rest: error };
  }
  const colors = stderrColors(context);
  const excerpts = context.host.stderr.isTTY === true;
  const show = ({ code, message, path, about }: LocatedError): string | undefined => {
    const place = origins.sourceMap.find(segmentsOf(source.template, path, message));
    if (place === undefined) {
      return undefined;
    }
    const file = origins.file(place.file);
    const start = file.lineMap.lineStart(place.line) + place.column - 1;
    const span = { start, end: start + 1 };
    const diagnostic: Diagnostic = { code, level: "error", message: `${message}${about}`, span };
    return diagnosticText([{ ...file, diagnostics: [diagnostic] }], { excerpts, colors });
  };
  return placesOf(error, show);
}

interface LocatedError {
  readonly code: string;
  readonly message: string;
  readonly path: string;
  /** What follows the message. */
  readonly about: string;
}

/** An error with a path stands for its place; the innermost errors inside it say what is wrong there. */
function placesOf(error: ErrorDetail, show: (located: LocatedError) => string | undefined): FailurePlaces {
  const inner = (error.details ?? []).map((detail) => placesOf(detail, show));
  const text = inner.map((places) => places.text).join("");
  if (text !== "") {
    const details = inner.flatMap(({ rest }) => rest ?? []);
    return {
      text,
      rest: details.some(({ code }) => code !== "OK") ? { ...error, message: error.message, details } : undefined,
    };
  }
  const path = pathOf(error);
  const about = resourceOf(error);
  const shown =
    path === undefined ? [] : innermost(error).map(({ code, message }) => show({ code, message, path, about }));
  return shown.length > 0 && shown.every((place) => place !== undefined)
    ? { text: shown.join(""), rest: undefined }
    : { text: "", rest: error };
}

/** The resource that an error is about: in a loop, or in a module that is used twice, the place alone does not tell. */
function resourceOf({ target = "" }: ErrorDetail): string {
  if (ResourceId.tryParse(target)?.kind !== "resource") {
    return "";
  }
  const { type, name } = describeId(target);
  return type.toLowerCase() === deploymentType.toLowerCase() ? "" : ` (${printableLine(`${type}/${name}`)})`;
}

function innermost(error: ErrorDetail): ErrorDetail[] {
  const details = error.details ?? [];
  return details.length === 0 ? [error] : details.flatMap(innermost);
}

/**
 * Where in the template an error belongs. One about a resource may begin with a path in its body, `$.properties.size in body …`,
 * which in a compiled template lies in the entry of the resource, or one level below it for those of extensions.
 */
function segmentsOf(template: JsonObject, path: string, message: string): PathSegment[] {
  const inBody = /^\$([.[].*?)(?:: | in body )/.exec(message)?.[1] ?? "";
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
