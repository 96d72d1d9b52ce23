/** What `npm run vectors` does with the texts of files: reads vectors and cases, runs them, tells what disagrees. */
import { init } from "dreamdb-arrays";
import { runVectors, type Report } from "../../../ts/conformance/run.js";
import { type JsonObject, MalformedVector, type Vector, vectorsIn } from "../../../ts/conformance/vector.js";
import { ours } from "../../../ts/cli/vectors/implementation.js";
import { objectsIn, parseJson } from "../../../ts/cli/vectors/json.js";
import { divergencesIn, type Divergences, isCase, vectorOfCase } from "./read.js";

export { levelTable } from "../support/level.js";

/** The vectors in a file's text, recorded cases among them. */
export function readText(text: string, divergences: Divergences): Vector[] {
  return objectsIn(text).flatMap((object) => (isCase(object) ? [vectorOrNone(object, divergences)] : vectorsIn(object)));
}

/** A case as a vector; one that is not understood as a vector that nothing can pass. */
function vectorOrNone(object: JsonObject, divergences: Divergences): Vector {
  try {
    return vectorOfCase(object, divergences);
  } catch (error) {
    if (!(error instanceof MalformedVector)) throw error;
    return { id: String(object["id"]), category: "typed-array", operation: `a case that is not understood: ${error.message}` };
  }
}

/** The outcomes that the text of divergences.json lists. */
export function readDivergences(text: string): Divergences {
  return divergencesIn(parseJson(text));
}

/** Run vectors against the package. */
export async function run(vectors: readonly Vector[]): Promise<Report> {
  await init();
  return runVectors(ours, { vectors, subjects: true });
}
