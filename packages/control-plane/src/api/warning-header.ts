/** The `Warning` header (RFC 7234) with these texts; none when there are none. */
export function warningHeader(warnings: readonly string[]): Readonly<Record<string, string>> {
  return warnings.length === 0 ? {} : { Warning: warnings.map((text) => `299 - "${quotable(text)}"`).join(", ") };
}

/** What a quoted string of a header may hold. */
function quotable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?").replaceAll(/["\\]/g, "\\$&");
}
