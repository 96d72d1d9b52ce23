/** A server for one test, which counts its connections and is gone when the test is over. Keeps idle connections longer than any test takes. */

import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Identity } from "./self-signed.js";

/** Starts it, with TLS if it is given an identity. */
export async function serveOnce(answer: RequestListener, identity?: Identity): Promise<{ url: string; connections: () => number }> {
  let connections = 0;
  const server: Server = identity ? createSecureServer(identity, answer) : createServer(answer);
  server.keepAliveTimeout = 600_000;
  server.on("connection", () => connections++);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  const { port } = server.address() as AddressInfo;
  return { url: `${identity ? "https" : "http"}://127.0.0.1:${port}`, connections: () => connections };
}
