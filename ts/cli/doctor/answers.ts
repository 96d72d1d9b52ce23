/** Whether objects come at all, and whole ones as a whole: silence, statuses, lengths, compression. */
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { setTimeout as sleep } from "node:timers/promises";
import { DreamDbError } from "../../errors.js";
import { READERS, type Reader } from "./findings.js";
import { ask, encodingOf, type Look, shownKey } from "./look.js";
import type { Asked, Probed } from "./probe.js";

/** Milliseconds before a request that failed is sent again. */
const AGAIN_MS = 300;
/** Statuses that may pass, as the package has them. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

const isGood = ({ answer }: Probed): boolean => answer !== undefined && (answer.status === 200 || answer.status === 206);
const mayPass = ({ answer, silence }: Probed): boolean => silence?.kind === "reset" || (answer !== undefined && PASSING.has(answer.status));

/** As {@link ask}; once more if what failed may pass, and said so if it did. */
export async function askSteadily(look: Look, key: string, asked: Partial<Asked> & { readonly limit: number }): Promise<Probed> {
  const first = await ask(look, key, asked);
  if (isGood(first) || !mayPass(first)) return first;
  await sleep(AGAIN_MS, undefined, { signal: look.signal });
  const second = await ask(look, key, asked);
  if (isGood(second)) {
    const seen = `${shownKey(key)} was ${answeredText(first)} at first, and came when asked again`;
    look.findings.warn("steady", seen, "reads try again up to three times, and so come through slowly, or sometimes not at all");
  }
  return second;
}

/** How a request fared: `answered by 503`, `not answered: …`. */
export function answeredText({ answer, silence, body }: Probed): string {
  if (silence !== undefined) return `not answered (${silence.text})`;
  const code = /<Code>([\w.-]{1,64})<\/Code>/.exec(new TextDecoder().decode(body.subarray(0, 4096)))?.[1];
  return `answered by ${answer?.status}${code === undefined ? "" : ` (${code})`}`;
}

/** Whether a request was answered with an object, or a part of one; what is wrong, if it was not, is told. `blocks`: whom that stops. */
export function judgeAnswer({ findings, url }: Look, key: string, probed: Probed, blocks: readonly Reader[] = READERS): boolean {
  const { answer, silence, hops } = probed;
  const what = shownKey(key);
  if (silence !== undefined) {
    const { kind, text } = silence;
    if (kind === "unreachable") throw new DreamDbError("Network", `${url.host} cannot be reached: ${text}`, { subject: url.host });
    if (kind === "certificate") findings.fail("reach", `the certificate of ${url.host} is refused (${text})`, "nobody who checks certificates reads anything", blocks);
    else if (kind === "silent") findings.fail("reach", `${what} was asked for, and ${text} came`, "reads wait until their timeout, and fail", blocks);
    else if (kind === "protocol") findings.fail("reach", `what came for ${what} is not HTTP/1.1 (${text})`, "Node reads by HTTP/1.1", blocks);
    else findings.fail("reach", `the connection broke when ${what} was asked for (${text})`, "reads fail", blocks);
    return false;
  }
  if (answer === undefined) return false;
  const { status } = answer;
  if (status === 200 || status === 206) return true;
  if (hops.length > 1 && status >= 300 && status < 400) {
    findings.fail("redirects", `${what} leads from redirect to redirect, ${hops.length} of them`, "nobody follows that far", blocks);
    return false;
  }
  const seen = `${what} was ${answeredText(probed)}`;
  const earlier = hops.length > 1 ? ", where a redirect led" : "";
  findings.fail("status", seen + earlier, statusMeaning(status, answer.headers["retry-after"]), blocks);
  return false;
}

