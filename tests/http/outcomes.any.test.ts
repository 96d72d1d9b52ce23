/** What a range read comes to by every fault that the test server has: one table for all hosts, with what browsers see otherwise beside it. */

import { type ErrorCode, httpStore, isDreamDbError } from "dreamdb-arrays";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { type Broken, type Mode, openBroken } from "../support/broken.js";
import { pattern } from "../support/bytes.js";
import { inPage } from "../support/host.js";

/** `bytes` are the asked ones; `other bytes` have the right number, and only a hash can tell. */
type Outcome = "bytes" | "other bytes" | ErrorCode;

/** Outcome of each mode; of two, the second is that in a page of another origin. */
const OUTCOMES: Readonly<Record<Mode, Outcome | readonly [Outcome, Outcome]>> = {
  "exact206": "bytes",
  "416-past-end": "bytes",
  "exact206-noContentRange": "bytes",
  "star-total": "bytes",
  "odd-content-range": "bytes",
  "senseless-content-range": "bytes",
  "no-expose-headers": "bytes",
  "HEAD-403": "bytes",
  "HEAD-405": "bytes",
  "HEAD-lies": "bytes",
  "OPTIONS-405": "bytes",
  "raw-path": "bytes",
  "etag-changing": "bytes",
  "etag-weak": "bytes",
  "cacheable": "bytes",
  "200-full": "bytes",
  "200-then-206": "bytes",
  "206-identity": "bytes",
  "206-always": "bytes",
  "206-full-length": "bytes",
  "gzip-if-accepted": "bytes",
  "held": "Timeout",
  "delayed": "bytes",
  "slow-drip": "bytes",
  "redirect": "bytes",
  "redirect-cross-origin": "bytes",
  "403-after-2": "bytes",
  // Node undoes the coding; Chromium refuses any that comes in answer to a range.
  "200-gzip": ["bytes", "Network"],
  "206-gzip": ["CompressedPartial", "Network"],
  "206-shifted": "other bytes",
  "206-gzip-hidden": "other bytes",
  "wrong-bit": "other bytes",
  "html": "other bytes",
  "200-short": "BodyLength",
  "200-huge": "RangeIgnored",
  "200-endless": "RangeIgnored",
  "redirect-ignored-range": "RangeIgnored",
  "206-short": "BodyLength",
  "206-less": "BodyLength",
  "206-long": "BodyLength",
  "206-long-noContentRange": "BodyLength",
  "206-endless": "BodyLength",
  "206-wrong-range": "RangeMismatch",
  "multipart206": "MultipartPartial",
  "close-early": "BodyLength",
  "close-delimited": "BodyLength",
  "chunks-cut": "BodyLength",
  "reset-in-body": "BodyLength",
  "reset": "Network",
  "refused-stream": "Network",
  "redirect-loop": "Network",
  "203": "HttpStatus",
  "204": "HttpStatus",
  "304": "HttpStatus",
  "401": "Forbidden",
  "403": "Forbidden",
  "403-endless": "Forbidden",
  "redirect-expired": "Forbidden",
  "404": "NotFound",
  "410": "NotFound",
  "416-empty": "RangeNotSatisfiable",
  "416-total": "RangeNotSatisfiable",
  "408": "HttpStatus",
  "425": "HttpStatus",
  "429": "HttpStatus",
  "429-retry-after": "HttpStatus",
  "500": "HttpStatus",
  "500-stalled": "HttpStatus",
  "502": "HttpStatus",
  "503": "HttpStatus",
  "503-retry-now": "HttpStatus",
  "503-date": "HttpStatus",
  "503-then-ok": "HttpStatus",
  "504": "HttpStatus",
  "stall": "Timeout",
  "stall-in-body": "Timeout",
  // CORS is a matter of pages alone.
  "no-cors": ["bytes", "Network"],
  "redirect-no-cors": ["bytes", "Network"],
  "redirect-hidden": ["bytes", "Network"],
  "503-no-cors": ["HttpStatus", "Network"],
};

describe("a range from a server of the kind", () => {
  let broken: Broken;
  beforeAll(async () => {
    broken = await openBroken({ objects: { item: { pattern: 20 } } });
  });

  it.each(Object.entries(OUTCOMES))("%s comes to %s", async (mode, outcome) => {
    const [elsewhere, page] = typeof outcome === "string" ? [outcome, outcome] : outcome;
    const store = httpStore(broken.base(mode as Mode), { timeoutMs: outcome === "Timeout" ? 300 : 30_000 });
    const came = await store.getRange("item", 10, 5).then(
      (bytes) => (bytes.join() === pattern(20).slice(10, 15).join() ? "bytes" : bytes.byteLength === 5 ? "other bytes" : `${bytes.byteLength} bytes`),
      (error: unknown) => (isDreamDbError(error) ? error.code : String(error)),
    );
    expect(came).toBe(inPage ? page : elsewhere);
  });

  it("is in the table, whatever the kind", () => {
    expect(new Set(Object.keys(OUTCOMES))).toEqual(new Set(inject("brokenModes")));
  });
});
