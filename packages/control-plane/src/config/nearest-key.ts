/** The known key that `key` was most likely meant to be, if one is close enough to be worth suggesting. */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  const wanted = key.toLowerCase();
  const allowed = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance <= allowed && (best === undefined || distance < best.distance)) {
      best = { name, distance };
    }
  }
  return best?.name;
}

/** Levenshtein distance, one row at a time. Longer than any of our keys is not worth measuring. */
function editDistance(a: string, b: string): number {
  if (a.length > 64) {
    return a.length;
  }
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let index = 0; index < a.length; index += 1) {
    const next = [index + 1];
    for (let column = 0; column < b.length; column += 1) {
      const replaced = (row[column] ?? 0) + (a[index] === b[column] ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
