/** How many pieces of work run at once. They mostly wait. */
const concurrency = 12;

/** Does `work` on each of `items`, several at once. Returns the results in the order of the items. */
export async function withConcurrency<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}
