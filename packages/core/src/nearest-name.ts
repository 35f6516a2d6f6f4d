/** Longer than any name that somebody mistypes; measuring it would cost more than it could tell. */
const longest = 128;

/** The candidate that `name` was most likely meant to be, if few enough letters differ; case does not count. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  // Two letters that changed places are two edits.
  let bestEdits = (wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length / 3))) + 1;
  for (const candidate of wanted.length > longest ? [] : candidates) {
    if (Math.abs(candidate.length - wanted.length) < bestEdits) {
      const edits = countEdits(wanted, candidate.toLowerCase());
      if (edits < bestEdits) {
        best = candidate;
        bestEdits = edits;
      }
    }
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
