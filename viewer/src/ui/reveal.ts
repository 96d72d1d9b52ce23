/** Scrolls a box so that an element in it is in sight; not, as browsers do, also all that the box lies in. */
export function reveal(box: HTMLElement | null, element: Element | null | undefined): void {
  if (box === null || element === null || element === undefined) return;
  const [around, it] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  if (it.top < around.top) box.scrollTop -= around.top - it.top;
  else if (it.bottom > around.bottom) box.scrollTop += it.bottom - around.bottom;
  if (it.left < around.left) box.scrollLeft -= around.left - it.left;
  else if (it.right > around.right) box.scrollLeft += it.right - around.right;
}
