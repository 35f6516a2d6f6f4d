/** The candidate with the fewest edits, when that is few enough to be a slip of the finger. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const allowed = Math.max(1, Math.floor(name.length / 3));
  let best: string | undefined;
  let bestEdits = allowed + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) < bestEdits) {
      const edits = countEdits(name, candidate);
      if (edits < bestEdits) {
        best = candidate;
        bestEdits = edits;
      }
    }
  }
  return best;
}

function countEdits(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
