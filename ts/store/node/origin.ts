/**
 * The connections to one origin: taken by requests, kept for the next ones, closed when nobody wants them.
 *
 * There are as many as there are requests at once, which is limited above. Idle ones do not keep a program running.
 */

import { Connection, type Keeper } from "./connection.js";

/** Idle connections at most; the oldest are closed. As many as Node's own client keeps. */
const MOST_IDLE = 256;

/** What Node's `fetch` sends, too. `identity`, as a range of a compressed object is of no use, and small objects gain little. */
const HEADERS = "Accept: */*\r\nAccept-Encoding: identity\r\nUser-Agent: node\r\nConnection: keep-alive\r\n";

/** A server, by scheme, name and port. */
export class Origin implements Keeper {
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** The headers that all its requests have in common. */
  readonly headers: string;
  session: Buffer | undefined;
  /** The one used last at the end. */
  readonly #idle: Connection[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ origin, protocol, host, hostname, port }: URL) {
    this.origin = origin;
    this.secure = protocol === "https:";
    this.host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
    this.port = port === "" ? (this.secure ? 443 : 80) : Number(port);
    this.headers = `Host: ${host}\r\n${HEADERS}`;
  }

  /** A connection that nobody uses, the one used last if there is any. */
  take(): Connection {
    const now = performance.now();
    for (;;) {
      const connection = this.#idle.pop();
      if (!connection) return this.open();
      if (connection.idleUntil > now) return connection;
      connection.destroy();
    }
  }

  /** A connection that nobody has used before. */
  open(): Connection {
    return new Connection(this);
  }

  keep(connection: Connection): void {
    this.#idle.push(connection);
    if (this.#idle.length > MOST_IDLE) this.#idle[0]?.destroy();
    if (this.#timer === undefined) this.#closeLater(connection.idleUntil);
  }

  forget(connection: Connection): void {
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  #closeLater(when: number): void {
    this.#timer = setTimeout(() => this.#closeIdle(), Math.max(0, when - performance.now()) + 1).unref();
  }

  /** Closes what has been idle too long, and looks again when the next one is due. */
  #closeIdle(): void {
    const now = performance.now();
    for (const connection of this.#idle.filter(({ idleUntil }) => idleUntil <= now)) connection.destroy();
    this.#timer = undefined;
    if (this.#idle.length > 0) this.#closeLater(Math.min(...this.#idle.map(({ idleUntil }) => idleUntil)));
  }
}
