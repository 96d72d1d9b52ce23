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
 * @property {import("dreamdb-arrays").WritableStore} [folder] an empty folder; absent where the host has no files
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
  await written(api, api.memoryStore());
  if (env.folder !== undefined) await written(api, env.folder);
  const places = env.folder === undefined ? "written" : "written to a folder";
  if (env.fixtures === undefined) return `pure, ${places}`;
  await overHttp(api, env.fixtures);
  await brokenOff(api, env.fixtures.replace(/fixtures$/, "faults"));
  await compressed(api, env.fixtures.replace(/fixtures$/, "faults"));
  await withinLimits(api, env.fixtures);
  return `pure, ${places}, HTTP, faults`;
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
 * A dataset made, appended to by two, and read back.
 * @param {typeof import("dreamdb-arrays")} api
 * @param {import("dreamdb-arrays").WritableStore} store
 */
async function written(api, store) {
  const schema = new api.Schema().array("pose", { dtype: "f64", shape: [2], endianness: "big" }).image("frame", { mime: "png", packItems: 2, required: false });
  const ds = await api.Dataset.create(store, "main", schema);
  const other = await api.Dataset.open(store);
  await ds.append([{ anchor: 1, values: { pose: [0.5, -0.5], frame: Uint8Array.of(1, 2, 3) } }]);
  equal(await other.append([{ anchor: 2, values: { pose: [1, 2] } }]).catch((/** @type {{ code: string }} */ error) => error.code), "RefConflict", "a lost race");
  await other.appendColumns({ anchors: [2n, 3n], fields: { pose: Float64Array.of(1, 2, 3, 4) } }, { rebase: true });
  await other.delete([2]);
  const read = await api.openDataset(store);
  same(numbers((await read.array("pose").column()).data), [0.5, -0.5, 3, 4], "the column that was written");
  same(numbers((await read.media("frame").read(1))?.bytes), [1, 2, 3], "the image that was written");
  same((await read.audit()).faults, [], "faults of what was written");
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
 * Bodies that end too early: the same error on every host, however the connection ended, and a second try that goes well is not seen.
 * @param {typeof import("dreamdb-arrays")} api
 * @param {string} faults
 */
async function brokenOff(api, faults) {
  const key = "refs/main";
  for (const fault of ["close-early", "close-delimited", "chunks-cut"]) {
    const store = api.httpStore(`${faults}/${fault}/episode/data`);
    equal(await codeOfRead(store.getRange(key, 2, 20)), "BodyLength", `a range from a server of the kind ${fault}`);
    // Where the end of the connection ends the body, only its address tells that an object is not whole.
    if (fault !== "close-delimited") equal(await codeOfRead(store.get(key)), "BodyLength", `an object from a server of the kind ${fault}`);
    const retry = { minDelayMs: 1 };
    const expected = fault === "close-delimited" ? "RefBody" : "BodyLength";
    equal(await codeOfRead(api.openDataset(`${faults}/${fault}/episode/data`, "main", { retry })), expected, `a dataset of the kind ${fault}`);
  }
  const once = `${faults}/close-early-once/packs/data?run=${Date.now()}-${Math.random()}`;
  for (const verify of /** @type {const} */ (["always", "never"])) {
    const ds = await api.openDataset(`${once}-${verify}`, "main", { verify, retry: { minDelayMs: 1 } });
    const [image] = await ds.media("im2").readMany([205]);
    equal(image?.status === "value" ? image.value.bytes.byteLength : image?.status, 1205, "an image that came the second time");
    equal(ds.stats().retries >= 4, true, "that second tries were made");
  }
}

/**
 * Compressed answers: whole objects are read through them, and a range is the right bytes or an error, whatever the host makes of them.
 * @param {typeof import("dreamdb-arrays")} api
 * @param {string} faults
 */
async function compressed(api, faults) {
  const key = "refs/main";
  const object = await api.httpStore(`${faults.replace(/faults$/, "fixtures")}/episode/data`).get(key);
  // Some ask for no coding with a range, some undo it, some leave it, and browsers refuse the answer themselves.
  const refusals = ["CompressedPartial", "Network"];
  /** @type {[fault: string, outcomes: string[]][]} */
  const outcomes = [["gzip-if-accepted", ["right", ...refusals]], ["gzip-whole", ["right", ...refusals]], ["gzip-part", refusals]];
  for (const [fault, allowed] of outcomes) {
    const store = api.httpStore(`${faults}/${fault}/episode/data`);
    const read = await store.getRange(key, 2, 20).then(
      (bytes) => (bytes.join() === object.slice(2, 22).join() ? "right" : "other bytes"),
      (/** @type {{ code?: string }} */ error) => error.code ?? String(error),
    );
    equal(allowed.includes(read), true, `${read}, a range from a server of the kind ${fault}`);
    if (fault !== "gzip-part") same([...(await store.get(key))], [...object], `an object from a server of the kind ${fault}`);
  }
}

/**
 * What edge workers demand: nothing in an init that they refuse, and no more requests than they allow.
 * @param {typeof import("dreamdb-arrays")} api
 * @param {string} fixtures
 */
async function withinLimits(api, fixtures) {
  const { im, im2, none } = (await (await fetch(`${fixtures}/packs/expected.json`)).json()).refs.main.fields;
  let sent = 0;
  /** @type {import("dreamdb-arrays").Fetch} */
  const strict = async (url, init) => {
    sent += 1;
    if (sent > 50) throw new Error("Too many subrequests.");
    const refused = ["cache", "mode", "credentials", "keepalive", "integrity"].filter((name) => name in init);
    if (refused.length > 0) throw new TypeError(`not implemented: ${refused.join(", ")}`);
    return fetch(url, init);
  };
  const ds = await api.openDataset(`${fixtures}/packs/data`, "main", { fetch: strict, maxRequests: 30 });
  for (const [name, fact] of Object.entries({ im, im2 })) {
    const anchors = fact.items.map((/** @type {{ anchor: number }} */ item) => item.anchor);
    const sizes = (await ds.media(name).readMany(anchors)).map((outcome) => (outcome.status === "value" ? outcome.value.bytes.byteLength : outcome.status));
    same(sizes, fact.items.map((/** @type {{ value: { len: number } }} */ item) => item.value.len), `the sizes of ${name}`);
  }
  equal(sent, ds.stats().requests, "the requests that were counted");

  // Ref, manifest and index are three; the four Items are objects of their own.
  const scarce = await api.openDataset(`${fixtures}/packs/data`, "main", { fetch: strict, maxRequests: 6 });
  const before = sent;
  const anchors = none.items.map((/** @type {{ anchor: number }} */ item) => item.anchor);
  equal(await codeOfRead(scarce.media("none").readMany(anchors)), "RequestBudget", "more Items than requests are left");
  equal(sent, before + 1, "the requests for them");
  equal((await scarce.media("none").readMany(anchors.slice(1))).every(({ status }) => status === "value"), true, "as many as are left");
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

/** @param {Promise<unknown>} read */
function codeOfRead(read) {
  return read.then(
    () => "no error",
    (/** @type {{ code?: string }} */ error) => error.code ?? String(error),
  );
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
