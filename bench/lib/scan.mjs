/**
 * Reading a pack of 1 GiB from end to end, a batch at a time: what the process holds at most.
 *
 * Each scan has a process of its own. Its resident memory at most is what the system says, garbage that was not yet collected included; what was
 * there when the scan began is taken off. Beside it is the least that anyone does: the whole body in one buffer, and a stream that is thrown away.
 */
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { inProcess } from "./child.mjs";
import { atMost } from "./measurements.mjs";
import { NginxServer } from "./nginx-server.mjs";
import { sizeOf } from "./topic.mjs";

const PROCESS = new URL("scan-process.mjs", import.meta.url).href;

/** The most that a scan holds beside what was there before, in MiB, and the gate: whatever the pack has, here 1,024. */
const [LIMIT, GATE] = [320, 512];

/** Ways to scan: how, from where, and verified or not. */
const WAYS = /** @type {const} */ ([
  ["ours", "http", "always"],
  ["ours", "http", "never"],
  ["ours", "folder", "always"],
  ["fetch, whole", "http", ""],
  ["fetch, streamed", "http", ""],
]);

/**
 * @param {import("./topic.mjs").Context} context
 * @returns {Promise<import("./topic.mjs").Topic>}
 */
export async function scan({ quick, folder: home, say, atEnd }) {
  const folder = join(home, "scan");
  mkdirSync(folder, { recursive: true });
  const bytes = quick ? 2 ** 27 : 2 ** 30;
  say(`a pack of ${sizeOf(bytes)} is written`);
  await inProcess(PROCESS, ["write", folder, String(bytes)]);
  const nginx = await NginxServer.start(folder, "entry");
  atEnd(() => nginx.close());
  const rows = [];
  const facts = [];
  for (const [how, from, verify] of WAYS.filter(([kind]) => !quick || kind === "ours")) {
    say(`${how}, ${from}${verify === "" ? "" : `, verify: ${verify}`}`);
    const { ms, peak, wasm } = await inProcess(PROCESS, [how, from === "http" ? nginx.url : folder, String(bytes), verify]);
    const name = verify === "" ? how : `${how}, from ${from === "http" ? "HTTP" : "a folder"}, ${verify === "always" ? "verified" : "unverified"}`;
    rows.push([name, `${Math.round(bytes / ms / 1e3).toLocaleString("en")} MB/s`, Math.round(peak / 2 ** 20), (wasm / 2 ** 20).toFixed(1)]);
    if (how === "ours") facts.push(atMost(`a scan of ${sizeOf(bytes)}, ${name}: MiB held at most`, peak / 2 ** 20, LIMIT, GATE));
  }
  const outboard = statSync(join(folder, "bao-outboard", readFileSync(join(folder, "entry"), "utf8"))).size;
  return {
    title: `A scan of a pack of ${sizeOf(bytes)}, whose outboard has ${sizeOf(outboard)}`,
    measurements: [],
    facts,
    table: { head: ["by", "speed", "MiB held at most", "of these the core's"], rows },
  };
}
