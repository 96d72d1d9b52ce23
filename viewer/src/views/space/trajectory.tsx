/** To come. */
export function Trajectory() {
  return <p>To come.</p>;
}
