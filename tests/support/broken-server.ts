/**
 * A server that misbehaves on request: the first path segment names how, the rest is the object key.
 *
 * Each fault is one that was met in the field: CDNs that drop ranges, caches that shift them, proxies that compress, hosts that refuse HEAD or
 * OPTIONS, connections that end early or never. The faults themselves are in `broken-modes.ts`.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { MODES, type Mode } from "./broken-modes.js";

/** One request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  /** Request target, raw. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body bytes that were handed to the socket. */
  sent: number;
  /** Whether the client closed before the answer was complete. */
  clientLeft: boolean;
}

/** What a fault works with. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly object: Uint8Array;
  /** The asked range, inclusive; the whole object if none was asked. */
  readonly first: number;
  readonly last: number;
  readonly ranged: boolean;
  readonly key: string;
  readonly seen: SeenRequest;
  /** Another origin with the same objects. */
  readonly elsewhere: string;
  /** Writes body bytes and counts them. */
  write(bytes: Uint8Array): void;
}

/** A running server. */
export interface BrokenServer {
  /** Base URL whose objects are served in this way. */
  base(mode: Mode): string;
  /** The second origin, to which redirects lead; a page that stands there reads the first one across origins. */
  readonly elsewhere: string;
  /** Requests since the last `forget`. */
  readonly seen: readonly SeenRequest[];
  forget(): void;
  /** Resolves when `condition` holds, which it must within a second. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server of `objects` on two origins. */
export async function startBrokenServer(objects: Readonly<Record<string, Uint8Array>>): Promise<BrokenServer> {
  const seen: SeenRequest[] = [];
  const origins: string[] = [];

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const target = request.url ?? "";
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const record: SeenRequest = { method: request.method ?? "", target, headers, sent: 0, clientLeft: false };
    seen.push(record);
    response.on("close", () => (record.clientLeft = !response.writableFinished));

    const [path = ""] = target.split("?");
    const [, mode = "", ...rest] = path.split("/");
    const key = decodeURIComponent(rest.join("/"));
    const object = objects[key];
    const fault = Object.entries(MODES).find(([name]) => name === mode)?.[1];
    if (!object || !fault) {
      response.writeHead(404).end();
      return;
    }
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers["range"] ?? "") ?? [];
    fault({
      request,
      response,
      object,
      ranged: from !== undefined,
      first: from === undefined ? 0 : Number(from),
      last: to === undefined ? object.byteLength - 1 : Number(to),
      key,
      seen: record,
      elsewhere: origins[1] ?? "",
      write(bytes) {
        record.sent += bytes.byteLength;
        response.write(bytes);
      },
    });
  };

  const servers = [createServer(handle), createServer(handle)];
  for (const server of servers) {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const address = server.address();
    origins.push(`http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`);
  }

  return {
    base: (mode) => `${origins[0]}/${mode}`,
    elsewhere: origins[1] ?? "",
    seen,
    forget: () => void seen.splice(0),
    async until(condition) {
      const start = performance.now();
      while (!condition()) {
        if (performance.now() - start > 1000) throw new Error("the condition did not come true within a second");
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
    async close() {
      for (const server of servers) {
        await new Promise<void>((closed) => {
          server.close(() => closed());
          server.closeAllConnections();
        });
      }
    },
  };
}
