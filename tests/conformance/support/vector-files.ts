/// <reference types="vite/client" />
/** The vector files, found by looking into the folder, so that a new one needs no mention. Works in Node and in a browser. */
import { type Vector, vectorsIn } from "../../../ts/conformance/vector.js";

const LOADERS = import.meta.glob<string>("../../../vectors/*/**/*.json", { query: "?raw", import: "default" });

/** A file of vectors. */
export interface VectorFile {
  /** Path below `vectors/`. */
  readonly name: string;
  /** Reads and parses it; fails if it holds anything but vectors. */
  load(): Promise<Vector[]>;
}

/** Every file of vectors, by name. */
export const VECTOR_FILES: readonly VectorFile[] = Object.entries(LOADERS)
  .map(([path, load]) => ({
    name: path.slice(path.indexOf("vectors/") + "vectors/".length),
    load: async () => vectorsIn(JSON.parse(await load())),
  }))
  .sort((first, second) => (first.name < second.name ? -1 : 1));
