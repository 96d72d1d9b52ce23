/** What a browser lets a page of another origin see: CORS as the Fetch standard has it, on answers, errors and redirects; mixed content. */
import { answeredText, judgeAnswer, judgeCompression } from "./answers.js";
import { ask, askRange, type Look, shownKey, type Target } from "./look.js";
import type { Probed } from "./probe.js";

const PAGE = ["page"] as const;
/** Headers of ours that are not open to pages by themselves, and are needed for more than words. */
const EXPOSED = ["Content-Range", "ETag"];

/** Why a browser would keep these answers from a page; `undefined` if it would not. */
export function pageRefusal({ hops }: Probed): string | undefined {
  for (const [at, { headers, origin = "" }] of hops.entries()) {
    const allowed = headers["access-control-allow-origin"];
    const where = at < hops.length - 1 ? "the redirect" : hops.length > 1 ? "the answer that a redirect leads to" : "the answer";
    if (allowed === undefined) return `${where} has no Access-Control-Allow-Origin`;
    if (allowed.includes(",")) return `${where} has Access-Control-Allow-Origin more than once (${allowed})`;
    if (allowed !== "*" && allowed !== origin) {
      const why = origin === "null" ? "the page is `null` behind a redirect from one host to another" : `not ${origin}`;
      return `${where} allows ${allowed} alone; ${why}`;
    }
  }
  return undefined;
}

/** Pages in general, by a whole object: whether they are answered as Node is, may read the answer, and find it uncompressed. */
export async function checkPages(look: Look, key: string, size: number): Promise<void> {
  const { findings, origin } = look;
  const probed = await ask(look, key, { origin, limit: size + 4096 });
  const refusal = probed.silence === undefined ? pageRefusal(probed) : undefined;
  if (refusal !== undefined) findings.fail("cors", `${refusal} (${shownKey(key)})`, "browsers keep the answer from pages of other origins, and do not say why", PAGE);
  if (!judgeAnswer(look, key, probed, PAGE)) return;
  judgeCompression(look, key, probed);
  const { headers } = probed.answer ?? {};
  const allowed = headers?.["access-control-allow-origin"];
  if (refusal !== undefined) return;
  findings.ok("cors", `pages ${allowed === "*" ? "of every origin" : `of ${allowed}`} may read answers`);
  if (allowed !== "*" && !/\borigin\b|\*/i.test(headers?.["vary"] ?? "")) {
    findings.warn("cors", "Access-Control-Allow-Origin names one origin, and there is no Vary: Origin", "a cache may hand the answer for one page to another, which then cannot read it");
  }
}

/** Pages and ranges: CORS of these answers, and the headers that they show. */
export async function checkPageRange(look: Look, { key }: Target, range: readonly [number, number]): Promise<void> {
  const { findings, origin } = look;
  const probed = await askRange(look, key, range, origin);
  if (probed.answer === undefined || ![200, 206].includes(probed.answer.status)) return;
  const refusal = pageRefusal(probed);
  if (refusal !== undefined) {
    if (!findings.failed("cors")) findings.fail("cors", `${refusal}, of a range`, "browsers keep ranges from pages of other origins", PAGE);
    return;
  }
  const shown = (probed.answer.headers["access-control-expose-headers"] ?? "").split(",").map((name) => name.trim().toLowerCase());
  const hidden = EXPOSED.filter((name) => probed.answer?.headers[name.toLowerCase()] !== undefined && !shown.includes("*") && !shown.includes(name.toLowerCase()));
  if (hidden.length === 0) findings.ok("expose", "the headers that pages use are exposed");
  else findings.warn("expose", `${hidden.join(" and ")} ${hidden.length > 1 ? "are" : "is"} not exposed to pages`, "reads work; errors tell less, and pages that write need ETag");
}

/** What is answered to the question that a browser asks before requests with headers of their own. Reads of ours need none. */
export async function checkPreflight(look: Look, key: string): Promise<void> {
  const { findings, origin, ownHeaders } = look;
  const asked = ["range", ...ownHeaders];
  const headers = { "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": asked.join(",") };
  const probed = await ask(look, key, { method: "OPTIONS", headers, origin, limit: 64 * 1024 });
  const refusal = preflightRefusal(probed, asked);
  if (refusal === undefined) findings.ok("preflight", "preflights are answered, and let Range through");
  else if (ownHeaders.length > 0) {
    findings.fail("preflight", refusal, `a page that sends ${ownHeaders.join(", ")} is asked about first, and refused`, PAGE);
  } else findings.ok("preflight", `a preflight would be refused (${refusal}); reads need none: browsers let single ranges through without asking, and nothing else is sent`);
}

function preflightRefusal(probed: Probed, asked: readonly string[]): string | undefined {
  const { answer } = probed;
  if (answer === undefined || answer.status < 200 || answer.status > 299) return `OPTIONS was ${answeredText(probed)}`;
  const refusal = pageRefusal(probed);
  if (refusal !== undefined) return refusal;
  const allowed = (answer.headers["access-control-allow-headers"] ?? "").split(",").map((name) => name.trim().toLowerCase());
  // A star stands for all but Authorization.
  const refused = asked.filter((name) => !allowed.includes(name) && (name === "authorization" || !allowed.includes("*")));
  return refused.length === 0 ? undefined : `Access-Control-Allow-Headers lacks ${refused.join(", ")}`;
}

/** Redirects on the way to an object: what they cost. */
export function judgeRedirects({ findings }: Look, { hops }: Probed): void {
  if (hops.length < 2) return findings.ok("redirects", "objects come without redirects");
  const hosts = [...new Set(hops.map(({ url }) => url.host))];
  const where = hosts.length > 1 ? `from ${hosts.join(" to ")}` : "within the host";
  findings.warn("redirects", `each object is behind ${hops.length - 1 === 1 ? "a redirect" : `${hops.length - 1} redirects`} (${where})`, "every read costs the more requests, and workers with a limited number of them count each");
}

/** Whether pages may ask by this scheme. */
export function checkScheme({ findings, url }: Look): void {
  const { protocol, hostname } = url;
  const own = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$|\.localhost$/i.test(hostname);
  if (protocol === "https:") findings.ok("scheme", "https");
  else if (own) findings.ok("scheme", "http on this machine itself, which pages of https may read; no worker elsewhere can");
  else findings.warn("scheme", "http without encryption", "pages that came by https may not read it (mixed content), and anybody on the way can read along");
}
