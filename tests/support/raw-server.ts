/** A server of bytes for one test: it answers each request with what it is told, piece by piece, whatever HTTP says. */

import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createSecureServer } from "node:tls";
import { onTestFinished } from "vitest";
import type { Identity } from "./self-signed.js";

/** A running server. */
export interface RawServer {
  readonly url: string;
  readonly port: number;
  /** Those that were made, in their order. */
  readonly connections: readonly Socket[];
  /** The heads of the requests that came, in Latin-1. */
  readonly requests: readonly string[];
}

/** Starts it, with TLS if it is given an identity; `answer` is called for each request with its connection, and how many requests came before. */
export async function serveRaw(
  answer: (socket: Socket, nth: number) => void | Promise<void>,
  { identity, host = "127.0.0.1" }: { identity?: Identity; host?: string } = {},
): Promise<RawServer> {
  const connections: Socket[] = [];
  const requests: string[] = [];
  const onConnection = (socket: Socket): void => {
    connections.push(socket);
    let came = "";
    socket.setNoDelay(true);
    // A client that breaks off is no error of the server's.
    socket.on("error", () => undefined);
    socket.on("data", (bytes: Buffer) => {
      came += bytes.toString("latin1");
      for (let end = came.indexOf("\r\n\r\n"); end >= 0; end = came.indexOf("\r\n\r\n")) {
        requests.push(came.slice(0, end));
        came = came.slice(end + 4);
        void answer(socket, requests.length - 1);
      }
    });
  };
  const server: Server = identity ? createSecureServer({ ...identity, ALPNProtocols: ["h2", "http/1.1"] }, onConnection) : createServer(onConnection);
  await new Promise<void>((listening) => server.listen(0, host, listening));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of connections) socket.destroy();
    await closed;
  });
  const { port } = server.address() as AddressInfo;
  const name = host.includes(":") ? `[${host}]` : host;
  return { url: `${identity ? "https" : "http"}://${name}:${port}`, port, connections, requests };
}
