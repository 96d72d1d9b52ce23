/** Narrows what the page may connect to: nothing but itself and the source's origin. Policies add up, so none of them can be taken back. */
export function allowOnly(source: URL | undefined): void {
  const origins = source === undefined || source.origin === location.origin ? "'self'" : `'self' ${source.origin}`;
  const meta = document.createElement("meta");
  meta.httpEquiv = "Content-Security-Policy";
  meta.content = `connect-src ${origins}`;
  document.head.append(meta);
}
