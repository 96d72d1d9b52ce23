/** What one version gave, against what the sidecar says of it. */
import { equal } from "./equal.mjs";
import { addressOfDigest, anchorsOf, arrayDifference, bytesDifference, integer, isError, itemsOf, typeOfDocument } from "./sidecar.mjs";
import { errorLine, spelled } from "./words.mjs";

/** @typedef {import("./reading.mjs").Reading} Reading */
/** @typedef {import("./reading.mjs").FieldReading} FieldReading */
/** @typedef {import("./sidecar.mjs").Facts} Facts */
/** @typedef {import("./tally.mjs").Tally} Tally */

/** What a version's facts may be; anything else is a fact that nothing here compares, which is told. */
const OF_VERSIONS = ["manifest", "timeline", "tracks_form", "parents", "ts", "writer", "count", "anchors", "tombstones", "meta", "fields", "iter_all_batches_anchors"];
/** What a field's facts may be. The package tells no `role`: it says whose layer a field is, and changes nothing about reading it. */
const OF_FIELDS = [
  "kind", "required", "mime", "pack_items", "chunk_size", "value_type", "item_type", "track_kind", "object_kind", "modality", "track", "coverage", "role",
  "items", "series", "constant", "payload", "audit_physical_items", "object_index", "window",
  "anchors", "values", "categories", "stored",
];

/**
 * @param {Tally} tally
 * @param {Facts} facts
 * @param {string[]} known
 */
export function onlyKnown(tally, facts, known) {
  for (const name of Object.keys(facts)) if (!known.includes(name)) tally.fail(`the sidecar states ${JSON.stringify(name)}, which nothing here compares`);
}

/**
 * @param {Tally} tally
 * @param {Reading} reading
 * @param {Facts} facts of the version
 */
export function compareVersion(tally, reading, facts) {
  onlyKnown(tally, facts, OF_VERSIONS);
  const { manifest } = reading;
  const stated = statedOf(tally, facts);
  stated("manifest", manifest.address, (address) => address);
  stated("timeline", reading.timeline, (address) => address);
  stated("timeline", manifest.timelines, (address) => [address]);
  // A plain list of Tracks has no name on the wire; sidecar and package each have their own.
  stated("tracks_form", manifest.tracksForm, (form) => (form === "legacy-list" ? "legacy" : form));
  stated("parents", manifest.parents, (addresses) => addresses);
  stated("ts", manifest.timestamp, integer);
  stated("writer", manifest.writer, (text) => text);
  stated("meta", Object.fromEntries(manifest.notes), (notes) => notes);
  stated("tombstones", manifest.deletions, (anchors) => anchors.length > 0);
  stated("fields", reading.fields.map(({ name }) => name).sort(), (fields) => Object.keys(fields).sort());
  for (const [name, field] of Object.entries(facts["fields"])) tally.at(`field ${name}`, () => compareField(tally, reading, facts, name, field));
  compareRows(tally, reading, facts);
}

/**
 * Comparing what the sidecar states, and nothing that it does not.
 * @param {Tally} tally
 * @param {Facts} facts
 * @returns {(name: string, actual: unknown, meaning: (fact: any) => unknown) => void}
 */
function statedOf(tally, facts) {
  return (name, actual, meaning) => {
    if (name in facts && !isError(facts[name])) tally.equal(name, actual, meaning(facts[name]));
  };
}

/**
 * Rows of the dataset: those of its fields, and those of the fields together, by each way.
 * @param {Tally} tally
 * @param {Reading} reading
 * @param {Facts} facts
 */
function compareRows(tally, { readings, together }, facts) {
  const stated = statedOf(tally, facts);
  const present = new Set([...readings.values()].flatMap(({ value }) => presentIn(value)));
  stated("count", present.size, (count) => Number(integer(count)));
  stated("anchors", ascending([...present]), anchorsOf);
  for (const [way, { value, error }] of Object.entries(together)) {
    tally.at(way, () => {
      if (value === undefined) tally.fail(errorLine(error));
      else stated("iter_all_batches_anchors", value.anchors, anchorsOf);
    });
  }
}

