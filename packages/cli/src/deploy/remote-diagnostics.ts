import type { Diagnostic, FileDiagnostics } from "@rad/bicep";

/** The diagnostics of a file that was downloaded, as those of its URL: the folder that it lies in goes away. */
export function remoteDiagnostics(file: FileDiagnostics, display: string): FileDiagnostics {
  return { ...file, path: display, diagnostics: file.diagnostics.map((diagnostic) => explained(file, diagnostic)) };
}

/** Only the file itself was downloaded, so whatever it names beside itself is missing. */
function explained({ text }: FileDiagnostics, diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.code !== "BCP091") {
    return diagnostic;
  }
  const name = text.slice(diagnostic.span.start, diagnostic.span.end);
  const message = `Relative paths are not supported in a template from a URL: ${name}. Download the whole folder and deploy it from there, or use modules of a registry (br:…).`;
  return { ...diagnostic, message };
}
