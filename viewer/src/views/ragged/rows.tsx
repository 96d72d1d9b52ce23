/** To come. */
export function Rows() {
  return <p>To come.</p>;
}
