import { stripVTControlCharacters } from "node:util";
import type { Diagnostic, FileDiagnostics } from "@rad/bicep";
import type { Colors } from "../output/colors.ts";
import { diagnosticLink } from "./diagnostic-link.ts";

const levelNames = { error: "Error", warning: "Warning", info: "Info" } as const;
const tabWidth = 4;
const maxExcerpt = 160;

export interface DiagnosticTextOptions {
  /** Show a link to the code's page, and the line with a caret below each diagnostic: for people at a terminal. */
  readonly excerpts: boolean;
  readonly colors: Colors;
}

/** `path(line,column) : Level CODE: message`, one diagnostic a line, files in the order given. */
export function diagnosticText(files: readonly FileDiagnostics[], options: DiagnosticTextOptions): string {
  let text = "";
  for (const file of files) {
    for (const diagnostic of file.diagnostics) {
      text += `${diagnosticLine(file, diagnostic, options)}\n`;
      if (options.excerpts) {
        text += excerpt(file, diagnostic, options.colors);
      }
    }
  }
  return text;
}

function diagnosticLine(file: FileDiagnostics, diagnostic: Diagnostic, options: DiagnosticTextOptions): string {
  const { colors, excerpts } = options;
  const link = excerpts ? diagnosticLink(diagnostic) : undefined;
  const { line, column } = file.lineMap.position(diagnostic.span.start);
  const level = paint(diagnostic, colors)(`${levelNames[diagnostic.level]} ${diagnostic.code}`);
  const text = `${clean(file.path)}(${line},${column}) : ${level}: ${clean(diagnostic.message)}`;
  return link === undefined ? text : `${text} ${colors.dim(`[${link}]`)}`;
}

function excerpt(file: FileDiagnostics, diagnostic: Diagnostic, colors: Colors): string {
  const { line, column } = file.lineMap.position(diagnostic.span.start);
  const start = file.lineMap.lineStart(line);
  const raw = file.text.slice(start, file.lineMap.lineStart(line + 1)).replace(/[\r\n]+$/u, "");
  if (raw.length > maxExcerpt || raw.trim() === "") {
    return "";
  }
  const length = Math.max(1, Math.min(diagnostic.span.end - diagnostic.span.start, raw.length - column + 1));
  const margin = `${line} | `;
  const before = " ".repeat(margin.length + widthOf(raw.slice(0, column - 1)));
  const mark = paint(diagnostic, colors)("^".repeat(Math.max(1, widthOf(raw.slice(column - 1, column - 1 + length)))));
  return `${colors.dim(margin)}${clean(raw.replaceAll("\t", " ".repeat(tabWidth)))}\n${before}${mark}\n`;
}

function widthOf(text: string): number {
  return clean(text.replaceAll("\t", " ".repeat(tabWidth))).length;
}

function paint(diagnostic: Diagnostic, colors: Colors): (text: string) => string {
  switch (diagnostic.level) {
    case "error":
      return colors.red;
    case "warning":
      return colors.yellow;
    case "info":
      return colors.cyan;
    default:
      return diagnostic.level satisfies never;
  }
}

/** Names and texts come from files: they must neither move the cursor nor begin a line. */
function clean(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return stripVTControlCharacters(text).replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/gu, " ");
}
