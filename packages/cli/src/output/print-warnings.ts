import type { Output } from "./output.ts";
import { printableLine } from "./printable.ts";

/** What the control plane accepts but advises against, each line once, on stderr. */
export function printWarnings(output: Output, warnings: readonly string[]): void {
  for (const text of new Set(warnings)) {
    output.note(`Warning: ${printableLine(text)}`);
  }
}
