/** Memory that is taken on the word of a header, as only Node can measure it. */

import { httpStore } from "dreamdb-arrays";
import { expect, it } from "vitest";
import { pattern } from "../support/bytes.js";
import { expectFailure } from "../support/failure.js";

it("a header that announces too much costs no memory", async () => {
  let held = 0;
  const before = process.memoryUsage().arrayBuffers;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(pattern(20)),
    pull(controller) {
      held = process.memoryUsage().arrayBuffers - before;
      controller.close();
    },
  });
  const fetch = async () => new Response(body, { headers: { "content-length": "900000000" } });
  await expectFailure(httpStore("http://h/d", { fetch }).get("item"), "BodyLength");
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThan(100e6);
});
