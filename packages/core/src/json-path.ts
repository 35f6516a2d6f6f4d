export type PathSegment = string | number;

const identifier = /^[A-Za-z_$][\w$-]*$/;

/** `["rules", 0, "a.b"]` below `$` is `$.rules[0]['a.b']`. */
export function formatPath(segments: readonly PathSegment[]): string {
  return `$${segments.map(formatSegment).join("")}`;
}

function formatSegment(segment: PathSegment): string {
  if (typeof segment === "number") {
    return `[${segment}]`;
  }
  if (identifier.test(segment)) {
    return `.${segment}`;
  }
  // Control characters are escaped, so that a path never breaks the line it is printed on.
  return `['${JSON.stringify(shorten(segment)).slice(1, -1).replaceAll("'", "\\'")}']`;
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
