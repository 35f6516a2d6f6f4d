/** A `Warning` header (RFC 7234) for each of these texts. */
export function warningHeader(warnings: readonly string[]): { readonly Warning?: string[] } {
  return warnings.length === 0 ? {} : { Warning: warnings.map((text) => `299 - "${quotable(text)}"`) };
}

/** What a quoted string of a header may hold. */
function quotable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?").replaceAll(/["\\]/g, "\\$&");
}
