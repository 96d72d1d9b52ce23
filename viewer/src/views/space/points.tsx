/** To come. */
export function Points() {
  return <p>To come.</p>;
}
