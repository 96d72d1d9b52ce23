/** The ways in which the broken server answers. One entry a fault; nothing here decides what a reader should make of it. */

import { constants } from "node:http2";
import { gzipSync } from "node:zlib";
import type { Exchange } from "./broken-exchange.js";
import { REDIRECTED } from "./broken-session.js";

type Fault = (exchange: Exchange) => void;

const OPEN = { "access-control-allow-origin": "*", "access-control-expose-headers": "Content-Range, Content-Length, ETag, Retry-After" };
const CHUNK = new Uint8Array(65536);

/** Headers to replace, or by `undefined` to leave out. */
type Changes = Readonly<Record<string, string | undefined>>;

function head(x: Exchange, status: number, headers: Changes): void {
  const sent = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  x.response.writeHead(status, Object.fromEntries(sent));
}

/** The asked bytes as a correct server would send them, with some headers changed. */
function part(x: Exchange, changes: Changes = {}, body = slice(x)): void {
  head(x, x.ranged ? 206 : 200, {
    ...OPEN,
    "content-type": x.type,
    "content-range": x.ranged ? contentRange(x) : undefined,
    "content-length": String(body.byteLength),
    ...changes,
  });
  if (x.method !== "HEAD") x.write(body);
  x.response.end();
}

/** The whole object whatever was asked. */
function whole(x: Exchange, changes: Changes = {}, body = x.object): void {
  part({ ...x, ranged: false }, changes, body);
}

function contentRange({ first, last, object }: Exchange, shift = 0): string {
  return `bytes ${first + shift}-${last + shift}/${object.byteLength}`;
}

function slice({ object, first, last }: Exchange): Uint8Array {
  return object.subarray(first, last + 1);
}

function status(code: number, body = "", headers: Changes = {}): Fault {
  return (x) => {
    head(x, code, { ...OPEN, ...headers });
    x.response.end(body);
  };
}

/** A right answer but for its length: `bytes` of it, after which `end` decides what becomes of the connection. */
function truncated(x: Exchange, bytes: number, end: () => void, changes: Changes = {}): void {
  const body = slice(x);
  head(x, x.ranged ? 206 : 200, {
    ...OPEN,
    "content-range": x.ranged ? contentRange(x) : undefined,
    "content-length": String(body.byteLength),
    ...changes,
  });
  x.write(body.subarray(0, bytes), end);
}

/** Writes again and again until the client leaves, no faster than it reads. */
function forever(x: Exchange): void {
  const timer = setInterval(() => {
    if (!x.congested()) x.write(CHUNK);
  }, 1);
  x.onOver(() => clearInterval(timer));
}

/** Leads to another place that serves the same object in the given way. */
function redirect(x: Exchange, mode: string, place = "", headers: Changes = OPEN): void {
  head(x, 302, { ...headers, location: `${place}/${x.session}/${mode}/${x.rawKey}?${REDIRECTED}` });
  x.response.end();
}

/** As many bytes as were asked, out of the compressed object. */
function gzipped(x: Exchange, changes: Changes = {}): void {
  part(x, changes, gzipSync(x.object).subarray(x.first, x.last + 1));
}

const s3Error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;
const unsatisfiable = (x: Exchange) => status(416, "", { "content-range": `bytes */${x.object.byteLength}` })(x);

