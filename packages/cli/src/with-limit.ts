/** Does `work` for every item, at most `limit` at a time, and tells how each of them ended, in the order of the items. */
export async function withLimit<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> {
  const outcomes: PromiseSettledResult<R>[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) {
      const [outcome] = await Promise.allSettled([work(item)]);
      outcomes[index] = outcome;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return outcomes;
}
