/** To come. */
export function Heatmap() {
  return <p>To come.</p>;
}
