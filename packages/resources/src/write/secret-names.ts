import { formatPath, jsonPointer, redactedText } from "@rad/core";

/**
 * Cuts paths, as `formatPath` writes them, where they lead into a secret: members inside may be named by it.
 * @param secrets JSON pointers into the same body
 */
export function hideSecretNames(secrets: readonly string[]): (path: string) => string {
  const hidden = new Set(secrets.map((pointer) => formatPath(jsonPointer.parts(pointer)).replace(...quotedIndices)));
  return (path) => {
    const comparable = hidden.size === 0 ? "" : path.replace(...quotedIndices);
    for (const { index } of comparable.matchAll(/[.[]/g)) {
      const around = comparable.slice(0, index);
      if (hidden.has(around)) {
        return `${around}.${redactedText}`;
      }
    }
    return path;
  };
}

/** A pointer does not tell an index from a member whose name is a number. */
const quotedIndices = [/\['(\d+)'\]/g, "[$1]"] as const;
