import type { FileDiagnostics } from "@rad/bicep";
import type { CommandContext } from "../command-context.ts";
import type { DiagnosticsFormat } from "./report-diagnostics.ts";

/** Ends a list of diagnostics with their number: `2 errors, 1 warning`. Says nothing where there are none. */
export function reportSummary(
  { host }: CommandContext,
  files: readonly FileDiagnostics[],
  format: DiagnosticsFormat,
): void {
  const text = diagnosticSummary(files);
  if (format === "default" && text !== undefined) {
    host.stderr.write(`${text}\n`);
  }
}

function diagnosticSummary(files: readonly FileDiagnostics[]): string | undefined {
  const found = files.flatMap(({ diagnostics }) => diagnostics);
  const counts = (["error", "warning", "info"] as const).map((level) => ({
    level,
    count: found.filter((diagnostic) => diagnostic.level === level).length,
  }));
  const parts = counts.filter(({ count }) => count > 0).map(({ level, count }) => counted(count, level));
  return parts.length === 0 ? undefined : parts.join(", ");
}

function counted(count: number, level: "error" | "warning" | "info"): string {
  const name = level === "info" ? "message" : level;
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}
