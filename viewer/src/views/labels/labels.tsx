/** To come. */
export function Labels() {
  return <p>To come.</p>;
}
