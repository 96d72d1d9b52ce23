/**
 * What one call costs: its requests and bytes by the server's log, and its time beside that of plain `fetch`.
 *
 * Each measurement opens the dataset anew, so nothing is in memory, and reads the Track's index before the clock starts. The plain side
 * sends exactly the requests that the reader was seen to send, as many at once, and reads bodies by `arrayBuffer()`. Both sides take
 * turns in one process, over the same connections, so that what else the machine does meets both; of the rounds' ratios the median counts.
 */
import { openDataset } from "dreamdb-arrays";
import { FIELDS } from "./data.mjs";
import { byFetch, CONCURRENCY } from "./plain.mjs";
import { quantile } from "./turns.mjs";

/** @typedef {import("./server.mjs").Server} Server */
/** @typedef {import("./server.mjs").Logged} Logged */
/** @typedef {{ field: import("./data.mjs").FieldName, anchors: readonly number[], verify: "always" | "never" }} Case */

/**
 * @typedef {object} Cost
 * @property {number} data requests for Items
 * @property {number} proofs requests for outboards
 * @property {number} wanted bytes of the Items
 * @property {number} bytes bytes that came
 * @property {number} proofBytes of these, bytes of outboards
 * @property {number} mostInFlight requests at once
 * @property {readonly Logged[]} requests
 */

/**
 * The field of a dataset that was opened just now, its index read.
 * @param {Server} server
 * @param {Case} asked
 */
async function fresh(server, { field, verify }) {
  const ds = await openDataset(server.url, "main", { verify, concurrency: CONCURRENCY });
  const media = ds.media(field);
  await media.count();
  return media;
}

/**
 * Reads the Items of a case; milliseconds.
 * @param {Awaited<ReturnType<typeof fresh>>} media
 * @param {Case} asked
 */
async function timedRead(media, { field, anchors, verify }) {
  const start = performance.now();
  const outcomes = await media.readMany(anchors);
  const ms = performance.now() - start;
  for (const { anchor, ...outcome } of outcomes) {
    const right = outcome.status === "value" && outcome.value.bytes.byteLength === FIELDS[field].itemBytes;
    if (!right || (outcome.value.verified === "none") !== (verify === "never")) {
      const cause = outcome.status === "error" ? outcome.error : undefined;
      throw new Error(`Item ${anchor} of ${field} was not read as it should be (${cause?.message ?? outcome.status})`, { cause });
    }
  }
  return ms;
}

/**
 * What a case costs by the server's log.
 * @param {Server} server
 * @param {Case} asked
 * @returns {Promise<Cost>}
 */
export async function costOf(server, asked) {
  const media = await fresh(server, asked);
  await server.takeLog();
  await timedRead(media, asked);
  const { requests, mostInFlight } = await server.takeLog();
  const proofs = requests.filter(({ target }) => target.startsWith("/bao-outboard/"));
  return {
    data: requests.length - proofs.length,
    proofs: proofs.length,
    wanted: asked.anchors.length * FIELDS[asked.field].itemBytes,
    bytes: bytesOf(requests),
    proofBytes: bytesOf(proofs),
    mostInFlight,
    requests,
  };
}

/**
 * The ranges of the Items of one pack, each by itself: what plain fetch has to ask for.
 * @param {Case} asked
 * @param {readonly Logged[]} requests what the case sends
 * @returns {import("./plain.mjs").Asked[]}
 */
export function itemByItem({ field, anchors }, requests) {
  const { itemBytes, perPack } = FIELDS[field];
  const [target = ""] = new Set(requests.map((request) => request.target).filter((path) => !path.startsWith("/bao-outboard/")));
  return anchors.map((anchor) => {
    const start = (anchor % perPack) * itemBytes;
    return { target, range: `bytes=${start}-${start + itemBytes - 1}`, bytes: itemBytes };
  });
}

/** @param {readonly Logged[]} requests */
function bytesOf(requests) {
  return requests.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * @typedef {object} Times
 * @property {number} rounds
 * @property {number} ratio median of the rounds' ratios, the reader's time to that of plain fetch
 * @property {number} low lower quartile
 * @property {number} high upper quartile
 * @property {number} ms median of the reader's milliseconds, for orientation: they are this machine's
 * @property {number} plainMs median of those of plain fetch
 */

/**
 * Rounds of both sides in turns.
 * @param {Server} server
 * @param {Case} asked
 * @param {readonly import("./plain.mjs").Asked[]} requests what plain fetch sends
 * @param {{ least: number, most: number, budgetMs: number }} rounds at least so many, then more within the time, at most so many
 * @returns {Promise<Times>}
 */
export async function timesOf(server, asked, requests, { least, most, budgetMs }) {
  /** @type {[number, number][]} */
  const pairs = [];
  const end = performance.now() + budgetMs;
  // The first round warms up connections and code, and does not count.
  for (let round = 0; round <= least || (round <= most && performance.now() < end); round++) {
    const media = await fresh(server, asked);
    const ours = async () => (settle(), timedRead(media, asked));
    const plain = async () => (settle(), byFetch(server.url, requests));
    const first = round % 2 === 0 ? await ours() : await plain();
    const second = round % 2 === 0 ? await plain() : await ours();
    if (round > 0) pairs.push(round % 2 === 0 ? [first, second] : [second, first]);
    await server.takeLog();
  }
  const ratios = pairs.map(([ours, plain]) => ours / plain);
  return {
    rounds: pairs.length,
    ratio: quantile(ratios, 0.5),
    low: quantile(ratios, 0.25),
    high: quantile(ratios, 0.75),
    ms: quantile(pairs.map(([ours]) => ours), 0.5),
    plainMs: quantile(pairs.map(([, plain]) => plain), 0.5),
  };
}

/** What the other side left is collected before the clock starts, if Node was started with --expose-gc. */
function settle() {
  globalThis.gc?.();
}
