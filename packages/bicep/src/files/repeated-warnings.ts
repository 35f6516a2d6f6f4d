import type { Diagnostic } from "../diagnostic.ts";
import type { FileDiagnostics } from "./compilation.ts";

/** A warning about the configuration holds for every file below it, and is worth telling once. */
export function withoutRepeatedWarnings(files: readonly FileDiagnostics[]): readonly FileDiagnostics[] {
  const told = new Set<string>();
  const isNew = ({ code, message }: Diagnostic): boolean => {
    if (code !== "unknown-linter-rule") {
      return true;
    }
    const isFirst = !told.has(message);
    told.add(message);
    return isFirst;
  };
  return files.map((file) => ({ ...file, diagnostics: file.diagnostics.filter(isNew) }));
}
