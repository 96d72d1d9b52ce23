/**
 * Addresses that the caller makes: presigned URLs, mirrors, tokens that expire.
 *
 * The hook is asked once per key and its answer remembered; a 401 or 403 makes it be asked once more, for all reads that wait for that
 * key together. What is sent to the address is the HTTP store's matter.
 */
import { DreamDbError, isDreamDbError, withoutSecrets } from "../errors.js";
import { orAborted } from "./abort.js";
import { keySegments } from "./check.js";
import { publicCause } from "./http-errors.js";

/** Why an address is asked for. */
export interface ResolveContext {
  /** `read` at first; `refused` when the store answered 401 or 403 to the address that was given before. */
  readonly reason: "read" | "refused";
}

/** Gives the http(s) URL of an object: `key` is its path below the dataset's root. */
export type Resolve = (key: string, context: ResolveContext) => string | URL | PromiseLike<string | URL>;

/** Addresses kept at most; an old one is asked for again. */
const KEPT = 4096;

/** One answer of the hook, the object's identity being that of the answer. */
export interface ResolvedUrl {
  readonly url: string;
}

/** The answers of a hook, by key. */
export class ResolvedUrls {
  readonly #resolve: Resolve;
  readonly #answers = new Map<string, Promise<ResolvedUrl>>();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  /**
   * The address of an object.
   *
   * @throws {DreamDbError} `InvalidArgument` for a key that is no relative path; `ResolveFailed`; the abort reason
   */
  async of(key: string, signal: AbortSignal | undefined): Promise<ResolvedUrl> {
    keySegments(key);
    return orAborted(this.#answers.get(key) ?? this.#ask(key, "read"), signal);
  }

  /**
   * The address of an object after `refused` was: a newer one if another read has asked for it already.
   *
   * @throws {DreamDbError} `ResolveFailed`; the abort reason
   */
  async instead(key: string, refused: ResolvedUrl, signal: AbortSignal | undefined): Promise<ResolvedUrl> {
    const known = this.#answers.get(key);
    const newer = known !== undefined && (await orAborted(known, signal)) !== refused;
    return newer ? orAborted(known, signal) : orAborted(this.#renew(key, known), signal);
  }

  /** Ask again, unless another read did so while this one looked. */
  #renew(key: string, known: Promise<ResolvedUrl> | undefined): Promise<ResolvedUrl> {
    const now = this.#answers.get(key);
    return now === undefined || now === known ? this.#ask(key, "refused") : now;
  }

  #ask(key: string, reason: ResolveContext["reason"]): Promise<ResolvedUrl> {
    const resolve = this.#resolve;
    const answer = (async () => ({ url: checked(await resolve(key, { reason }), key) }))().catch((cause: unknown) => {
      // A failure is not remembered.
      if (this.#answers.get(key) === answer) this.#answers.delete(key);
      throw failed(cause, key);
    });
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > KEPT && oldest !== undefined) this.#answers.delete(oldest);
    return answer;
  }
}

function checked(answer: string | URL, key: string): string {
  try {
    const url = new URL(answer);
    if (/^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url.href;
  } catch {
    // Said below.
  }
  const message = `the resolve hook gave ${JSON.stringify(withoutSecrets(String(answer)))} for ${key}; it must give an absolute http or https URL`;
  throw new DreamDbError("ResolveFailed", message, { key, subject: "resolve" });
}

function failed(cause: unknown, key: string): unknown {
  if (isDreamDbError(cause)) return cause;
  // The hook's own words may quote the address with its signature: they stay in the cause, and it goes.
  const message = `the resolve hook failed for ${key}; its error is the cause`;
  return new DreamDbError("ResolveFailed", message, { key, subject: "resolve", cause: publicCause(cause) });
}
