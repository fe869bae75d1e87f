/** Pieces of work that are under way at once: most of their time is waiting. */
const lanes = 12;

/** Does `work` on each of `items`, some at once; the results are in the order of the items. */
export async function inLanes<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const lane = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
