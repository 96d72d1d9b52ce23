/**
 * The `tracks` container of a version that follows another: which Tracks are in force, and which they replaced.
 *
 * The core has read the container and what it holds, and it is canonical: bindings, edges and their ends have all of their keys and no other, so each of
 * these has its place, and the lists are in order.
 */
import type { CoreBinding } from "../../../pkg/dreamdb_arrays.js";
import { addressBytesOf } from "../../codec/hash.js";
import { DreamDbError } from "../../errors.js";
import { body, bytes, changed, type Item, itemsUnder, list, map, mapOf, pairs, text, uint } from "../cbor.js";
import type { NewField } from "./fields.js";
import { inserted, type Order, orderBy } from "./order.js";

/** A Track Object, and the extent of its anchors, which the Object says as well: from the first to behind the last. */
export interface Placed {
  readonly address: string;
  /** 0 for a Track without Items, and for a Constant. */
  readonly start: bigint;
  /** 1 for a Track without Items, 2^64 − 1 for a Constant. */
  readonly end: bigint;
}

/** What a version changes of the Tracks in force. */
export interface TracksEdit {
  /** Fields that have a new Track. */
  readonly moved: readonly { readonly field: string; readonly track: Placed }[];
  /** Fields that it adds. */
  readonly added: readonly { readonly field: NewField; readonly track: Placed }[];
  /** Whether to leave out which Tracks were replaced, now and before. The reference does so where it merges. */
  readonly forgetLineage?: boolean | undefined;
}

/** Where a binding has `timeline`, `field`, `modality` and `address`, by which it is ordered: among its kind, role, field, address, coverage, modality, timeline. */
const BINDING_ORDER = [6, 2, 5, 3];
/** Where an end of an edge has them, which has nothing else. */
const END_ORDER = [3, 0, 2, 1];

/**
 * The container of the version that follows.
 *
 * A moved field's binding keeps all but Track and coverage; the one that it replaces goes into lineage, with an edge between them. Whatever is not named
 * stays, layers over replaced Tracks included. Costs two passes over it.
 *
 * @param bindings those in force in `container`, in its order
 * @param timeline of fields that are added
 * @throws {DreamDbError} `BindingMissing` for a field that is not there; `InvalidArgument` for one that is there already, that is named twice, or that moves
 * to the Track it has, and for a second Constant of one modality
 */
export function editedTracks(container: Item, bindings: readonly CoreBinding[], timeline: string, { moved, added, forgetLineage }: TracksEdit): Item {
  const there = pairs(container);
  const active = itemsUnder(there, "active");
  const [lineage, edges]: [Item[], Item[]] = [[], []];
  // Of several bindings of one name the first serves its field.
  const places = new Map<string, number>();
  for (const [at, { field }] of bindings.entries()) if (!places.has(field)) places.set(field, at);
  const named = new Set<string>();
  for (const { field, track } of moved) {
    if (named.has(field)) throw refusal(field, "is given two Tracks at once");
    named.add(field);
    const at = places.get(field) ?? -1;
    const old = active[at];
    if (old === undefined) throw new DreamDbError("BindingMissing", `the manifest has no field \`${field}\` that could have a new Track`, { subject: field });
    if (bindings[at]?.track === track.address) throw refusal(field, "has the Track already that it is to be given");
    const moving = (active[at] = changed(old, placed(track)));
    lineage.push(old);
    edges.push(map({ child: endOf(moving), exact_parent: endOf(old) }));
  }
  const bound: Item[] = [];
  const modalities = new Set(bindings.map(({ modality }) => modality));
  for (const { field, track } of added) {
    const { name, kind, modality } = field;
    if (places.has(name)) throw refusal(name, "is there already");
    if (kind === "constant" && modalities.has(modality)) throw refusal(name, "is a Constant of a modality that has one already, and is found by that alone");
    places.set(name, -1);
    modalities.add(modality);
    const given = { kind: text(kind), role: text("base"), field: text(name), modality: text(modality), timeline: bytes(addressBytesOf(timeline)) };
    bound.push(map({ ...given, ...placed(track) }));
  }
  const byBinding = orderBy((binding) => membersAt(BINDING_ORDER, binding));
  const byEdge = orderBy((edge) => pairs(edge).flatMap(([, end]) => membersAt(END_ORDER, end)));
  const past = (key: string, more: readonly Item[], order: Order): Item => list(forgetLineage ? [] : inserted(itemsUnder(there, key), more, order));
  return changed(there, {
    edges: past("edges", edges, byEdge),
    active: list(inserted(active, bound, byBinding)),
    lineage: past("lineage", lineage, byBinding),
  });
}

/** What a map has at these places. */
function membersAt(places: readonly number[], whole: Item): Uint8Array[] {
  const members = pairs(whole);
  return places.map((at) => body(members[at]?.[1] ?? whole));
}

/** A binding as an edge names it: without its kind, role and coverage. */
const endOf = (binding: Item): Item => mapOf(pairs(binding).filter((_, at) => BINDING_ORDER.includes(at)));

const placed = ({ address, start, end }: Placed) => ({ address: bytes(addressBytesOf(address)), coverage: list([uint(start), uint(end)]) });

const refusal = (field: string, what: string): DreamDbError => new DreamDbError("InvalidArgument", `field \`${field}\` ${what}`, { subject: field });
