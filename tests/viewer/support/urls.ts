/** Object URLs that a page makes, and what an element showed meanwhile: pages that play must give up the ones and show all of the others. */
import type { Page } from "playwright";

interface Counts {
  readonly live: Set<string>;
  most: number;
  made: number;
  readonly seen: Set<string>;
}

/** Counts from now on; what was shown is told by an attribute of the element that `selector` finds. */
export async function countUrls(page: Page, selector: string, attribute: string): Promise<void> {
  await page.evaluate(
    ([selector, attribute]) => {
      const counts: Counts = { live: new Set(), most: 0, made: 0, seen: new Set() };
      Object.assign(globalThis, { counts });
      const [make, revoke] = [URL.createObjectURL.bind(URL), URL.revokeObjectURL.bind(URL)];
      URL.createObjectURL = (blob: Blob) => {
        const url = make(blob);
        counts.live.add(url);
        counts.made += 1;
        counts.most = Math.max(counts.most, counts.live.size);
        return url;
      };
      URL.revokeObjectURL = (url: string) => {
        counts.live.delete(url);
        revoke(url);
      };
      const element = document.querySelector(selector);
      if (element === null) throw new Error(`there is no ${selector}`);
      new MutationObserver(() => counts.seen.add(element.getAttribute(attribute) ?? "")).observe(element, { attributes: true });
    },
    [selector, attribute] as const,
  );
}

/** How many URLs live, lived at once at most and were made since, and of how many different things the element told. */
export function countedUrls(page: Page): Promise<{ live: number; most: number; made: number; seen: number }> {
  return page.evaluate(() => {
    const { live, most, made, seen } = (globalThis as unknown as { counts: Counts }).counts;
    return { live: live.size, most, made, seen: seen.size };
  });
}
