import type { RunDiagnostic } from "./run-event.ts";

const maxErrors = 3;
const maxMessageLength = 4_000;

/** Reads what `init` and `get`, which have no output for programs in every version, print about their errors. */
export function diagnosticsIn(lines: readonly string[]): readonly RunDiagnostic[] {
  const found: { severity: RunDiagnostic["severity"]; summary: string; detail: string[] }[] = [];
  for (const line of lines) {
    const text = line.replace(/^[│╷╵]\s?/u, "").trimEnd();
    const [, kind, summary = ""] = /^(Error|Warning): (.*)$/u.exec(text) ?? [];
    if (kind !== undefined) {
      found.push({ severity: kind === "Error" ? "error" : "warning", summary, detail: [] });
    } else {
      found.at(-1)?.detail.push(text);
    }
  }
  const diagnostics = found.map(({ severity, summary, detail }) => ({ severity, summary, detail: unwrapped(detail) }));
  // Commands about states and workspaces print plain sentences.
  return found.length === 0 && lines.some((line) => line.trim() !== "")
    ? [{ severity: "error", summary: unwrapped(lines.map((line) => line.trim())), detail: "" }]
    : diagnostics;
}

/** One text for people from all errors, each with what it is about. */
export function describeErrors(diagnostics: readonly RunDiagnostic[]): string | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) {
    return undefined;
  }
  const texts = errors.slice(0, maxErrors).map(describe);
  if (errors.length > maxErrors) {
    texts.push(`and ${errors.length - maxErrors} more errors`);
  }
  const message = texts.join("; ");
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message;
}

function describe({ summary, detail, address, place }: RunDiagnostic): string {
  const where = [address, place].filter((part) => part !== undefined).join(", ");
  return `${where === "" ? "" : `${where}: `}${summary}${detail === "" ? "" : `: ${detail}`}`;
}

/** Terraform wraps its text; indented lines are commands and lists, and stay as they are. */
function unwrapped(lines: readonly string[]): string {
  let text = "";
  for (const line of lines) {
    const separator = text === "" || text.endsWith("\n") ? "" : line === "" || line.startsWith(" ") ? "\n" : " ";
    text += `${separator}${line}${line === "" ? "\n" : ""}`;
  }
  return text.replaceAll(/\n{2,}/gu, "\n").trim();
}
