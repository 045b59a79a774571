/** Maps items with at most `width` of them on their way at once; the results stand in the order of the items. */
export async function mapSideBySide<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  async function worker(): Promise<void> {
    for (const [at, item] of rest) results[at] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}
