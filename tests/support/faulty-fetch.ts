/**
 * A `fetch` over objects in memory that fails at random, in every way in which the broken server does and without its sockets: thousands of
 * faults a second. Equal seeds give equal faults, in the order in which requests come.
 */
import { Random } from "../interop/support/random.js";

/** What can become of a request; the numbers are how often, among {@link FAULTS} and right answers of weight `right`. */
const WEIGHTS = {
  "403": 2, "404": 2, "410": 1, "429": 2, "500": 2, "503": 3, "416": 1, "204": 1, "html": 2,
  "range ignored": 4, "truncated": 4, "cut": 4, "reset": 3, "too long": 3, "shifted": 4, "wrong byte": 6, "wrong range": 3, "another length": 2,
  "slow": 4, "hangs": 1, "hangs in the body": 1, "unreachable": 3, "compressed": 1, "many pieces": 4,
} as const;

/** A way in which a request may go. */
export type Fault = keyof typeof WEIGHTS;

/** All of them. */
export const FAULTS = Object.keys(WEIGHTS) as readonly Fault[];

const POOL = FAULTS.flatMap((fault) => Array.from({ length: WEIGHTS[fault] }, () => fault));

/** A source of objects that cannot be relied on. */
export class FaultyFetch {
  /** Requests by what became of them. */
  readonly seen = new Map<Fault | "right", number>();
  /** Requests and bodies that nobody has finished or left. */
  open = 0;
  readonly #random: Random;

  /**
   * @param objects by key
   * @param likelihood of a fault, for each request
   */
  constructor(
    readonly objects: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
    seed: number,
    readonly likelihood: number,
  ) {
    this.#random = new Random(seed);
  }

  /** To be given as `fetch`; keys follow `http://store/`. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const key = decodeURIComponent(new URL(input instanceof Request ? input.url : input).pathname.slice(1));
    const range = /^bytes=(\d+)-(\d+)$/.exec(new Headers(init.headers).get("range") ?? "");
    const fault = this.#random.chance(this.likelihood) ? this.#random.pick(POOL) : "right";
    this.seen.set(fault, (this.seen.get(fault) ?? 0) + 1);
    this.open++;
    try {
      return await this.#answer(fault, key, range === null ? undefined : [Number(range[1]), Number(range[2])], init.signal ?? undefined);
    } finally {
      this.open--;
    }
  };

  async #answer(fault: Fault | "right", key: string, range: readonly [number, number] | undefined, signal: AbortSignal | undefined): Promise<Response> {
    signal?.throwIfAborted();
    const object = this.objects.get(key);
    if (/^\d+$/.test(fault)) return this.#response(Number(fault), fault === "204" ? undefined : [new TextEncoder().encode("no")], {}, signal);
    if (fault === "unreachable") throw new TypeError("fetch failed");
    if (fault === "hangs") await forever(signal);
    if (fault === "slow") await later(this.#random.integer(1, 5), signal);
    if (fault === "html") return this.#response(200, [new TextEncoder().encode("<html>welcome</html>")], { "content-type": "text/html" }, signal);
    if (object === undefined) return this.#response(404, [new TextEncoder().encode("no such key")], {}, signal);
    if (range !== undefined && range[0] >= object.byteLength) return this.#response(416, [], { "content-range": `bytes */${object.byteLength}` }, signal);
    const ranged = range !== undefined && fault !== "range ignored";
    const [first, end] = ranged ? [range[0], Math.min(range[1] + 1, object.byteLength)] : [0, object.byteLength];
    const body = this.#body(fault, object, first, end);
    const shown = fault === "wrong range" ? first + 1 : first;
    const headers: Record<string, string> = ranged ? { "content-range": `bytes ${shown}-${end - 1}/${object.byteLength}` } : {};
    // A host checks the length that is announced; without it nothing but the reader can.
    if (fault === "another length") headers["content-length"] = String(end - first + this.#random.integer(1, 9));
    if (fault === "compressed") headers["content-encoding"] = "gzip";
    return this.#response(ranged ? 206 : 200, pieces(body, fault === "many pieces" ? 1 + Math.floor(body.byteLength / 7) : body.byteLength), headers, signal, fault);
  }

  #body(fault: Fault | "right", object: Uint8Array<ArrayBuffer>, first: number, end: number): Uint8Array<ArrayBuffer> {
    switch (fault) {
      case "truncated":
        return object.slice(first, first + this.#random.integer(0, Math.max(0, end - first - 1)));
      case "too long":
        return Uint8Array.of(...object.slice(first, end), ...this.#random.bytes(this.#random.integer(1, 40)));
      case "shifted": {
        const by = this.#random.integer(1, 9);
        return object.slice(first + by, end + by);
      }
      case "wrong byte": {
        const body = object.slice(first, end);
        const at = this.#random.integer(0, Math.max(0, body.byteLength - 1));
        body[at] = (body[at] ?? 0) ^ (1 << this.#random.integer(0, 7));
        return body;
      }
      default:
        return object.slice(first, end);
    }
  }

  /** A body counts as open until it is read to its end, has failed, or was left. */
  #response(status: number, chunks: readonly Uint8Array[] | undefined, headers: Record<string, string>, signal?: AbortSignal, fault?: Fault | "right"): Response {
    if (chunks === undefined) return new Response(null, { status, headers });
    this.open++;
    let over = false;
    const close = () => {
      if (!over) this.open--;
      over = true;
    };
    const cut = fault === "cut" || fault === "reset" || fault === "hangs in the body" ? this.#random.integer(0, chunks.length - 1) : -1;
    let at = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          signal?.addEventListener("abort", () => {
            if (over) return;
            close();
            controller.error(signal.reason);
          }, { once: true });
        },
        async pull(controller) {
          if (at === cut && fault === "hangs in the body") return await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
          if (at === cut) {
            close();
            return controller.error(new TypeError(fault === "cut" ? "terminated" : "read ECONNRESET"));
          }
          const chunk = chunks[at++];
          if (chunk === undefined) {
            close();
            controller.close();
          } else {
            controller.enqueue(chunk.slice());
          }
        },
        cancel: close,
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { status, headers });
  }
}

function pieces(body: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(body.byteLength / Math.max(1, size)) }, (_, at) => body.subarray(at * size, (at + 1) * size));
}

function forever(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

function later(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}
