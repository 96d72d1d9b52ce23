/**
 * Tests of the crate under miri, an interpreter that sees what a compiler's optimiser only relies on: every access to memory, every overflow.
 *
 *     npm run miri -- [NAME…]
 *
 * Interpreted, hashing a kilobyte takes seconds, so these are tests of the decoders and of the planner that hash little; others can be named.
 * The last line is `N passed, N failed`.
 */
import { closeCargo } from "./lib/report.mjs";
import { fail, run } from "./lib/run.mjs";
import { nightlyToolchain } from "./lib/rust.mjs";
import { setup } from "./setup.mjs";

/** What is run if nothing is named: modules and tests of `tests/rust` whose names hold one of these. */
const USUAL = [
  "bao::a_plan_refuses",
  "bao::a_wrong_length",
  "bao::bytes_of_another_length",
  "cbor_canonical::heads_and_bodies",
  "cbor_canonical::what_the_profile_excludes",
  "cbor_canonical::widths_of_heads",
  "manifest_bindings",
  "modality_classes",
  "payload_npy::a_",
  "payload_npy::any_",
  "payload_npy::elements_of_one_byte",
  "payload_swaps::a_swap",
  "payload_swaps::bits_of_floats",
  "payload_swaps::decoding_fills",
];
/** Tries of each property. */
const TRIES = "2";

try {
  await setup("miri");
  const names = process.argv.slice(2);
  // Files are read, which miri's own world has none of.
  const env = { RUSTUP_TOOLCHAIN: nightlyToolchain, MIRIFLAGS: "-Zmiri-disable-isolation", PROPTEST_CASES: TRIES, SLOWER: "1000" };
  closeCargo(await run("cargo", ["miri", "test", "--test", "core", "--", ...(names.length > 0 ? names : USUAL)], { env, show: true }));
} catch (error) {
  fail(error);
}
