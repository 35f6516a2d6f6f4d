/** The earliest first; what has no time yet comes before everything else. */
export function inTime<Item extends { readonly timestamp: string | undefined }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => compareText(a.timestamp ?? "", b.timestamp ?? ""));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
