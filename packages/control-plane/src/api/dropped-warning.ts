const maxPaths = 20;
const maxCharacters = 1024;

/** The `Warning` header (RFC 7234) that names members of a body that were not stored; none when all were. */
export function droppedWarning(dropped: readonly string[]): Readonly<Record<string, string>> {
  if (dropped.length === 0) {
    return {};
  }
  const named: string[] = [];
  let length = 100; // for the words around the paths
  for (const path of dropped.slice(0, maxPaths)) {
    const text = headerText(path);
    length += text.length + 2;
    if (length > maxCharacters) {
      break;
    }
    named.push(text);
  }
  const more = dropped.length > named.length ? ` and ${dropped.length - named.length} more` : "";
  return { Warning: `299 - "The resource type has no such members, they were not stored: ${named.join(", ")}${more}"` };
}

/** What a quoted string of a header may hold. */
function headerText(path: string): string {
  return path.replaceAll(/[^\x20-\x7e]/g, "?").replaceAll(/["\\]/g, "\\$&");
}