/** @param {bigint[]} anchors */
function ascending(anchors) {
  return anchors.sort((a, b) => (a < b ? -1 : Number(a > b)));
}

/**
 * Anchors at which a field has a value.
 * @param {FieldReading | undefined} reading
 * @returns {bigint[]}
 */
function presentIn(reading) {
  return [...(reading?.outcomes ?? [])].flatMap(([anchor, { status }]) => (status === "value" ? [anchor] : []));
}

/**
 * @param {Tally} tally
 * @param {Reading} reading
 * @param {Facts} version
 * @param {string} name
 * @param {Facts} facts
 */
function compareField(tally, reading, version, name, facts) {
  onlyKnown(tally, facts, OF_FIELDS);
  const info = reading.fields.find((field) => field.name === name);
  if (info === undefined) return tally.fail("the dataset has no such field");
  compareDeclared(tally, info, facts);
  const got = reading.readings.get(name);
  if (got?.value === undefined) return tally.fail(`could not be read: ${errorLine(got?.error)}`);
  if (facts["track"] !== undefined) {
    const key = `${version["timeline"]}/${facts["modality"]}/track/${facts["track"]}`;
    tally.count("track", reading.asked.has(key) ? undefined : `${key} was not asked for`);
  }
  // Where the reference itself failed, there is nothing to compare with.
  const known = (/** @type {string} */ name) => name in facts && !isError(facts[name]);
  if (known("constant")) compareConstant(tally, reading, info, got.value, facts);
  const items = itemsOf(facts);
  if (items !== undefined) compareItems(tally, reading, info, got.value, items, version, !("items" in facts));
  if ("stored" in facts) tally.equal("stored", got.value.count, facts["stored"]);
  if (items === undefined && !("constant" in facts || "items" in facts)) tally.fail("the sidecar has no values of it");
  if (info.kind !== "scalar") compareAudit(tally, got.value, known("audit_physical_items") ? facts["audit_physical_items"] : undefined);
  if ("object_index" in facts) comparePages(tally, reading, got.value, facts, `${version["timeline"]}/${facts["modality"]}/index/`);
  if ("window" in facts) {
    const { extent, values } = facts["window"];
    const [start = 0n, end = 0n] = extent.map(integer);
    const inside = (items ?? []).filter(({ anchor }) => start <= anchor && anchor < end);
    tally.equal("values of the window", values.length, inside.length);
    tally.count("window", columnDifference(info, got.value.window, inside.map(({ anchor }, at) => ({ anchor, value: values[at] }))));
  }
}

/**
 * A paged index, by the pages that were asked for when everything was read.
 * @param {Tally} tally
 * @param {Reading} reading
 * @param {FieldReading} got
 * @param {Facts} facts
 * @param {string} prefix of the pages' keys
 */
function comparePages(tally, { asked }, got, { object_index: index }, prefix) {
  const pages = [...asked].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  tally.equal("total_items", got.count, index.total_items);
  tally.equal("page_count", pages.length, index.page_count);
  tally.count("root", pages.includes(index.root) ? undefined : `${index.root} was not asked for`);
}

/**
 * @param {Tally} tally
 * @param {any} info
 * @param {Facts} facts
 */
function compareDeclared(tally, info, facts) {
  const stated = statedOf(tally, facts);
  const same = (/** @type {unknown} */ fact) => fact;
  stated("kind", info.kind, same);
  stated("required", info.required, same);
  stated("modality", info.modality, same);
  stated("mime", info.mime, same);
  stated("pack_items", info.packItems, integer);
  stated("chunk_size", info.chunkSize, integer);
  stated("value_type", info.valueType, same);
  stated("track_kind", info.trackKind, same);
  stated("object_kind", info.objectKind, same);
  stated("coverage", [info.coverage.start, info.coverage.end], (extent) => extent.map(integer));
  stated("item_type", info.type, typeOfDocument);
}

