/** Records of scalar columns by their definition, with runs or without: another writer than the package's. */

/** An integer of so many bytes, little-endian. */
function little(value: number, bytes: number): number[] {
  const all: number[] = [];
  for (let at = 0, left = value; at < bytes; at++, left = Math.floor(left / 256)) all.push(left % 256);
  return all;
}

/** The record of anchors. */
export function recordOf(anchors: Iterable<bigint>, runs: boolean): Uint8Array {
  const buckets = grouped([...BigUint64Array.from(anchors).sort()], (anchor) => anchor >> 32n);
  const parts = buckets.map(([high, own]) => [...little(Number(high), 4), ...bitmap(own.map((anchor) => Number(anchor & 0xffff_ffffn)), runs)]);
  return Uint8Array.from([1, ...little(buckets.length, 8), ...parts.flat()]);
}

function bitmap(lows: readonly number[], runs: boolean): number[] {
  const containers = grouped(lows, (low) => low >>> 16).map(([key, own]) => ({ key, own, ...container(own.map((low) => low & 0xffff), runs) }));
  const hasRuns = containers.some(({ isRuns }) => isRuns);
  const count = containers.length;
  const flags = Array.from({ length: (count + 7) >> 3 }, (_, byte) => containers.slice(8 * byte, 8 * byte + 8).reduce((bits, { isRuns }, at) => bits | (Number(isRuns) << at), 0));
  const front = hasRuns ? [...little(12347, 2), ...little(count - 1, 2), ...flags] : [...little(12346, 4), ...little(count, 4)];
  const described = containers.flatMap(({ key, own }) => [...little(key, 2), ...little(own.length - 1, 2)]);
  const hasOffsets = !hasRuns || count >= 4;
  let offset = front.length + described.length + (hasOffsets ? 4 * count : 0);
  const offsets = containers.flatMap(({ body }) => little((offset += body.length) - body.length, 4));
  return [...front, ...described, ...(hasOffsets ? offsets : []), ...containers.flatMap(({ body }) => body)];
}

/** Runs where they are shorter, and asked for. */
function container(values: readonly number[], asked: boolean): { isRuns: boolean; body: number[] } {
  const stretches: [first: number, more: number][] = [];
  for (const value of values) {
    const last = stretches.at(-1);
    if (last !== undefined && last[0] + last[1] + 1 === value) last[1]++;
    else stretches.push([value, 0]);
  }
  const size = values.length <= 4096 ? 2 * values.length : 8192;
  if (asked && 2 + 4 * stretches.length < size) return { isRuns: true, body: [...little(stretches.length, 2), ...stretches.flatMap((run) => run.flatMap((half) => little(half, 2)))] };
  if (values.length <= 4096) return { isRuns: false, body: values.flatMap((value) => little(value, 2)) };
  const bits = new Uint8Array(8192);
  for (const value of values) bits[value >> 3] = (bits[value >> 3] ?? 0) | (1 << (value & 7));
  return { isRuns: false, body: [...bits] };
}

function grouped<T, K>(all: readonly T[], keyOf: (one: T) => K): [K, T[]][] {
  const groups: [K, T[]][] = [];
  for (const one of all) {
    const last = groups.at(-1);
    if (last?.[0] === keyOf(one)) last[1].push(one);
    else groups.push([keyOf(one), [one]]);
  }
  return groups;
}
