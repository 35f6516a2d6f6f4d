// Comparing takes the square of this many steps.
const maxNameLength = 100;

/**
 * The candidate that the name was probably meant to be, if one is close: at most a third of the letters differ, letter
 * case does not count. Candidates of fewer than three letters are only suggested when letter case is all that differs.
 */
export function suggestSpelling(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > maxNameLength) {
    return undefined;
  }
  const wanted = name.toUpperCase();
  const limit = Math.floor(name.length * 0.34);
  const maxLengthDifference = Math.min(limit, 2);
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of Array.from(candidates).sort()) {
    const upper = candidate.toUpperCase();
    if (upper === wanted) {
      return candidate;
    }
    if (bestDistance === 1 || candidate.length < 3 || Math.abs(candidate.length - name.length) > maxLengthDifference) {
      continue;
    }
    const distance = editDistance(wanted, upper);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return best;
}

/** How many letters must be added, dropped or replaced to make one word of the other. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replace = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const insert = (current[column - 1] ?? 0) + 1;
      const remove = (previous[column] ?? 0) + 1;
      current.push(Math.min(replace, insert, remove));
    }
    previous = current;
  }
  return previous[to.length] ?? from.length;
}
