/** To come. */
export function Spy() {
  return <p>To come.</p>;
}
