import type { Output } from "./output.ts";

/** What the control plane accepts but advises against, each line once, on stderr. */
export async function printWarnings(output: Output, warnings: readonly string[]): Promise<void> {
  if (warnings.length === 0) {
    return;
  }
  const { printableLine } = await import("./printable.ts");
  for (const text of new Set(warnings)) {
    output.note(`Warning: ${printableLine(text)}`);
  }
}