export const MODES = {
  /** Everything right: what lies behind the end is cut off, and nothing but that is a 416. */
  "exact206": (x) => {
    const last = Math.min(x.last, x.object.byteLength - 1);
    if (x.ranged && x.first > last) unsatisfiable(x);
    else part({ ...x, last });
  },
  /** Right too, but strict: a range that ends behind the end of the object is refused as a whole. */
  "416-past-end": (x) => (x.last >= x.object.byteLength ? unsatisfiable(x) : part(x)),
  "exact206-noContentRange": (x) => part(x, { "content-range": undefined }),
  "star-total": (x) => part(x, { "content-range": contentRange(x).replace(/\d+$/, "*") }),
  "odd-content-range": (x) => part(x, { "CONTENT-RANGE": `  Bytes ${x.first} - ${x.last} / ${x.object.byteLength} `, "content-range": undefined }),
  "senseless-content-range": (x) => part(x, { "content-range": "bytes=ten to fourteen" }),
  /** Right in all that a page may not read. */
  "no-expose-headers": (x) => part(x, { "access-control-expose-headers": undefined }),
  "HEAD-403": (x) => (x.method === "HEAD" ? status(403)(x) : part(x)),
  "HEAD-405": (x) => (x.method === "HEAD" ? status(405)(x) : part(x)),
  "OPTIONS-405": (x) => (x.method === "OPTIONS" ? status(405)(x) : part(x)),
  /** HEAD tells the length of the compressed object, as some hosts do. */
  "HEAD-lies": (x) => (x.method === "HEAD" ? status(200, "", { "content-length": "7" })(x) : part(x)),
  /** Finds objects only under their own spelling, as servers do that never decode. */
  "raw-path": (x) => (x.rawKey === x.key ? part(x) : status(404)(x)),
  /** The entity tag changes with every request, the bytes do not; caches are invited to keep parts. */
  "etag-changing": (x) => part(x, { etag: `"${x.nth}"`, "cache-control": "public, max-age=3600" }),
  "etag-weak": (x) => part(x, { etag: 'W/"1"', "cache-control": "public, max-age=3600" }),
  /** To be kept by the browser's own cache. */
  "cacheable": (x) => part(x, { etag: '"1"', "cache-control": "public, max-age=3600" }),

  /** The range is ignored. */
  "200-full": (x) => whole(x),
  "200-gzip": (x) => whole(x, { "content-encoding": "gzip" }, gzipSync(x.object)),
  "200-short": (x) => whole(x, {}, x.object.subarray(0, x.last)),
  "200-huge": (x) => {
    head(x, 200, { ...OPEN, "content-length": "700000000" });
    forever(x);
  },
  "200-endless": (x) => {
    head(x, 200, OPEN);
    forever(x);
  },

  /** The range is wrong. */
  "206-short": (x) => part(x, {}, slice(x).subarray(0, -1)),
  "206-long": (x) => part(x, {}, x.object.subarray(x.first, x.last + 2)),
  "206-long-noContentRange": (x) => part(x, { "content-range": undefined }, x.object.subarray(x.first, x.last + 2)),
  "206-endless": (x) => {
    head(x, 206, { ...OPEN, "content-range": contentRange(x) });
    forever(x);
  },
  /** A smaller part than asked, and honestly labelled, which the protocol allows. */
  "206-less": (x) => {
    const last = x.first + Math.floor((x.last - x.first) / 2);
    part({ ...x, last });
  },
  "206-wrong-range": (x) => part(x, { "content-range": contentRange(x, 4) }),
  "206-shifted": (x) => part(x, {}, x.object.subarray(x.first + 4, x.last + 5)),
  /** One bit is another, each time elsewhere. */
  "wrong-bit": (x) => {
    const body = Uint8Array.from(slice(x));
    const at = (x.nth * 7919) % Math.max(1, body.byteLength);
    if (at < body.byteLength) body[at] = (body[at] ?? 0) ^ (1 << x.nth % 8);
    part(x, {}, body);
  },
  "206-gzip": (x) => gzipped(x, { "content-encoding": "gzip" }),
  /** The same, its header unreadable to pages. */
  "206-gzip-hidden": (x) => gzipped(x),
  /** Compresses for whoever says to take it. */
  "gzip-if-accepted": (x) => (/\bgzip\b/.test(x.headers["accept-encoding"] ?? "") ? gzipped(x, { "content-encoding": "gzip" }) : part(x)),
  "206-identity": (x) => part(x, { "content-encoding": "identity" }),
  "206-always": (x) => part({ ...x, ranged: true }),
  "multipart206": (x) => part(x, { "content-type": "multipart/byteranges; boundary=x", "content-range": undefined }),

  /** The body ends before its length, or with the connection. */
  "close-early": (x) => truncated(x, 3, x.cut),
  "close-delimited": (x) => {
    x.untilClosed();
    truncated(x, 3, x.cut, { "content-length": undefined });
  },
  "chunks-cut": (x) => truncated(x, 3, x.cut, { "content-length": undefined }),
  // Not at once: a host that is busy would see the reset before the head that came with it.
  "reset-in-body": (x) => truncated(x, 3, () => void setTimeout(() => x.reset(), 250)),
  /** The asked bytes and no more, announced as if the whole object came. */
  "206-full-length": (x) => {
    if (!x.ranged) part(x);
    else truncated(x, Infinity, () => void setTimeout(x.cut, 250), { "content-length": String(x.object.byteLength) });
  },
  "reset": (x) => x.reset(),
  /** HTTP/2: the stream was not looked at and may be tried again. */
  "refused-stream": (x) => (x.http2 ? x.reset(constants.NGHTTP2_REFUSED_STREAM) : x.reset()),

  /** A page in place of the object, as portals and single-page hosts have it. */
  "html": (x) => {
    head(x, 200, { ...OPEN, "content-type": "text/html" });
    x.response.end("<html>welcome</html>");
  },

  /** Refusals. */
  "204": status(204),
  "203": status(203, "abc"),
  "304": status(304),
  "401": status(401),
  "403": status(403, s3Error("SignatureDoesNotMatch")),
  "404": status(404, s3Error("NoSuchKey")),
  "408": status(408),
  "410": status(410),
  "416-empty": status(416),
  "416-total": (x) => unsatisfiable(x),
  "425": status(425),
  "429": status(429, s3Error("SlowDown")),
  "429-retry-after": status(429, s3Error("SlowDown"), { "retry-after": "2" }),
  "500": status(500, "<html>".repeat(10)),
  "502": status(502),
  "503": status(503),
  "503-retry-now": status(503, "", { "retry-after": "0" }),
  "503-date": (x) => status(503, "", { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() })(x),
  "504": status(504),
  "403-endless": (x) => {
    head(x, 403, OPEN);
    forever(x);
  },
  "500-stalled": (x) => {
    head(x, 500, { ...OPEN, "content-length": "100" });
    x.write(new Uint8Array(10));
  },
  /** Faults that pass or come; the count is that of the session's requests answered in this mode. */
  "503-then-ok": (x) => (x.nth === 1 ? status(503)(x) : part(x)),
  "403-after-2": (x) => (x.nth > 2 ? status(403, s3Error("ExpiredToken"))(x) : part(x)),
  "200-then-206": (x) => (x.nth === 1 ? whole(x) : part(x)),

  /** Time. */
  "stall": () => undefined,
  "stall-in-body": (x) => truncated(x, 2, () => undefined),
  /** Right, but not before the session says so. */
  "held": (x) => void x.released.then(() => part(x)),
  /** Right, after a moment, so that requests which may overlap do. */
  "delayed": (x) => void setTimeout(() => part(x), 10),
  /** A twentieth every 40 ms: slow, but it moves. */
  "slow-drip": (x) => {
    truncated(x, 0, () => undefined);
    const body = slice(x);
    const step = Math.max(1, Math.ceil(body.byteLength / 20));
    let at = 0;
    const timer = setInterval(() => {
      if (at < body.byteLength) x.write(body.subarray(at, (at += step)));
      else x.response.end(() => clearInterval(timer));
    }, 40);
    x.onOver(() => clearInterval(timer));
  },

  /** Another place. */
  "redirect": (x) => redirect(x, "exact206"),
  "redirect-cross-origin": (x) => redirect(x, "exact206", x.elsewhere),
  "redirect-ignored-range": (x) => redirect(x, "200-huge", x.elsewhere),
  "redirect-expired": (x) => redirect(x, "403", x.elsewhere),
  "redirect-no-cors": (x) => redirect(x, "no-cors", x.elsewhere),
  /** The redirect itself lacks what a page needs, its target does not. */
  "redirect-hidden": (x) => redirect(x, "exact206", x.elsewhere, {}),
  "redirect-loop": (x) => redirect(x, "redirect-loop"),
  /** No page of another origin may read this. */
  "no-cors": (x) => part(x, { "access-control-allow-origin": undefined, "access-control-expose-headers": undefined }),
  /** A refusal without any CORS header, as gateways give it in place of the store behind them. */
  "503-no-cors": (x) => {
    head(x, 503, {});
    x.response.end();
  },
} satisfies Record<string, Fault>;

/** Name of a fault. */
export type Mode = keyof typeof MODES;
