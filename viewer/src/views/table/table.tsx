/** To come. */
export function Table() {
  return <p>To come.</p>;
}
