/** The page's script: shows the first image of a dataset, and where its poses are. The address of the dataset is in the page's: `?data=URL`. */
import { isDreamDbError, openDataset } from "dreamdb-arrays";

const url = new URLSearchParams(location.search).get("data") ?? "https://data.example.org/episodes";
const [status, image, table] = [element("status"), /** @type {HTMLImageElement} */ (element("image")), element("poses")];

try {
  const ds = await openDataset(url);

  // One call for all poses: [n, 4, 4] in one Float32Array.
  const { anchors, data } = await ds.array("pose", { dtype: "f32", shape: [4, 4] }).column();
  for (const [n, anchor] of anchors.entries()) {
    const row = document.createElement("tr");
    for (const value of [anchor, data[16 * n + 3], data[16 * n + 7], data[16 * n + 11]]) row.append(cell(String(value)));
    table.append(row);
  }

  // An image's bytes, checked, become a picture by way of a Blob.
  const frame = await ds.media("image").read(anchors[0] ?? 0n);
  if (frame !== undefined) image.src = URL.createObjectURL(new Blob([frame.bytes], { type: `image/${frame.mime}` }));

  const { requests, bytesFetched } = ds.stats();
  status.textContent = `${anchors.length} poses, ${requests} requests, ${bytesFetched} bytes`;
} catch (error) {
  // `Network` in a page is CORS more often than anything else; docs/troubleshooting.md has the rest.
  status.textContent = isDreamDbError(error) ? `${error.code}: ${error.message}` : String(error);
}

/** @param {string} id */
function element(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

/** @param {string} text */
function cell(text) {
  const made = document.createElement("td");
  made.textContent = text;
  return made;
}
