/**
 * The tests of the crate on a machine of the other byte order: an emulated s390x, whose bytes must be those of every other machine.
 *
 *     npm run big-endian -- [NAME…]
 *
 * All of `cargo test`, the vectors among them, or the tests whose names hold one of the words. The last line is `N passed, N failed`.
 */
import { closeCargo } from "./lib/report.mjs";
import { fail, run } from "./lib/run.mjs";
import { bigEndian, bigEndianPackages, rustEnv } from "./lib/rust.mjs";
import { setup } from "./setup.mjs";

/** It hashes 4 GiB, which takes an emulated processor minutes, and no byte in it has an order. */
const SLOW = ["tree_windows::beyond_four_gib"];
/** Tries of each property. */
const TRIES = "48";

try {
  await setup("big-endian");
  const [linker = "", emulator = ""] = Object.keys(bigEndianPackages);
  const target = `CARGO_TARGET_${bigEndian.toUpperCase().replaceAll("-", "_")}`;
  const env = {
    ...rustEnv(),
    [`${target}_LINKER`]: linker,
    [`${target}_RUNNER`]: `${emulator} -L /usr/s390x-linux-gnu`,
    // What a build script compiles for the target.
    CC_s390x_unknown_linux_gnu: linker,
    PROPTEST_CASES: TRIES,
    SLOWER: "50",
  };
  const skipped = SLOW.flatMap((name) => ["--skip", name]);
  closeCargo(await run("cargo", ["test", "--target", bigEndian, "--", ...process.argv.slice(2), ...skipped], { env, show: true }));
} catch (error) {
  fail(error);
}
