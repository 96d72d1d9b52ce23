/** To come. */
export function Lines() {
  return <p>To come.</p>;
}
