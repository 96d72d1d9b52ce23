/**
 * A program that appends to a dataset in a folder or behind a URL, for tests: one row after another, each told on standard output once it is acknowledged.
 *
 *     node appender.mjs FOLDER|URL FIRST COUNT [STEP]
 *
 * With STEP it kills itself, as a crash would, at that call of its store.
 */
import process from "node:process";
import { Dataset, httpStore } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";

const [place = "", first = "0", count = "1", step] = process.argv.slice(2);
const real = place.startsWith("http:") ? httpStore(place) : fsStore(place);
let calls = 0;

/**
 * @template {unknown[]} A
 * @template T
 * @param {(...args: A) => T} call
 * @returns {(...args: A) => T}
 */
function mortal(call) {
  return (...args) => {
    if (step !== undefined && calls++ === Number(step)) process.kill(process.pid, "SIGKILL");
    return call(...args);
  };
}

const { get, getRange, getTagged, create, replace, describe } = real;
const store = { describe, get: mortal(get), getRange: mortal(getRange), getTagged: mortal(getTagged), create: mortal(create), replace: mortal(replace) };
const ds = await Dataset.open(store);
calls = 0;
for (let at = Number(first); at < Number(first) + Number(count); at++) {
  const row = { anchor: at, values: { pose: [at, 0 - at], frame: Uint8Array.of(at % 256), sound: new Uint8Array(4) } };
  await ds.append([row], { rebase: true });
  process.stdout.write(`${at}\n`);
}