/**
 * @param {Tally} tally
 * @param {Reading} reading
 * @param {any} info
 * @param {FieldReading} got
 * @param {Facts} facts
 */
function compareConstant(tally, { objects }, info, { constant }, facts) {
  if (constant === undefined) return tally.fail("constant: none was read");
  if (constant.family !== "text") tally.count("constant", arrayDifference(constant, facts["constant"]));
  else {
    const json = info.modality.endsWith(".json");
    tally.equal("constant", json ? JSON.parse(constant.text) : constant.text, facts["constant"]);
    if (facts["payload"] !== undefined) tally.count("bytes of the text", bytesDifference(constant.bytes, facts["payload"]));
  }
  comparePayload(tally, objects, facts["payload"]);
  tally.count("verified", constant.verified === "object" ? undefined : `${constant.verified}, expected "object"`);
}

/**
 * The stored object behind a value: it came whole, and is what the sidecar says.
 * @param {Tally} tally
 * @param {ReadonlyMap<string, Uint8Array>} objects
 * @param {import("./sidecar.mjs").BytesFact | undefined} payload
 */
function comparePayload(tally, objects, payload) {
  if (payload === undefined || isError(payload)) return;
  const address = addressOfDigest(payload.blake3);
  const object = objects.get(address);
  tally.count("payload", object === undefined ? `no object ${address} was read` : bytesDifference(object, payload));
}

/**
 * Every value, and that there is no other.
 * @param {Tally} tally
 * @param {Reading} reading
 * @param {any} info
 * @param {FieldReading} got
 * @param {{ anchor: bigint, value: any, payload?: import("./sidecar.mjs").BytesFact }[]} items
 * @param {Facts} version
 * @param {boolean} ruled whether the sidecar gives a rule in the place of values
 */
function compareItems(tally, { objects, together }, info, got, items, version, ruled) {
  const outcomes = got.outcomes ?? new Map();
  const differences = items.map(({ anchor, value }) => outcomeDifference(info, outcomes.get(anchor), value));
  if (ruled) {
    // A rule is one statement, however many values follow from it.
    const wrong = differences.findIndex((difference) => difference !== undefined);
    tally.count("all values", wrong === -1 ? undefined : `at ${items[wrong]?.anchor}: ${differences[wrong]}`);
  }
  for (const [at, { anchor, payload }] of ruled ? [] : items.entries()) {
    tally.at(`at ${anchor}`, () => {
      tally.count("value", differences[at]);
      comparePayload(tally, objects, payload);
    });
  }
  tally.count("column", columnDifference(info, got.column, items));
  tally.count("batches", columnDifference(info, got.batches, items));
  for (const [way, { value }] of Object.entries(together)) {
    if (value !== undefined) tally.count(`values of ${way}`, columnDifference(info, { value: value.cells.get(info.name) ?? [] }, items));
  }
  tally.equal("anchors with a value", ascending(presentIn(got)), ascending(items.map(({ anchor }) => anchor)));
  const deleted = new Set(isError(version["tombstones"]) ? [] : anchorsOf(version["tombstones"] ?? []));
  const stored = new Set(got.stored);
  const valued = new Set(items.map(({ anchor }) => anchor));
  const wrong = [...outcomes].find(([anchor, { status }]) => {
    return !valued.has(anchor) && status !== (deleted.has(anchor) && stored.has(anchor) ? "deleted" : "absent");
  });
  tally.count("anchors without a value", wrong === undefined ? undefined : `${wrong[0]} is said to be ${spelled(wrong[1].status)}`);
  tally.equal("count of stored Items", got.count, got.stored?.length);
}

/**
 * How what became of an anchor differs from the value that is there.
 * @param {any} info
 * @param {import("./reading.mjs").Outcome | undefined} outcome
 * @param {any} fact
 * @returns {string | undefined}
 */