function statusMeaning(status: number, retryAfter: string | undefined): string {
  if (status === 401 || status === 403) return "credentials are missing, wrong or expired, or the policy lets nobody in; some stores say so of missing objects, too";
  if (status === 404 || status === 410) return "there is no such object: the URL is not the dataset's root, the Ref has another name, or the upload is not whole";
  if (status === 429) return `the host wants fewer requests${retryAfter === undefined ? "" : `, and a pause (Retry-After: ${retryAfter})`}`;
  if (PASSING.has(status)) return `the host is overloaded or out of order${retryAfter === undefined ? "" : ` (Retry-After: ${retryAfter})`}; reads try again up to three times, then fail`;
  if (status === 416) return "a range inside the object, or none, was asked for; the host takes the object for shorter, or for another one";
  if (status >= 300 && status < 400) return "a redirect that leads nowhere, or an answer for caches, where an object was asked for";
  return "that is no status of an object: a proxy, or another service, answers in its place";
}

/**
 * The bytes of a whole object, if they came as they should; what is wrong, if they did not, is told.
 *
 * @param expected bytes that it must have, if that is known
 */
export function judgeWhole({ findings }: Look, key: string, probed: Probed, expected?: number): Uint8Array | undefined {
  const { answer, body, ended } = probed;
  const what = shownKey(key);
  if (answer?.status === 206) findings.warn("range", `${what} was asked for as a whole and answered as a part (206)`, "some caches do that; it is read all the same");
  const announced = /^\d+$/.exec(answer?.headers["content-length"] ?? "")?.[0];
  const of = announced ?? expected;
  if (ended === "cut" || ended === "silent") {
    const how = ended === "cut" ? "the connection ended" : "nothing more came";
    findings.fail("length", `${how} after ${body.byteLength}${of === undefined ? "" : ` of ${of}`} bytes of ${what}`, "no whole object can be read");
    return undefined;
  }
  if (ended === "limit") {
    const says = announced === undefined ? "without a length" : `announced as ${announced} bytes`;
    const seen = expected === undefined ? `${what} is far too large, ${says}` : `${what} goes on beyond the ${expected} bytes that it must have, ${says}`;
    findings.fail("length", seen, "something else comes than the object");
    return undefined;
  }
  const coding = encodingOf(probed);
  const bytes = coding === undefined ? body : decoded(body, coding);
  if (coding !== undefined) {
    if (bytes === undefined) findings.fail("compression", `${what} came compressed (${coding}) though that was not asked for, and does not decompress`, "the bytes are lost to everybody");
    else findings.warn("compression", `${what} came compressed (${coding}) though that was not asked for`, "whole objects can be read; a range of what is compressed is no range of the object");
  }
  if (bytes !== undefined && expected !== undefined && bytes.byteLength !== expected) {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
      findings.fail("compression", `${what} is ${bytes.byteLength} bytes of gzip, and no header says so`, "the bytes cannot be used by anybody");
      return undefined;
    }
    const html = /^\s*<(!doctype|html)/i.test(new TextDecoder().decode(bytes.subarray(0, 100))) ? ", a web page," : "";
    findings.fail("length", `${what} came with ${bytes.byteLength} bytes${html} where it must have ${expected}`, "something else comes than the object, or a part of it");
    return undefined;
  }
  return bytes;
}

/** What compression does to those who take it, as pages and workers do. */
export function judgeCompression({ findings }: Look, key: string, probed: Probed): void {
  const coding = encodingOf(probed);
  if (probed.ended !== "whole" && probed.ended !== "cut") return;
  if (coding === undefined) findings.ok("compression", "objects are not compressed");
  else if (decoded(probed.body, coding) === undefined && coding !== "zstd") {
    const seen = `${shownKey(key)} comes compressed (${coding}) to those who take that, and does not decompress`;
    findings.fail("compression", seen, "pages and workers take it, and lose the bytes", ["page", "worker"]);
  } else {
    const means = "it is read, but costs time, and a browser that keeps it may cut later ranges out of the compressed bytes";
    findings.warn("compression", `whole objects come compressed (${coding}) to those who take that, as pages do`, means);
  }
}

function decoded(body: Uint8Array, coding: string): Uint8Array | undefined {
  const codings: Readonly<Record<string, (body: Uint8Array) => Uint8Array>> = { "gzip": gunzipSync, "x-gzip": gunzipSync, "br": brotliDecompressSync, "deflate": inflateSync };
  try {
    return codings[coding]?.(body);
  } catch {
    return undefined;
  }
}
