/** Characters times secrets that are looked for in them. */
const maxComparisons = 50_000_000;

/** Whether so many secrets can be looked for in JSON of this length without keeping other requests waiting. */
export function canRedact(length: number, secretCount: number): boolean {
  return length * secretCount <= maxComparisons;
}
