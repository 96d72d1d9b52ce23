/** How wide an element is, for what is drawn in it. */
import { useLayoutEffect, useState } from "preact/hooks";

/**
 * Whole pixels of the page that the element's content has, `least` at least. Measured before anything is painted: what was drawn at a guess would jump, and be
 * pointed at where it no longer is.
 */
export function useWidth(element: { readonly current: HTMLElement | null }, least: number): number {
  const [width, setWidth] = useState(least);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = (): void => {
      const { paddingLeft, paddingRight } = getComputedStyle(current);
      setWidth(Math.max(least, Math.floor(current.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight))));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, []);
  return width;
}
