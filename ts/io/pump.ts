/** Many pieces of work, so many at a time, begun in order; and work that is begun before anybody waits for it. */

/**
 * Does `work` for each number below `count`, `width` of them at a time. Rejects with the first failure; then nothing more is begun.
 */
export async function pump(count: number, width: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  let failed = false;
  const run = async (): Promise<void> => {
    while (next < count && !failed) {
      try {
        await work(next++);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, run));
}

/** A promise that somebody awaits later, or nobody: until then, its failure is no one's. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
