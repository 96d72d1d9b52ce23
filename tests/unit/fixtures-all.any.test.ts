/** Every fixture over HTTP, every value of its sidecar: in Node and in a page. */

import * as api from "dreamdb-arrays";
import { expect, test } from "vitest";
import { checkDataset } from "../../scripts/lib/dataset-check/dataset.mjs";
import { ALL_FIXTURES, fixtureUrl, loadSidecar } from "../support/fixtures.js";

test.each(ALL_FIXTURES)("%s agrees with its sidecar, value by value, by each Ref and by each address", async (fixture) => {
  const tally = await checkDataset(api, api.httpStore(fixtureUrl(fixture)), { ...(await loadSidecar(fixture)) });
  expect(tally.failures).toEqual([]);
  expect(tally.passed).toBeGreaterThan(40);
});
