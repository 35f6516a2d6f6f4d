/**
 * What a recipe lists in `result.resources`, unchanged, and then the ids from its state that are not there yet. Ids are
 * compared without case.
 */
export function mergeResourceIds(listed: readonly string[], derived: readonly string[]): string[] {
  const seen = new Set(listed.map((id) => id.toLowerCase()));
  const merged = [...listed];
  for (const id of derived) {
    const key = id.toLowerCase();
    if (!seen.has(key)) {
      seen.add(key);
      merged.push(id);
    }
  }
  return merged;
}