function outcomeDifference(info, outcome, fact) {
  if (outcome?.status === "error") return errorLine(outcome.error);
  if (outcome?.status !== "value") return `${outcome?.status ?? "not read"}, expected ${spelled(fact)}`;
  const { anchor, value } = outcome;
  if (info.kind !== "scalar") {
    if (value.anchor !== anchor) return `the value of ${spelled(value.anchor)}`;
    if (value.verified === "none") return "a value that nothing proves";
  }
  if (info.kind === "array" && !equal(value.type, info.type)) return "a value of another type";
  return valueDifference(info, value, fact);
}

/**
 * @param {any} info
 * @param {any} value
 * @param {any} fact
 * @returns {string | undefined}
 */
function valueDifference(info, value, fact) {
  if (info.kind === "scalar") return scalarDifference(info, value, fact);
  if (info.kind === "array") return arrayDifference(value, fact);
  if (value.kind !== info.kind || value.mime !== info.mime) return `${value.kind} of ${value.mime}`;
  return bytesDifference(value.bytes, fact);
}

/**
 * How the values of a column differ from those that are there.
 * @param {any} info
 * @param {import("./reading.mjs").Attempt<import("./columns.mjs").Cell[]> | undefined} got
 * @param {readonly { anchor: bigint, value: any }[]} items
 * @returns {string | undefined}
 */
function columnDifference(info, got, items) {
  if (got?.value === undefined) return errorLine(got?.error ?? "not read");
  const { value: cells } = got;
  const wrong = items.findIndex(({ anchor, value }, at) => cells[at]?.anchor !== anchor || valueDifference(info, cells[at]?.value, value) !== undefined);
  if (wrong === -1) return cells.length === items.length ? undefined : `${cells.length} values, expected ${items.length}`;
  const [cell, item] = [cells[wrong], items[wrong]];
  if (cell?.anchor !== item?.anchor) return `anchor ${wrong} is ${spelled(cell?.anchor)}, expected ${spelled(item?.anchor)}`;
  return `at ${cell?.anchor}: ${valueDifference(info, cell?.value, item?.value)}`;
}

/**
 * @param {any} info
 * @param {unknown} value
 * @param {any} fact
 */
function scalarDifference({ valueType }, value, fact) {
  const exact = valueType === "int" || valueType === "timestamp" ? integer(fact) : valueType === "float" && typeof fact === "object" ? Number(fact.float) : fact;
  return Object.is(value, exact) ? undefined : `${spelled(value)}, expected ${spelled(exact)}`;
}

/**
 * An audit finds every stored Item, and no fault.
 * @param {Tally} tally
 * @param {FieldReading} got
 * @param {import("./sidecar.mjs").SidecarNumber | undefined} physical stored Items, where the sidecar says it
 */
function compareAudit(tally, { audit, count = 1 }, physical) {
  if (audit?.value === undefined) return tally.fail(`audit: ${errorLine(audit?.error)}`);
  const { items, faults } = audit.value;
  tally.equal("audit_physical_items", items, physical === undefined ? count : Number(integer(physical)));
  tally.equal("faults of the audit", faults.map(({ code }) => code), []);
}

/**
 * The same version, opened by its manifest's address: the same in everything but how it was verified, which depends on what came first.
 * @param {Tally} tally
 * @param {Reading} named
 * @param {Reading} pinned
 */
export function comparePinned(tally, named, pinned) {
  for (const part of /** @type {const} */ (["manifest", "timeline", "fields"])) tally.equal(part, pinned[part], named[part]);
  const same = (/** @type {unknown} */ a, /** @type {unknown} */ b) => (equal(a, b, "verified") ? undefined : "not what the Ref gives");
  for (const [name, reading] of named.readings) tally.count(`field ${name}`, same(pinned.readings.get(name), reading));
  for (const [way, read] of Object.entries(named.together)) tally.count(way, same(pinned.together[way], read));
  tally.equal("Refs asked for", [...pinned.asked].filter((key) => key.startsWith("refs/")), []);
}
