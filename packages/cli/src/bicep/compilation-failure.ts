import type { FileDiagnostics } from "@rad/bicep";
import { ReportedFailure } from "../cli-error.ts";

/** Ends a command whose file has errors, all of them reported. With `-o json` the document has them once more. */
export function compilationFailure(file: string, files: readonly FileDiagnostics[]): ReportedFailure {
  const details = files.flatMap(({ path, lineMap, diagnostics }) =>
    diagnostics
      .filter(({ level }) => level === "error")
      .map(({ code, message, span }) => {
        const { line, column } = lineMap.position(span.start);
        return { code, message, target: `${path}(${line},${column})` };
      }),
  );
  const message = `${file} has ${details.length === 1 ? "1 error" : `${details.length} errors`}.`;
  return new ReportedFailure(message, { error: { code: "CompilationFailed", message, details } });
}
