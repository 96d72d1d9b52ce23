/** The CORS rule of docs/http.md, as the store applies it: to one origin, its signed requests included, and to no other. */

import { describe, expect, inject, test } from "vitest";
import { APP_ORIGIN, BUCKETS } from "./support/s3.js";

const OBJECT = "packs/data/refs/main";
/** What a page that signs in headers asks for. */
const SIGNING = "authorization,range,x-amz-content-sha256,x-amz-date";

function ask(bucket: string, method: string, origin: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${inject("s3").url}/${bucket}/${OBJECT}`, { method, headers: { origin, ...headers } });
}

describe(`for ${APP_ORIGIN}`, () => {
  test("objects are allowed, with the headers that the documentation names exposed", async () => {
    const answer = await ask(BUCKETS.app, "GET", APP_ORIGIN);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe(APP_ORIGIN);
    const exposed = (answer.headers.get("access-control-expose-headers") ?? "").split(/,\s*/);
    expect(exposed).toEqual(["Content-Range", "Content-Length", "ETag", "Retry-After"]);
  });

  test("so are errors", async () => {
    const answer = await fetch(`${inject("s3").url}/${BUCKETS.app}/nothing`, { headers: { origin: APP_ORIGIN } });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("access-control-allow-origin")).toBe(APP_ORIGIN);
  });

  test("a page may sign in headers", async () => {
    const answer = await ask(BUCKETS.app, "OPTIONS", APP_ORIGIN, {
      "access-control-request-method": "GET",
      "access-control-request-headers": SIGNING,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe(APP_ORIGIN);
    expect((answer.headers.get("access-control-allow-headers") ?? "").split(/,\s*/)).toEqual(SIGNING.split(","));
  });

  test("no page may write", async () => {
    const answer = await ask(BUCKETS.app, "OPTIONS", APP_ORIGIN, { "access-control-request-method": "PUT" });
    // SeaweedFS answers 200 all the same; without a method in the list a browser goes no further.
    expect(answer.headers.get("access-control-allow-methods")).toBeNull();
  });
});

test("another origin is allowed nothing", async () => {
  for (const [method, status] of [["GET", 200], ["OPTIONS", 403]] as const) {
    const answer = await ask(BUCKETS.app, method, "https://other.example", { "access-control-request-method": "GET" });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  }
});
