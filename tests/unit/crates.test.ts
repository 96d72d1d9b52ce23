/** Which licence expressions leave us a choice: the rules of SPDX. */
import { expect, it } from "vitest";
import { canTake } from "../../scripts/lib/crates.mjs";

it.each([
  "MIT", "MIT OR GPL-3.0-only", "GPL-3.0-only OR MIT", "MIT/Apache-2.0", "(MIT OR GPL-2.0-only) AND Unicode-3.0", "CC0-1.0 OR Apache-2.0 WITH LLVM-exception",
  "MPL-2.0 OR (MIT AND Zlib)",
])("%s is taken", (expression) => expect(canTake(expression)).toBe(true));

it.each([
  "", "GPL-3.0-only", "MIT AND GPL-3.0-only", "GPL-3.0-only AND MIT", "(MIT OR Apache-2.0) AND MPL-2.0", "GPL-2.0-only WITH Classpath-exception-2.0", "MIT Apache-2.0", "(MIT",
  "MIT WITH a-twist",
])("%j is not", (expression) => expect(canTake(expression)).toBe(false));
