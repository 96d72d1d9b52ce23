/** What only Node can tell of a connection that fails: the system's own error. */

import { httpStore } from "dreamdb-arrays";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { expectFailure } from "../support/failure.js";

it("the system's error is named, not only that a fetch failed", async () => {
  const port = await freePort();
  const error = await expectFailure(httpStore(`http://127.0.0.1:${port}`).get("item"), "Network");
  expect(error.message).toContain("ECONNREFUSED");
});

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, "127.0.0.1", listening));
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  return typeof address === "object" && address ? address.port : 0;
}
