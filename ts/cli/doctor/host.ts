/** The rest of what a host does: keys with `=` and `@`, objects that are not there, entity tags, caching, the version of HTTP, outboards. */
import { connect as connectTls } from "node:tls";
import { isIP } from "node:net";
import { answeredText } from "./answers.js";
import { addressOf, ask, type Look, shownKey } from "./look.js";
import { pageRefusal } from "./pages.js";
import type { Probed } from "./probe.js";

/** Seconds for which a Ref may be kept before its readers would call it stale. */
const FRESH_REF = 60;
/** An address that no object has: nothing hashes to it in this world's time. */
const NOWHERE = `d${"2".repeat(52)}`;

const good = ({ answer }: Probed): boolean => answer?.status === 200 || answer?.status === 206;

/** Whether keys are taken as they are written. `keys`: some of the dataset's; those of interest hold `=` or `@`. */
export async function checkKeys(look: Look, keys: readonly string[]): Promise<void> {
  const { findings } = look;
  const key = keys.find((candidate) => /[=@]/.test(candidate));
  if (key === undefined) return findings.ok("keys", "no key of this dataset that was looked at holds = or @");
  const limit = 64 * 1024;
  const raw = await ask(look, key, { limit });
  const address = new URL(addressOf(look, key));
  address.pathname = address.pathname.replaceAll("=", "%3D").replaceAll("@", "%40");
  const encoded = await look.prober.probe({ url: address.href, headers: { "Accept-Encoding": "identity" }, limit });
  if (good(raw)) {
    const also = good(encoded) ? "and percent-encoded" : "but not percent-encoded, which is not needed";
    return findings.ok("keys", `keys with = and @ are found as they are written, ${also}`);
  }
  const how = good(encoded) ? "it comes when they are percent-encoded: the host takes them for something else" : "nor percent-encoded: they were uploaded under other names, or not at all";
  findings.fail("keys", `${shownKey(key)} was ${answeredText(raw)}; ${how}`, "arrays, scalar columns and snapshots cannot be read: keys are sent with = and @ as they are");
}

/** How the host answers for an object that is not there. */
export async function checkMissing(look: Look): Promise<void> {
  const { findings, origin } = look;
  const probed = await ask(look, `bao-outboard/${NOWHERE}`, { origin, limit: 64 * 1024 });
  const { answer, silence } = probed;
  if (silence !== undefined || answer === undefined) return;
  const { status } = answer;
  if (status === 404 || status === 410) findings.ok("missing", `an object that is not there is answered by ${status}`);
  else if (status === 200) findings.fail("missing", `an object that is not there is answered by 200 (${answer.headers["content-type"] ?? "no type"})`, "what is absent looks damaged: packs without outboards cannot be read", []);
  else if (status === 401 || status === 403) findings.warn("missing", `an object that is not there is ${answeredText(probed)}`, "absent outboards look forbidden: packs without them cannot be read, and wrong URLs look like missing credentials");
  else findings.warn("missing", `an object that is not there is ${answeredText(probed)}`, "absence cannot be told from a failure that may pass");
  const refusal = pageRefusal(probed);
  if (refusal !== undefined && !findings.failed("cors")) {
    findings.fail("cors", `${refusal}, of an object that is not there (${status})`, "a page cannot tell absence from a broken line: packs without outboards cannot be read in it", []);
  }
}

/** Entity tags of the same object, asked for several times. */
export function judgeEtags({ findings }: Look, probes: readonly Probed[]): void {
  const tags = probes.filter(good).map(({ answer }) => answer?.headers["etag"]);
  const present = new Set(tags.filter((tag) => tag !== undefined));
  const [tag = ""] = present;
  if (tags.length === 0) return;
  const writers = "readers do not need it; writing to this host is not possible without a strong one on refs/";
  if (present.size === 0) findings.warn("etag", "answers have no ETag", writers);
  else if (present.size > 1) findings.warn("etag", "the ETag of an object changes though the object does not", "caches fetch it again and again, and writers take every write for a lost race");
  else if (tag.startsWith("W/")) findings.warn("etag", `ETags are weak (${tag.slice(0, 40)})`, writers);
  else findings.ok("etag", "ETags are strong and stay");
}

/** How long caches may keep a Ref, which changes with each write. */
export function judgeCaching({ findings }: Look, ref: Probed): void {
  const control = ref.answer?.headers["cache-control"] ?? "";
  const age = /\bmax-age\s*=\s*"?(\d+)/i.exec(control)?.[1];
  const kept = !/\bno-(store|cache)\b/i.test(control) && (Number(age ?? 0) > FRESH_REF || /\bimmutable\b/i.test(control));
  if (kept) findings.warn("caching", `Refs may be kept by caches (Cache-Control: ${control})`, "readers get an old version until then; only objects outside of refs/ never change");
  else findings.ok("caching", "Refs are not kept by caches for long");
}

/** Which versions of HTTP are offered, by ALPN. */
export async function checkVersion(look: Look, version: string): Promise<void> {
  const { findings, url, silentMs } = look;
  if (url.protocol === "http:") return findings.ok("http-version", `HTTP/${version}; browsers speak HTTP/2 by https alone, and ask for six objects at a time until then`);
  if ((await negotiated(url, silentMs)) === "h2") findings.ok("http-version", "HTTP/2 for browsers, and HTTP/1.1 for Node");
  else findings.warn("http-version", "HTTP/1.1 alone", "a page asks for six objects at a time; by HTTP/2 for all that it needs");
}

/** What is agreed upon with someone who would rather speak HTTP/2. */
export function negotiated(url: URL, silentMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const socket = connectTls({ host, port: Number(url.port) || 443, ALPNProtocols: ["h2", "http/1.1"], timeout: silentMs, ...(isIP(host) === 0 && { servername: host }) });
    const end = (protocol: string | undefined) => {
      socket.destroy();
      resolve(protocol);
    };
    socket.once("secureConnect", () => end(socket.alpnProtocol || undefined));
    socket.once("error", () => end(undefined));
    socket.once("timeout", () => end(undefined));
  });
}

/** Whether the pack that an Item was read out of can be proved in parts. */
export async function checkOutboard(look: Look, pack: string | undefined): Promise<void> {
  const { findings } = look;
  if (pack === undefined) return findings.ok("outboards", "the Items that were read are objects of their own; they need no outboards");
  const probed = await ask(look, `bao-outboard/${pack.split("/").at(-1)}`, { limit: 64 });
  if (good(probed)) findings.ok("outboards", "outboards are there: ranges of packs are proved by themselves");
  else findings.warn("outboards", `the outboard of a pack was ${answeredText(probed)}`, "to check an Item of such a pack, the whole pack is fetched; --verify available reads it unproved");
}

/** What kind of host this seems to be, by the headers that it sends. */
export function kindOf({ hops }: Probed): "nginx" | "buckets" | "cloudfront" | undefined {
  const headers = hops.at(-1)?.headers ?? {};
  if (/cloudfront/i.test(`${headers["via"] ?? ""} ${headers["x-cache"] ?? ""}`) || headers["x-amz-cf-id"] !== undefined) return "cloudfront";
  if (Object.keys(headers).some((name) => /^x-(amz|goog)-/.test(name)) || /AmazonS3|UploadServer|SeaweedFS|cloudflare/i.test(headers["server"] ?? "")) return "buckets";
  return /nginx|openresty/i.test(headers["server"] ?? "") ? "nginx" : undefined;
}
