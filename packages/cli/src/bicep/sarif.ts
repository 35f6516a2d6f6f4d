import { pathToFileURL } from "node:url";
import type { FileDiagnostics } from "@rad/bicep";
import { diagnosticLink } from "./diagnostic-link.ts";
import type { Notice } from "../notice.ts";

const levels = { error: "error", warning: "warning", info: "note" } as const;

/** All diagnostics as one SARIF 2.1.0 log; what has no place in a file is a notification of the tool. */
export function sarifLog(files: readonly FileDiagnostics[], notices: readonly Notice[], version: string): string {
  const results = files.flatMap((file) => {
    const uri = pathToFileURL(file.path).href;
    return file.diagnostics.map(({ code, level, message, span }) => {
      const start = file.lineMap.position(span.start);
      const end = file.lineMap.position(span.end);
      const region = { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
      return {
        ruleId: code,
        level: levels[level],
        message: { text: message },
        locations: [{ physicalLocation: { artifactLocation: { uri }, region } }],
      };
    });
  });
  const notifications = notices.map(({ level, code, message }) => ({
    descriptor: { id: code },
    level: levels[level],
    message: { text: message },
  }));
  const invocation = { executionSuccessful: true, toolExecutionNotifications: notifications };
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "rad bicep", version, rules: rulesOf(files) } },
        ...(notices.length === 0 ? {} : { invocations: [invocation] }),
        results,
        columnKind: "utf16CodeUnits",
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

/** One entry for each code that was found, with the page about it where there is one. */
function rulesOf(files: readonly FileDiagnostics[]): { readonly id: string; readonly helpUri?: string }[] {
  const codes = new Set(files.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)));
  return Array.from(codes, (code) => {
    const helpUri = diagnosticLink({ code });
    return helpUri === undefined ? { id: code } : { id: code, helpUri };
  });
}
