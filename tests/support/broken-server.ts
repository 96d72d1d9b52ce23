/**
 * A server that misbehaves on request, for tests of every host.
 *
 * `POST /session` with a {@link Script} gives a session's name. Its objects are then read from `/<session>/<mode>/<key>`, where the mode says
 * how to answer (`broken-modes.ts`): each is a fault that was met in the field. `GET /<session>/log` tells what was asked;
 * `POST /<session>/rules`, `/forget` and `/release` steer it. Only these control paths are open to every origin by themselves.
 */

import { createServer, type RequestListener } from "node:http";
import { createSecureServer } from "node:http2";
import type { AddressInfo, Server, Socket } from "node:net";
import { type AnyRequest, type AnyResponse, type Exchange, wire } from "./broken-exchange.js";
import type { BrokenUrls, Rule, Script, SeenRequest } from "./broken-log.js";
import { MODES } from "./broken-modes.js";
import { Session } from "./broken-session.js";
import { selfSigned } from "./self-signed.js";

/** A running server. */
export interface BrokenServer {
  readonly urls: BrokenUrls;
  /** Begins a session, as `POST /session` does. */
  begin(script: Script): Session;
  /** Forgets a session; what is still asked of it is not served. */
  end(session: Session): void;
  /** Connections, idle ones included. */
  connections(): readonly string[];
  /** Closes those that are idle, as servers do from time to time. */
  closeIdle(): void;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = { html: "text/html; charset=utf-8", js: "text/javascript", wasm: "application/wasm" };

/** Modes in which it makes no difference whether there is such an object. */
const NEEDS_NO_OBJECT = /^([345]\d\d\b|reset$|stall$|refused-stream$|redirect)/;

/** Starts the server; `fixtures` is the folder of the datasets. */
export async function startBrokenServer(fixtures: string): Promise<BrokenServer> {
  const sessions = new Map<string, Session>();
  let begun = 0;
  const urls: Record<keyof BrokenUrls, string> = { near: "", far: "", http2: "", control: "" };

  function begin(script: Script): Session {
    const session = new Session(`s${++begun}`, script, fixtures);
    sessions.set(session.name, session);
    return session;
  }

  async function control(request: AnyRequest, id: string, verb: string): Promise<unknown> {
    if (id === "session" && request.method === "POST") return begin((await bodyOf(request)) as Script).name;
    const session = sessions.get(id);
    if (session === undefined) throw new Error(`no session ${id}`);
    if (verb === "rules") session.steer((await bodyOf(request)) as Rule[]);
    else if (verb === "forget") session.forget();
    else if (verb === "release") session.release();
    else if (verb !== "log") throw new Error(`nothing is done by ${verb}`);
    return session.log();
  }

  function answer(request: AnyRequest, response: AnyResponse, at: keyof BrokenUrls): void {
    const target = request.url ?? "";
    const [, id = "", modeInPath = "", ...rest] = (target.split("?")[0] ?? "").split("/");
    if (rest.length === 0) {
      const reply = (status: number, body: unknown): void => {
        const open = { "access-control-allow-origin": "*", "content-type": "application/json", "cache-control": "no-store" };
        (response as { writeHead(status: number, headers: Record<string, string>): unknown }).writeHead(status, open);
        response.end(JSON.stringify(body));
      };
      control(request, id, modeInPath).then((body) => reply(200, body), (error: unknown) => reply(400, String(error)));
      return;
    }

    const session = sessions.get(id);
    const rawKey = rest.join("/");
    const key = decodeURIComponent(rawKey);
    const ranged = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    const mode = session?.modeOf({ key, target, ranged: ranged !== null }, modeInPath) ?? "";
    const fault = Object.entries(MODES).find(([name]) => name === mode)?.[1];
    if (session === undefined || fault === undefined) {
      // A test that names no mode must not look as if the object were missing.
      response.writeHead(501).end(`nothing is served at ${target}`);
      return;
    }
    const seen: SeenRequest = {
      method: request.method ?? "", target, at, key, mode, headers: plainHeaders(request), sent: 0, over: false, clientLeft: false,
    };
    const nth = session.begin(seen, response);
    const { released } = session;
    const found = session.object(key);
    const object = found ?? new Uint8Array(0);
    const treatment: (exchange: Exchange) => void = found !== undefined || NEEDS_NO_OBJECT.test(mode) ? fault : MODES["404"];
    treatment({
      ...wire(response, seen),
      response, object, key, rawKey, nth, released,
      method: seen.method,
      headers: seen.headers,
      type: TYPES[/\.(\w+)$/.exec(key)?.[1] ?? ""] ?? "application/octet-stream",
      ranged: ranged !== null,
      first: Number(ranged?.[1] ?? 0),
      last: Number(ranged?.[2] ?? object.byteLength - 1),
      session: id,
      elsewhere: urls.far,
    });
  }

  const plain = (at: keyof BrokenUrls): RequestListener => (request, response) => answer(request, response, at);
  const secure = createSecureServer(selfSigned(), (request, response) => answer(request, response, "http2"));
  // A client that breaks the connection of many streams is no error of the server's.
  secure.on("sessionError", () => undefined);
  const [near, far] = [createServer(plain("near")), createServer(plain("far"))];
  const servers: [keyof BrokenUrls, Server][] = [
    ["near", near],
    ["far", far],
    ["control", createServer(plain("control"))],
    ["http2", secure],
  ];
  // Longer than any test lets a connection rest: one that the server closes just as it is used again is a fault that nobody asked for.
  for (const [, server] of servers) Object.assign(server, { keepAliveTimeout: 600_000 });
  const sockets = new Set<Socket>();
  for (const [name, server] of servers) {
    server.on(name === "http2" ? "secureConnection" : "connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    urls[name] = `${name === "http2" ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  return {
    urls,
    begin,
    end: ({ name }) => void sessions.delete(name),
    connections: () => [...sockets].map(({ remotePort, bytesRead, bytesWritten }) => `from ${remotePort}, ${bytesRead} bytes read, ${bytesWritten} written`),
    closeIdle() {
      near.closeIdleConnections();
      far.closeIdleConnections();
    },
    async close() {
      const closed = servers.map(([, server]) => new Promise((resolve) => server.close(resolve)));
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
  };
}

function plainHeaders(request: AnyRequest): Record<string, string> {
  // What begins with a colon is HTTP/2's request line.
  const headers = Object.entries(request.headers).filter(([name]) => !name.startsWith(":"));
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]));
}

async function bodyOf(request: AnyRequest): Promise<unknown> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text) as unknown;
}
