/**
 * Writes the example episode: a robot arm reaches for a cup, takes it across the table and puts it down, in 100 seconds.
 *
 *     node write.mjs FOLDER
 *
 * Everything is computed, nothing is drawn by chance or asked of a clock: the version that comes out has the same address on every machine. There are
 * sensors of different rates, four seconds of silence, a part that only some anchors have, and rows that were deleted.
 */
import { pathToFileURL } from "node:url";
import { Dataset } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { contactsAt, hitsAt, pressureAt, touchAt } from "./around.mjs";
import { picturesAt } from "./camera.mjs";
import { FACES, handAt, VERTICES } from "./hand.mjs";
import { labelColumns, withLabels } from "./labels.mjs";
import { forcesAt, jointsAt, poseAt } from "./motion.mjs";
import { CONSTANTS, episodeSchema } from "./schema.mjs";
import { anchorOf, anchorsOf, BEGIN, INTRUDER, SILENCE, timesOf, TRACKED, within } from "./time.mjs";

/** The manifests' time: when the recording was over. */
const END = BEGIN + 101_000_000_000n;
/** The controller counts from long before the episode: beyond 2^53, where a `number` can no longer tell neighbours apart. */
const CYCLES = 2n ** 53n + 1n;

/**
 * Writes the episode as the Ref `main`.
 *
 * @param {import("dreamdb-arrays").WritableStore} store that has no such Ref yet
 * @returns the address of the manifest
 */
export async function writeEpisode(store) {
  const ds = await Dataset.create(store, "main", withLabels(episodeSchema()), {
    nonce: new TextEncoder().encode("example episode."),
    clock: () => END,
    writer: "dreamdb-arrays example episode",
  });
  await ds.addArrayConstant("gravity", CONSTANTS.gravity, Float64Array.of(0, 0, -9.80665));
  await ds.addArrayConstant("hand_faces", CONSTANTS.hand_faces, FACES);
  const columns = [...episodeColumns(), ...labelColumns()];
  const anchors = [...new Set(columns.flatMap(([, column]) => [...column.anchors]))].sort((a, b) => (a < b ? -1 : 1));
  await ds.appendColumns({ anchors, fields: Object.fromEntries(columns) });
  const intruded = anchors.filter((anchor) => anchor >= anchorOf(INTRUDER.from) && anchor < anchorOf(INTRUDER.to));
  await ds.delete(intruded, "somebody walked through the scene");
  const { manifest } = await ds.delete([12, 12.02, 64.4, 96.6].map(anchorOf), "blurred");
  return manifest;
}

/**
 * Each field's Items, at anchors of its own.
 * @returns {[name: string, column: import("dreamdb-arrays").ColumnInit & { readonly anchors: BigUint64Array }][]}
 */
function episodeColumns() {
  /** @type {(t: number) => boolean} */
  const connected = (t) => !within(t, SILENCE);
  const [joints, wrist, arm] = [timesOf(50, { during: connected }), timesOf(25, { during: connected }), timesOf(10, { during: connected })];
  const tracked = timesOf(10, { during: (t) => within(t, TRACKED) });
  const [camera, lidar, skin] = [timesOf(10), timesOf(5, { late: 0.007 }), timesOf(2)];
  const pressure = { anchors: anchorsOf(skin), data: pressureAt(skin) };
  return [
    ["joints", { anchors: anchorsOf(joints), data: joined(new Float32Array(joints.length * 7), joints.map(jointsAt)) }],
    ["pose", { anchors: anchorsOf(arm), data: joined(new Float64Array(arm.length * 16), arm.map(poseAt)) }],
    ["force", { anchors: anchorsOf(wrist), data: forcesAt(wrist) }],
    // The controller cycles a thousand times a second.
    ["cycle", { anchors: anchorsOf(arm), data: BigUint64Array.from(arm, (t) => CYCLES + BigInt(Math.round(t * 1000))) }],
    ["hand", { anchors: anchorsOf(tracked), data: joined(new Float32Array(tracked.length * VERTICES * 3), tracked.map(handAt)) }],
    ["camera", { anchors: anchorsOf(camera), items: picturesAt(camera) }],
    ["hits", { anchors: anchorsOf(lidar), items: hitsAt(lidar) }],
    ["contacts", { anchors: anchorsOf(skin), items: contactsAt(skin) }],
    // The same numbers three times, in other byte and element orders.
    ["pressure", pressure],
    ["pressure_be", pressure],
    ["pressure_f", pressure],
    ["touch", { anchors: anchorsOf(skin), data: touchAt(skin) }],
  ];
}

/**
 * Items one after another, in `whole`.
 * @template {Float32Array | Float64Array} T
 * @param {T} whole
 * @param {readonly T[]} items
 */
function joined(whole, items) {
  for (const [at, item] of items.entries()) whole.set(item, at * item.length);
  return whole;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error("usage: node write.mjs FOLDER");
  // What can be computed again need not wait for the disk.
  const manifest = await writeEpisode(fsStore(folder, { durable: false }));
  process.stdout.write(`${folder}: version ${manifest}\n`);
}
