/** To come. */
export function Media() {
  return <p>To come.</p>;
}
