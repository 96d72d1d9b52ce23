/** TypeScript as a host: the shipped declarations, checked inside a user's project by each release and each way of finding modules. */
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { must } from "../../scripts/lib/run.mjs";

/** Package → whether its TypedArrays name the buffer under them, as they do from 5.7 on. */
const RELEASES = /** @type {const} */ ({ "typescript-5.6": false, "typescript-5.9": true, typescript: true });

const WAYS = {
  nodenext: { module: "NodeNext" },
  bundler: { module: "ESNext", moduleResolution: "bundler" },
};

/**
 * A user's program that comes by every entry. What must not compile is marked; were it to compile, the mark would be the error.
 * @param {boolean} namesBuffer
 */
function program(namesBuffer) {
  const floats = namesBuffer ? "Float32Array<ArrayBuffer>" : "Float32Array";
  const bytes = namesBuffer ? "Uint8Array<ArrayBuffer>" : "Uint8Array";
  return `import { at, Dataset, init, isDreamDbError, openDataset, Schema, type Fetch, type Store } from "dreamdb-arrays";
import * as inline from "dreamdb-arrays/inline";
import * as slim from "dreamdb-arrays/slim";
import { fsStore } from "dreamdb-arrays/fs";
import { runVectors } from "dreamdb-arrays/conformance";

const started: Promise<void> = slim.init(new URL("https://example.org/x.wasm"));
await Promise.all([init(), inline.init(), started]);
const folder: Store = fsStore("episodes");
const request: Fetch = (url, options) => fetch(url, options);
const ds = await openDataset("https://example.org/data", "main", { fetch: request, verify: "always", maxRequests: 50 });
const pose = ds.array("pose", { dtype: "f32", shape: [4, 4] });
const item = await pose.read(1000n);
if (item !== undefined) {
  const data: ${floats} = item.data;
  const one: number = at(item, 1, 2);
  // @ts-expect-error as many numbers as there are axes
  at(item, 1);
  // @ts-expect-error 32 bits are no 64
  const wider: Float64Array = item.data;
  void [data, one, wider];
}
const column: ${floats} = (await pose.column({ start: 0, end: 10n })).data;
const offsets: BigUint64Array${namesBuffer ? "<ArrayBuffer>" : ""} | undefined = (await ds.ragged("hits").read(1))?.rowOffsets;
const image: ${bytes} | undefined = (await ds.media("image").read(1))?.bytes;
if (image !== undefined) await new Blob([image]).arrayBuffer();
for await (const { anchor, values } of ds.rows({ fields: ["pose"] })) void [anchor satisfies bigint, values];
const writable = await Dataset.create(folder as Parameters<typeof Dataset.create>[0], "main", new Schema().array("pose", { dtype: "f32", shape: [4, 4] }));
await writable.append([{ anchor: 1, values: { pose: new Float32Array(16) } }]).catch((error: unknown) => {
  if (isDreamDbError(error, "RefConflict")) return error.code satisfies "RefConflict";
  throw error;
});
export { column, offsets, runVectors };
`;
}

/**
 * @param {keyof typeof RELEASES} release
 * @param {keyof typeof WAYS} way
 * @returns {import("./runtimes.mjs").Host}
 */
function typeHost(release, way) {
  const folder = dirname(fileURLToPath(import.meta.resolve(`${release}/package.json`)));
  return {
    name: `TypeScript ${release.split("-")[1] ?? "of today"}, modules as ${way} finds them`,
    run: async ({ project }) => {
      const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
      const stem = `user-${release}-${way}`;
      await writeFile(join(project, `${stem}.mts`), program(RELEASES[release]));
      // Nothing is skipped, and Node's types are not there: the declarations must stand on their own.
      const compilerOptions = { strict: true, skipLibCheck: false, noEmit: true, target: "ES2022", lib: ["ES2022", "DOM", "DOM.AsyncIterable"], types: [], ...WAYS[way] };
      await writeFile(join(project, `${stem}.json`), JSON.stringify({ compilerOptions, files: [`${stem}.mts`] }));
      await must(process.execPath, [join(folder, "bin/tsc"), "-p", `${stem}.json`], { cwd: project });
      return `types, by ${version}`;
    },
  };
}

/** @type {import("./runtimes.mjs").Host[]} */
export const typeHosts = /** @type {(keyof typeof RELEASES)[]} */ (Object.keys(RELEASES)).flatMap((release) =>
  /** @type {(keyof typeof WAYS)[]} */ (Object.keys(WAYS)).map((way) => typeHost(release, way)),
);
