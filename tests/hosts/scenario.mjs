/**
 * What every host does with the packed package: the same calls, the same expected values. Plain JavaScript without an import, so that it
 * runs unchanged in Node, Deno, Bun, workerd and a browser.
 *
 * The hosts differ in one thing only, whether the core runs right after the import; `env.ready` says so.
 */

/**
 * @typedef {object} Env
 * @property {"import" | "init"} ready from when on synchronous functions work
 * @property {unknown} [source] what init() is given (the slim entry)
 * @property {string} [fixtures] address of the folder of datasets; absent where the host has no network
 */

/**
 * Run everything; throws at the first difference.
 * @param {typeof import("dreamdb-arrays")} api
 * @param {Env} env
 * @returns {Promise<string>} what was done, in a few words
 */
export async function scenario(api, env) {
  await loading(api, env);
  pure(api);
  if (env.fixtures === undefined) return "pure";
  await overHttp(api, env.fixtures);
  return "pure, HTTP";
}

/**
 * @param {typeof import("dreamdb-arrays")} api
 * @param {Env} env
 */
async function loading(api, env) {
  if (env.ready === "import") {
    pure(api);
  } else {
    const code = codeOf(() => pure(api));
    equal(code, "WasmNotReady", "a synchronous call before init()");
  }
  const source = /** @type {Parameters<typeof api.init>[0]} */ (env.source);
  await Promise.all([api.init(source), api.init(source)]);
}

/**
 * What needs no network.
 * @param {typeof import("dreamdb-arrays")} api
 */
function pure(api) {
  const bytes = Uint8Array.from({ length: 1025 }, (_, i) => i % 251);
  equal(api.codec.addressOf(bytes), "d3iae6foi7vspm2pv3hwpnh6ey7yfvkbfelmd76zpsglp64bjocei", "address of 1025 bytes");
}

/**
 * One Item of each kind of the fixture `episode`, against what the reference read back from it.
 * @param {typeof import("dreamdb-arrays")} api
 * @param {string} fixtures
 */
async function overHttp(api, fixtures) {
  const sidecar = await (await fetch(`${fixtures}/episode/expected.json`)).json();
  const { manifest, fields } = sidecar.refs.main;
  const ds = await api.openDataset(`${fixtures}/episode/data`, "main");
  equal(ds.manifest.address, manifest, "the manifest");

  /** @type {[field: string, item: number][]} */
  const dense = [["pose", 3], ["joints", 0], ["force", 2], ["ticks", 11]];
  for (const [name, at] of dense) {
    const { anchor, value } = fields[name].items[at];
    const item = await ds.array(name).read(BigInt(anchor.int));
    same(item?.shape, value.shape, `the shape of ${name}`);
    same(numbers(item?.data), value.values, name);
    equal(item?.verified, "object", `what was checked of ${name}`);
  }
  const hits = fields.hits.items[6];
  const ragged = await ds.ragged("hits", { dtype: "f32", shape: [3] }).read(BigInt(hits.anchor.int));
  same(numbers(ragged?.rowOffsets), hits.value.row_offsets.values, "the row offsets of hits");
  same(numbers(ragged?.values), hits.value.values.values, "the values of hits");
  const contacts = fields.contacts.items[5];
  const csr = await ds.csr("contacts").read(BigInt(contacts.anchor.int));
  same(numbers(csr?.rowOffsets), contacts.value.row_offsets.values, "the row offsets of contacts");
  same(numbers(csr?.columnIndices), contacts.value.column_indices.values, "the column indices of contacts");
  same(numbers(csr?.values), contacts.value.values.values, "the values of contacts");

  const gravity = await ds.getArrayConstant("gravity");
  same(gravity?.family === "dense-array" ? numbers(gravity.data) : undefined, fields.gravity.constant.values, "gravity");
  const title = await ds.constant("title").read();
  equal(title?.family === "text" ? title.text : undefined, fields.title.constant, "the title");

  const { anchor, value } = fields.image.items[7];
  for (const verify of /** @type {const} */ (["always", "available"])) {
    const image = await (await api.openDataset(`${fixtures}/episode/data`, "main", { verify })).media("image").read(BigInt(anchor.int));
    equal(image?.bytes.byteLength, value.len, "the size of the image");
    equal(image && hexOf(api.codec.addressOf(image.bytes)), value.blake3, "the image");
  }
  const missing = await ds.array("pose").read(1).then((item) => typeof item);
  equal(missing, "undefined", "an anchor without an Item");
  equal(await ds.array("pose").read(0.5).catch((/** @type {{ code: string }} */ error) => error.code), "InvalidArgument", "no anchor at all");
}

/**
 * Elements as the sidecars write them.
 * @param {ArrayLike<number | bigint> | undefined} elements
 */
function numbers(elements) {
  return Array.from(elements ?? [], (element) => {
    if (typeof element === "bigint") return element < 2n ** 53n ? Number(element) : { int: String(element) };
    if (Number.isNaN(element)) return { float: "nan" };
    return Object.is(element, -0) ? { float: "-0.0" } : element;
  });
}

/**
 * The digest of an address, as hex.
 * @param {string} address
 */
function hexOf(address) {
  const bits = [...address].map((letter) => "abcdefghijklmnopqrstuvwxyz234567".indexOf(letter).toString(2).padStart(5, "0")).join("");
  return (bits.match(/.{8}/g) ?? []).slice(1).map((byte) => Number.parseInt(byte, 2).toString(16).padStart(2, "0")).join("");
}

/**
 * @param {unknown} actual
 * @param {unknown} expected
 * @param {string} what
 */
function same(actual, expected, what) {
  equal(JSON.stringify(actual), JSON.stringify(expected), what);
}

/**
 * @param {unknown} actual
 * @param {unknown} expected
 * @param {string} what
 */
function equal(actual, expected, what) {
  if (actual !== expected) throw new Error(`${what}: expected ${String(expected)}, got ${String(actual)}`);
}

/** @param {() => void} work */
function codeOf(work) {
  try {
    work();
    return "no error";
  } catch (error) {
    return /** @type {{ code?: string }} */ (error).code;
  }
}
