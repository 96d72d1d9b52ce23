/**
 * A Worker that answers for single Items of a field of arrays, out of an R2 bucket: no dataset is opened, and no index is read, since the
 * entries came with the Worker.
 *
 *     GET /item/:anchor           the Item, as JSON; its bytes with `Accept: application/octet-stream`
 *     GET /item/:anchor/row/:n    one row of a ragged Item, of which only the bytes that it needs are read
 *
 * `env.BUCKET` is the bucket, `env.FIELD` says what the field is: `{ itemType, path, entries }` as `openArrayField` takes them, with anchors
 * as texts, since JSON has no 64-bit integers.
 */
import { DreamDbError, isDreamDbError, openArrayField } from "dreamdb-arrays";

/** @typedef {{ size: number, arrayBuffer(): Promise<ArrayBuffer> }} Body what R2 gives of an object */
/** @typedef {{ get(key: string, options?: { range: { offset: number, length: number } }): Promise<Body | null> }} Bucket */
/** @typedef {{ itemType: import("dreamdb-arrays").ItemTypeInit, path: string, entries: Record<string, string | boolean>[] }} FieldText */

/** Statuses of what can go wrong; whatever else does is the origin's fault. */
const STATUS = /** @type {Record<string, number>} */ ({ InvalidArgument: 400, WrongFamily: 400, Forbidden: 403, TooLarge: 413, RequestBudget: 503 });

export default {
  /**
   * @param {Request} request
   * @param {{ BUCKET: Bucket, FIELD: FieldText }} env
   */
  async fetch(request, env) {
    const [, anchorText, rowText] = /^\/item\/(\d{1,20})(?:\/row\/(\d{1,20}))?$/.exec(new URL(request.url).pathname) ?? [];
    if (request.method !== "GET" || anchorText === undefined) return answer(404, { code: "NoSuchRoute" });
    const anchor = BigInt(anchorText);
    try {
      const field = await open(env);
      if (rowText === undefined) {
        const item = await field.read(anchor, { signal: request.signal });
        return item === undefined ? answer(404, { code: "Absent", anchor: anchorText }) : valueAnswer(request, item);
      }
      if (!("readRow" in field)) throw new DreamDbError("WrongFamily", "only ragged and sparse Items have rows");
      const row = await field.readRow(anchor, BigInt(rowText), { signal: request.signal });
      return row === undefined ? answer(404, { code: "Absent", anchor: anchorText }) : valueAnswer(request, row);
    } catch (error) {
      if (!isDreamDbError(error)) throw error;
      // Messages name keys of the bucket, which are not everybody's business.
      return answer(STATUS[error.code] ?? 502, { code: error.code, anchor: anchorText });
    }
  },
};

/** @typedef {import("dreamdb-arrays").ArrayField | import("dreamdb-arrays").RaggedField} Field */

/** @type {WeakMap<Bucket, Promise<Field>>} */
const opened = new WeakMap();

/**
 * The field; opened by the first request that this Worker answers.
 * @param {{ BUCKET: Bucket, FIELD: FieldText }} env
 * @returns {Promise<Field>}
 */
function open({ BUCKET, FIELD: { itemType, path, entries } }) {
  const known = opened.get(BUCKET);
  if (known !== undefined) return known;
  const numbered = entries.map((entry) => Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, isNumber(key, value) ? BigInt(value) : value])));
  const field = /** @type {Promise<Field>} */ (openArrayField(bucketStore(BUCKET), { itemType, path, entries: /** @type {any} */ (numbered) }));
  opened.set(BUCKET, field);
  field.catch(() => opened.delete(BUCKET));
  return field;
}

/**
 * @param {string} key
 * @param {string | boolean} value
 */
function isNumber(key, value) {
  return key !== "address" && typeof value === "string";
}

/**
 * A bucket as a store: two functions, and how objects are called in errors.
 * @param {Bucket} bucket
 * @returns {import("dreamdb-arrays").Store}
 */
function bucketStore(bucket) {
  const missing = (/** @type {string} */ key) => new DreamDbError("NotFound", `no such object: ${key}`, { key });
  return {
    describe: (key) => `r2:${key}`,
    async get(key) {
      const body = await bucket.get(key);
      if (body === null) throw missing(key);
      return new Uint8Array(await body.arrayBuffer());
    },
    async getRange(key, offset, length, { onTotal } = {}) {
      if (length === 0) return new Uint8Array(0);
      const body = await bucket.get(key, { range: { offset, length } }).catch((cause) => {
        throw new DreamDbError("RangeNotSatisfiable", `the object ends before byte ${offset}: ${key}`, { key, cause });
      });
      if (body === null) throw missing(key);
      onTotal?.(body.size);
      const bytes = new Uint8Array(await body.arrayBuffer());
      if (bytes.byteLength === length) return bytes;
      throw new DreamDbError("BodyLength", `the object ends before byte ${offset + length}: ${key}`, { key, expected: String(length), actual: String(bytes.byteLength) });
    },
  };
}

/**
 * A value as JSON, piece by piece, or the bytes of a dense one.
 * @param {Request} request
 * @param {object} value
 */
function valueAnswer(request, value) {
  const data = "data" in value && ArrayBuffer.isView(value.data) ? /** @type {ArrayBufferView<ArrayBuffer>} */ (value.data) : undefined;
  if (data !== undefined && request.headers.get("accept") === "application/octet-stream") {
    return new Response(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), { headers: { "content-type": "application/octet-stream" } });
  }
  const pieces = json(value);
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    pull(controller) {
      const next = pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

/** Elements of a piece of JSON. */
const PIECE = 4096;

/**
 * Fields of a value one after another. 64-bit integers become texts, and so does what JSON has no number for: NaN, the infinities, −0.
 * @param {object} value
 * @returns {Generator<string, void, undefined>}
 */
function* json(value) {
  let before = "{";
  for (const [key, own] of Object.entries(value)) {
    if (key === "type") continue;
    yield `${before}${JSON.stringify(key)}:`;
    before = ",";
    if (!ArrayBuffer.isView(own)) {
      yield JSON.stringify(own, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner));
      continue;
    }
    const elements = /** @type {Float64Array | BigInt64Array} */ (own);
    yield "[";
    for (let from = 0; from < elements.length; from += PIECE) {
      yield (from === 0 ? "" : ",") + Array.from(elements.subarray(from, from + PIECE), element).join();
    }
    yield "]";
  }
  yield `${before === "{" ? "{" : ""}}`;
}

/** @param {number | bigint} value */
function element(value) {
  if (typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0)) return String(value);
  return Object.is(value, -0) ? '"-0"' : `"${value}"`;
}

/**
 * @param {number} status
 * @param {object} body
 */
function answer(status, body) {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}
