import { isLinterRule } from "@rad/bicep";
import type { Diagnostic } from "@rad/bicep";

/** The official page about a code; our own codes have none. */
export function diagnosticLink({ code }: Pick<Diagnostic, "code">): string | undefined {
  if (/^BCP\d{3}$/.test(code)) {
    return `https://aka.ms/bicep/core-diagnostics#${code}`;
  }
  return isLinterRule(code) ? `https://aka.ms/bicep/linter-diagnostics#${code}` : undefined;
}
