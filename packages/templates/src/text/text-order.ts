/** Letters sort like in a dictionary, the small one of a pair first: `a`, `A`, `b`. */
const collator = new Intl.Collator("en", { usage: "sort", sensitivity: "variant", caseFirst: "false" });

export function compareText(left: string, right: string): number {
  return collator.compare(left, right);
}
