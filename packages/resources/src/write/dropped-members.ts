const maxPaths = 20;
const maxCharacters = 1024;
const opening = "The resource type has no such members, they were not stored: ";
/** For ` and 123 more`. */
const reserve = 40;

/** One sentence of bounded length that names members of a body that were not stored; none when all were. */
export function droppedMembers(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) {
    return [];
  }
  const named: string[] = [];
  let length = opening.length + reserve;
  for (const path of paths.slice(0, maxPaths)) {
    length += JSON.stringify(path).length + 2;
    if (length > maxCharacters) {
      break;
    }
    named.push(path);
  }
  const more = paths.length - named.length;
  return [`${opening}${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`];
}
