/** The ways in which the broken server answers. One entry a fault; nothing here decides what a reader should make of it. */

import { gzipSync } from "node:zlib";
import type { Exchange } from "./broken-server.js";

type Fault = (exchange: Exchange) => void;

const OPEN = { "access-control-allow-origin": "*", "access-control-expose-headers": "Content-Range, Content-Length, ETag" };

/** The asked bytes as a correct server would send them, with some headers replaced or (by `undefined`) left out. */
function part(x: Exchange, changes: Record<string, string | undefined> = {}, body = slice(x)): void {
  const headers: Record<string, string | undefined> = {
    ...OPEN,
    "content-range": `bytes ${x.first}-${x.last}/${x.object.byteLength}`,
    "content-length": String(body.byteLength),
    ...changes,
  };
  const sent = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  x.response.writeHead(x.ranged ? 206 : 200, Object.fromEntries(sent));
  if (x.request.method !== "HEAD") x.write(body);
  x.response.end();
}

function slice(x: Exchange): Uint8Array {
  return x.object.subarray(x.first, x.last + 1);
}

function status(code: number, body = "", headers: Record<string, string> = {}): Fault {
  return ({ response }) => response.writeHead(code, { ...OPEN, ...headers }).end(body);
}

/** Writes `bytes` again and again until the client leaves. */
function forever({ response, write }: Exchange, bytes: Uint8Array, everyMs: number): void {
  const timer = setInterval(() => write(bytes), everyMs);
  response.on("close", () => clearInterval(timer));
}

const s3Error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;

export const MODES = {
  /** Everything right. */
  "exact206": (x) => part(x),
  "exact206-noContentRange": (x) => part(x, { "content-range": undefined }),
  "star-total": (x) => part(x, { "content-range": `bytes ${x.first}-${x.last}/*` }),
  "odd-content-range": (x) => part(x, { "content-range": `  Bytes ${x.first} - ${x.last} / ${x.object.byteLength} ` }),
  "senseless-content-range": (x) => part(x, { "content-range": "bytes=ten to fourteen" }),
  /** Right in all that a page may not read. */
  "no-expose-headers": (x) => part(x, { "access-control-expose-headers": undefined }),
  "head-403": (x) => (x.request.method === "HEAD" ? status(403)(x) : part(x)),
  "options-405": (x) => (x.request.method === "OPTIONS" ? status(405)(x) : part(x)),

  /** The range is ignored. */
  "200-full": (x) => part({ ...x, ranged: false }, { "content-range": undefined }, x.object),
  "200-gzip": (x) =>
    part({ ...x, ranged: false }, { "content-range": undefined, "content-encoding": "gzip" }, gzipSync(x.object)),
  "200-short": (x) => part({ ...x, ranged: false }, { "content-range": undefined }, x.object.subarray(0, 12)),
  "200-huge": (x) => {
    x.response.writeHead(200, { ...OPEN, "content-length": "700000000" });
    forever(x, new Uint8Array(65536), 1);
  },
  "200-endless": (x) => {
    x.response.writeHead(200, OPEN);
    forever(x, new Uint8Array(65536), 1);
  },

  /** The range is wrong. */
  "206-short": (x) => part(x, {}, slice(x).subarray(0, -1)),
  "206-long": (x) => part(x, {}, x.object.subarray(x.first, x.last + 2)),
  "206-endless": (x) => {
    x.response.writeHead(206, { ...OPEN, "content-range": `bytes ${x.first}-${x.last}/${x.object.byteLength}` });
    forever(x, new Uint8Array(65536), 1);
  },
  "206-shifted-range-header": (x) => {
    part(x, { "content-range": `bytes ${x.first + 4}-${x.last + 4}/${x.object.byteLength}` });
  },
  "206-shifted-body": (x) => part(x, {}, x.object.subarray(x.first + 4, x.last + 5)),
  "206-gzip": (x) => part(x, { "content-encoding": "gzip" }, gzipSync(x.object).subarray(0, x.last - x.first + 1)),
  "206-identity": (x) => part(x, { "content-encoding": "identity" }),
  "206-always": (x) => part({ ...x, ranged: true }),
  "multipart206": (x) => part(x, { "content-type": "multipart/byteranges; boundary=x", "content-range": undefined }),

  /** The body ends before its length, or with the connection. */
  "close-early": (x) => {
    x.response.writeHead(x.ranged ? 206 : 200, { ...OPEN, "content-length": String(x.last - x.first + 1) });
    x.response.write(slice(x).subarray(0, 3), () => x.response.socket?.end());
  },
  "close-delimited": (x) => {
    const head = [`HTTP/1.1 ${x.ranged ? 206 : 200} x`, ...Object.entries(OPEN).map((pair) => pair.join(": "))];
    x.response.socket?.end([...head, "connection: close", "", "abc"].join("\r\n"));
  },
  "reset": (x) => void x.response.socket?.resetAndDestroy(),

  /** Refusals. */
  "204": status(204),
  "203": status(203, "abc"),
  "304": status(304),
  "401": status(401),
  "403": status(403, s3Error("SignatureDoesNotMatch")),
  "404": status(404, s3Error("NoSuchKey")),
  "410": status(410),
  "416-empty": status(416),
  "416-total": status(416, "", { "content-range": "bytes */20" }),
  "429": status(429, s3Error("SlowDown"), { "retry-after": "2" }),
  "500": status(500, "<html>".repeat(10)),
  "503-date": status(503, "", { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() }),
  "403-endless": (x) => {
    x.response.writeHead(403, OPEN);
    forever(x, new Uint8Array(65536), 1);
  },
  "500-stalled": (x) => {
    x.response.writeHead(500, { ...OPEN, "content-length": "100" });
    x.write(new Uint8Array(10));
  },

  /** Time. */
  "stall": () => undefined,
  "stall-in-body": (x) => {
    x.response.writeHead(x.ranged ? 206 : 200, { ...OPEN, "content-length": String(x.last - x.first + 1) });
    x.write(slice(x).subarray(0, 2));
  },
  /** One byte every 40 ms: slow, but it moves. */
  "slow-drip": (x) => {
    x.response.writeHead(x.ranged ? 206 : 200, { ...OPEN, "content-length": String(x.last - x.first + 1) });
    let at = x.first;
    const timer = setInterval(() => {
      x.write(x.object.subarray(at, ++at));
      if (at > x.last) x.response.end(() => clearInterval(timer));
    }, 40);
    x.response.on("close", () => clearInterval(timer));
  },

  /** Another origin. */
  "redirect": (x) => {
    x.response.writeHead(302, { ...OPEN, location: `${x.elsewhere}/exact206/${x.key}?X-Signature=target-secret` }).end();
  },
  "redirect-ignored-range": (x) => {
    x.response.writeHead(302, { location: `${x.elsewhere}/200-huge/${x.key}?X-Signature=target-secret` }).end();
  },
  "redirect-no-cors": (x) => {
    x.response.writeHead(302, { ...OPEN, location: `${x.elsewhere}/no-cors/${x.key}` }).end();
  },
  /** No page of another origin may read this. */
  "no-cors": (x) => {
    part(x, { "access-control-allow-origin": undefined, "access-control-expose-headers": undefined });
  },
  "redirect-loop": (x) => x.response.writeHead(302, { location: `/redirect-loop/${x.key}` }).end(),
} satisfies Record<string, Fault>;

/** Name of a fault. */
export type Mode = keyof typeof MODES;
