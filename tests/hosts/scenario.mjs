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
  equal(text(api.codec.addressOf(bytes)), "d3iae6foi7vspm2pv3hwpnh6ey7yfvkbfelmd76zpsglp64bjocei", "address of 1025 bytes");
}

/**
 * What reads a dataset of tests/fixtures.
 * @param {typeof import("dreamdb-arrays")} api
 * @param {string} fixtures
 */
async function overHttp(api, fixtures) {
  const address = "d2hxhfu7txnn3d5yudyw6mbj2vg7smiq5nprurbzuey5c6gfgbkim";
  const response = await fetch(`${fixtures}/arrays-basic/data/manifests/${address}`);
  equal(text(api.codec.addressOf(new Uint8Array(await response.arrayBuffer()))), address, "address of a manifest");
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

/**
 * An address as text, if it is not text yet.
 * @param {string | Uint8Array} address
 */
function text(address) {
  if (typeof address === "string") return address;
  const bits = [...address].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((group) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}
