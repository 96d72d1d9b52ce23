/**
 * Reading a pack of 1 GiB from end to end, a batch at a time: what the process holds at most.
 *
 * Each scan has a process of its own, and what was there when it began is taken off. Resident memory at most is what the system says, with garbage
 * for which the collector had no time yet; what is held is heap and buffers after a forced collection at each batch, in a scan of its own. Beside
 * it is the least that anyone does: the whole body in one buffer, and a stream that is thrown away.
 */
import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { inProcess } from "./child.mjs";
import { atMost } from "./measurements.mjs";
import { NginxServer } from "./nginx-server.mjs";
import { sizeOf } from "./topic.mjs";

const PROCESS = new URL("scan-process.mjs", import.meta.url).href;

/** The most that a scan holds, in MiB, whatever the pack has: a batch of 16, the next one with what arrives for it, and 64 of verified bytes that are kept. */
const LIMIT = 256;
/** The most that it takes of the system, and the gate, since that is up to the collector. */
const [RESIDENT, GATE] = [512, 768];

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
  for (const [how, from, verify] of quick ? WAYS.slice(0, 1) : WAYS) {
    say(`${how}, ${from}${verify === "" ? "" : `, verify: ${verify}`}`);
    const args = [how, from === "http" ? nginx.url : folder, String(bytes), verify];
    const { ms, peak, wasm } = await inProcess(PROCESS, args);
    const name = verify === "" ? how : `${how}, from ${from === "http" ? "HTTP" : "a folder"}, ${verify === "always" ? "verified" : "unverified"}`;
    const mib = (/** @type {number} */ count) => count / 2 ** 20;
    const row = [name, `${Math.round(bytes / ms / 1e3).toLocaleString("en")} MB/s`, Math.round(mib(peak)), "", mib(wasm).toFixed(1)];
    rows.push(row);
    if (how !== "ours") continue;
    const { held } = await inProcess(PROCESS, args, { execArgv: ["--expose-gc"] });
    row[3] = Math.round(mib(held));
    const what = `a scan of ${sizeOf(bytes)}, ${name}`;
    facts.push(atMost(`${what}: MiB held at most`, mib(held), LIMIT), atMost(`${what}: resident MiB at most`, mib(peak), RESIDENT, GATE));
  }
  const outboard = statSync(join(folder, "bao-outboard", readFileSync(join(folder, "entry"), "utf8"))).size;
  return {
    title: `A scan of a pack of ${sizeOf(bytes)}, whose outboard has ${sizeOf(outboard)}`,
    measurements: [],
    facts,
    table: { head: ["by", "speed", "resident, MiB", "held, MiB", "the core's, MiB"], rows },
  };
}
