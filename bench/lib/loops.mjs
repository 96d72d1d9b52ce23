/**
 * Byte order and index tables in plain JavaScript: as one writes it first, with a DataView, and as one writes it when that is too slow, with
 * pairs of 32-bit integers. They check what the core checks, and fail with less to say.
 */

/** @typedef {{ rows: number, offsets: number, columns: number }} CsrPlace rows of a matrix, and where in its payload the tables begin */

/**
 * Row offsets, which never decrease.
 * @param {Uint8Array} payload
 * @param {number} start
 * @param {number} count
 */
export function offsetsByDataView(payload, start, count) {
  const view = new DataView(payload.buffer, payload.byteOffset + start);
  const offsets = new BigUint64Array(count);
  let last = 0n;
  for (let at = 0; at < count; at++) {
    const offset = view.getBigUint64(at * 8);
    if (offset < last) throw new Error(`offset ${at} decreases`);
    offsets[at] = last = offset;
  }
  return offsets;
}

/**
 * The same by halves, exact below 2^53.
 * @param {Uint8Array} payload
 * @param {number} start
 * @param {number} count
 */
export function offsetsByPairs(payload, start, count) {
  const view = new DataView(payload.buffer, payload.byteOffset + start);
  const offsets = new BigUint64Array(count);
  const halves = new Uint32Array(offsets.buffer);
  let last = 0;
  for (let at = 0; at < count; at++) {
    const [high, low] = [view.getUint32(at * 8), view.getUint32(at * 8 + 4)];
    const offset = high * 2 ** 32 + low;
    if (offset < last) throw new Error(`offset ${at} decreases`);
    last = offset;
    halves[at * 2] = low;
    halves[at * 2 + 1] = high;
  }
  return offsets;
}

/**
 * Column indices, which increase within their rows.
 * @param {Uint8Array} payload
 * @param {CsrPlace} place
 */
export function csrByDataView(payload, { rows, offsets: start, columns: columnsStart }) {
  const offsets = offsetsByDataView(payload, start, rows + 1);
  const view = new DataView(payload.buffer, payload.byteOffset + columnsStart);
  const columns = new BigUint64Array(Number(offsets[rows] ?? 0n));
  for (let row = 0; row < rows; row++) {
    let least = 0n;
    const end = Number(offsets[row + 1] ?? 0n);
    for (let at = Number(offsets[row] ?? 0n); at < end; at++) {
      const column = view.getBigUint64(at * 8);
      if (column < least) throw new Error(`column index ${at} does not increase`);
      columns[at] = column;
      least = column + 1n;
    }
  }
  return columns;
}

/**
 * The same by halves, exact below 2^53.
 * @param {Uint8Array} payload
 * @param {CsrPlace} place
 */
export function csrByPairs(payload, { rows, offsets: start, columns: columnsStart }) {
  const offsets = offsetsByPairs(payload, start, rows + 1);
  const view = new DataView(payload.buffer, payload.byteOffset + columnsStart);
  const columns = new BigUint64Array(Number(offsets[rows] ?? 0n));
  const halves = new Uint32Array(columns.buffer);
  for (let row = 0; row < rows; row++) {
    let least = 0;
    const end = Number(offsets[row + 1] ?? 0n);
    for (let at = Number(offsets[row] ?? 0n); at < end; at++) {
      const [high, low] = [view.getUint32(at * 8), view.getUint32(at * 8 + 4)];
      const column = high * 2 ** 32 + low;
      if (column < least) throw new Error(`column index ${at} does not increase`);
      least = column + 1;
      halves[at * 2] = low;
      halves[at * 2 + 1] = high;
    }
  }
  return columns;
}

/** @param {Uint8Array} bytes big-endian */
export function floatsByDataView(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const floats = new Float32Array(bytes.byteLength / 4);
  for (let at = 0; at < floats.length; at++) floats[at] = view.getFloat32(at * 4);
  return floats;
}

/** @param {Uint8Array} bytes big-endian */
export function doublesByDataView(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const doubles = new Float64Array(bytes.byteLength / 8);
  for (let at = 0; at < doubles.length; at++) doubles[at] = view.getFloat64(at * 8);
  return doubles;
}

/** @param {number} word */
function swapped(word) {
  return (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);
}

/** @param {Uint8Array} bytes */
export function swap32InPlace(bytes) {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  for (let at = 0; at < words.length; at++) words[at] = swapped(words[at] ?? 0);
}

/** @param {Uint8Array} bytes */
export function swap64InPlace(bytes) {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  for (let at = 0; at < words.length; at += 2) {
    const first = swapped(words[at] ?? 0);
    words[at] = swapped(words[at + 1] ?? 0);
    words[at + 1] = first;
  }
}
