/**
 * A chart that grows while the data arrive, without a framework and without any configuration: Vite finds the .wasm file by itself.
 *
 *     npm install && npm run dev, then open /?data=URL
 */
import { isDreamDbError, openDataset } from "dreamdb-arrays";

const url = new URLSearchParams(location.search).get("data") ?? "https://data.example.org/episodes";
const status = /** @type {HTMLElement} */ (document.getElementById("status"));
const chart = /** @type {HTMLElement} */ (document.getElementById("chart"));

// Who has seen enough cancels: what was begun ends, and the loop below rejects with this very reason.
const stopped = new AbortController();
document.getElementById("stop")?.addEventListener("click", () => stopped.abort(new DOMException("stopped", "AbortError")));

const lines = ["crimson", "seagreen", "royalblue"].map((colour) => {
  const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
  for (const [name, value] of Object.entries({ fill: "none", stroke: colour })) line.setAttribute(name, value);
  chart.append(line);
  return line;
});

try {
  const ds = await openDataset(url, "main", { signal: stopped.signal });
  const force = ds.array("force", { dtype: "f64", shape: [3] });
  const { start, end } = force.info.coverage;
  let count = 0;
  for await (const { anchors, data } of force.batches({ batchSize: 4, signal: stopped.signal })) {
    for (const [n, anchor] of anchors.entries()) {
      // Anchors are bigints, so the difference is taken before it becomes a number.
      const x = (600 * Number(anchor - start)) / Number(end - start);
      for (const [axis, line] of lines.entries()) {
        const y = 190 - 10 * (data[3 * n + axis] ?? 0);
        line.setAttribute("points", `${line.getAttribute("points") ?? ""} ${x.toFixed(1)},${y.toFixed(1)}`);
      }
    }
    count += anchors.length;
    status.textContent = `${count} so far`;
  }
  status.textContent = `${count} forces in ${force.info.type.units}`;
} catch (error) {
  status.textContent = isDreamDbError(error) ? `${error.code}: ${error.message}` : String(error);
}
