const collator = new Intl.Collator("en", { numeric: true });

/** As people sort names: c9 before c10. */
export function naturalOrder(a: string, b: string): number {
  return collator.compare(a, b);
}
