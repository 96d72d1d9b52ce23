/** The whole look at a host, in the order in which one thing makes sense of the next. */
import { setMaxListeners } from "node:events";
import { manifestKey, refKey } from "../../dataset/keys.js";
import { checkRefName } from "../../dataset/ref.js";
import type { Version } from "../../dataset/open.js";
import type { DreamDbError } from "../../errors.js";
import type { VerifyPolicy } from "../../io/verifier.js";
import { ready } from "../../wasm.js";
import type { Source } from "../source.js";
import { askSteadily, judgeAnswer, judgeWhole } from "./answers.js";
import { type Finding, Findings, type Reader, type Verdict } from "./findings.js";
import { checkKeys, checkMissing, checkOutboard, checkVersion, judgeCaching, judgeEtags, kindOf, negotiated } from "./host.js";
import { ask, type Look, shownKey, type Target } from "./look.js";
import { checkPageRange, checkPages, checkPreflight, checkScheme, judgeRedirects, pageRefusal } from "./pages.js";
import { type Probed, Prober } from "./probe.js";
import { resolveRefBody } from "./ref-body.js";
import { checkRanges, rangesOf } from "./ranges.js";
import { measureSpeed, type Speed } from "./speed.js";
import { chooseTarget, type Reading, readThrough } from "./target.js";

/** How to look. */
export interface ExamineOptions {
  readonly verify: VerifyPolicy;
  /** Origin of a page that would read. */
  readonly origin: string;
  /** Milliseconds without any byte after which a request is given up. */
  readonly silentMs: number;
  readonly signal: AbortSignal;
  /** Whether to measure, which takes more requests than all the rest. */
  readonly speed: boolean;
  /** Requests that are sent at once for it; fifty unless said otherwise. */
  readonly concurrency?: number | undefined;
}

/** What came of it. */
export interface Report {
  readonly verdicts: Readonly<Record<Reader, Verdict>>;
  /** The worst first. */
  readonly findings: readonly Finding[];
  /** What the host seems to be. */
  readonly kind: ReturnType<typeof kindOf>;
  readonly speed: Speed | undefined;
  readonly requests: number;
}

/** Bytes of a Ref. */
const REF_BYTES = 33;
const MOST_MANIFEST = 64 * 1024 ** 2;

/**
 * Looks at a host through one version of a dataset. Costs some ninety requests, most of them small.
 *
 * @throws {DreamDbError} `Network` if the host cannot be reached at all; `RefName`
 */
export async function examine(source: Source & { readonly url: URL }, version: Version, { verify, origin, silentMs, signal, speed: measure, concurrency }: ExamineOptions): Promise<Report> {
  await ready();
  // Each of many requests at once listens.
  setMaxListeners(0, signal);
  const headers = source.headers ?? {};
  const prober = new Prober(headers, silentMs, signal);
  const look: Look = { source, url: source.url, prober, findings: new Findings(), origin, ownHeaders: Object.keys(headers).map((name) => name.toLowerCase()), silentMs, signal };
  try {
    checkScheme(look);
    const first = await checkFirst(look, version);
    const target = first && (await checkRest(look, version, verify, first));
    const speed = target && measure ? await measureSpeed(look, target, concurrency) : undefined;
    const { findings } = look;
    return { verdicts: findings.verdicts(), findings: findings.sorted(), kind: first && kindOf(first.probed), speed, requests: prober.requests };
  } finally {
    prober.close();
  }
}

interface First {
  readonly target: Target;
  readonly probed: Probed;
  /** Whether it is what it should be, so that the dataset may be opened. */
  readonly good: boolean;
}

/** The Ref, or the manifest that was named in its place: whether anything comes at all, and how. */
async function checkFirst(look: Look, version: Version): Promise<First | undefined> {
  const { findings, origin } = look;
  const pinned = typeof version !== "string";
  if (!pinned) checkRefName(version);
  const key = pinned ? manifestKey(version.manifest) : refKey(version);
  const expected = pinned ? undefined : REF_BYTES;
  const limit = pinned ? MOST_MANIFEST : REF_BYTES + 4096;
  const probed = await askSteadily(look, key, { limit });
  if (!judgeAnswer(look, key, probed)) {
    await explainSilence(look, probed);
    // Whether a page would even hear of the failure.
    const refusal = probed.answer && pageRefusal(await ask(look, key, { origin, limit }));
    if (refusal !== undefined) findings.fail("cors", `${refusal}, of a failure`, "pages hear of a broken line where the host said what is wrong", ["page"]);
    return undefined;
  }
  const bytes = judgeWhole(look, key, probed, expected);
  if (!pinned) judgeCaching(look, probed);
  const good = bytes !== undefined && (pinned || resolveRefBody(bytes, version) !== undefined);
  if (bytes?.[0] === 0x1f && bytes[1] === 0x8b) findings.fail("compression", `${key} is gzip, and no header says so`, "the bytes cannot be used by anybody");
  else if (bytes !== undefined && !good) findings.fail("ref", `${key} has the ${REF_BYTES} bytes of a Ref, and they are no address`, "this is not the Ref of a dataset, or it was changed on the way");
  if (!findings.failed("length")) await checkPages(look, key, limit);
  return { target: { key, size: expected ?? bytes?.byteLength, known: bytes ?? new Uint8Array(0) }, probed, good };
}

async function explainSilence({ findings, url, silentMs }: Look, { silence }: Probed): Promise<void> {
  if (url.protocol !== "https:" || silence === undefined || silence.kind === "silent" || silence.kind === "certificate") return;
  if ((await negotiated(url, silentMs)) === "h2") findings.fail("http-version", "the host speaks HTTP/2 and nothing else", "Node reads by HTTP/1.1", ["node"]);
}

/** All that follows once something came; the object by which to measure, if that makes sense. */
async function checkRest(look: Look, version: Version, verify: VerifyPolicy, first: First): Promise<Target | undefined> {
  const { findings } = look;
  const readings = first.good ? await readingsOf(look, version, verify, first) : undefined;
  const target = readings === undefined ? first.target : await chooseTarget(look, readings.node, first.target);
  const ranged = target.size !== undefined && target.size < 3 ? [] : await checkRanges(look, target);
  judgeRedirects(look, [first.probed, ...ranged].reduce((most, one) => (one.hops.length > most.hops.length ? one : most)));
  judgeEtags(look, ranged);
  if (!findings.failed("reach", "status", "length")) {
    const [range] = rangesOf(target);
    if (range !== undefined && !findings.failed("range")) await checkPageRange(look, target, range);
    await checkPreflight(look, target.key);
    await checkMissing(look);
    if (readings !== undefined) {
      await checkKeys(look, [...readings.node.objects.keys(), first.target.key]);
      await checkOutboard(look, readings.node.pack);
    }
    await checkVersion(look, first.probed.version);
  }
  if (readings !== undefined) judgeReadings(look, readings);
  return findings.failed("reach", "status", "length", "range", "redirects") ? undefined : target;
}

interface Readings {
  readonly node: Reading;
  /** By plain `fetch`, as workers read. */
  readonly worker: Reading;
}

async function readingsOf(look: Look, version: Version, verify: VerifyPolicy, { target: { key, known }, probed }: First): Promise<Readings | undefined> {
  if (typeof version === "string") {
    const address = resolveRefBody(known, version);
    if (address === undefined) return undefined;
    const manifest = await askSteadily(look, manifestKey(address), { limit: MOST_MANIFEST });
    if (!judgeAnswer(look, manifestKey(address), manifest) || judgeWhole(look, manifestKey(address), manifest) === undefined) return undefined;
  } else if (probed.body.byteLength === 0) {
    look.findings.fail("length", `${shownKey(key)} is empty`, "no version can be opened");
    return undefined;
  }
  const node = await readThrough(look, version, verify, look.source.fetch);
  const worker = await readThrough(look, version, verify, look.source.fetch ?? ((to, init) => fetch(to, init)));
  return { node, worker };
}

/** What the package itself says, which is the last word: it finds what no single look did. */
function judgeReadings({ findings }: Look, { node, worker }: Readings): void {
  const meaning = ({ code }: DreamDbError) =>
    code === "HashMismatch" ? "the bytes are not those that were written: they were changed on the host, or on the way" : "this is what a program of yours would get";
  if (node.failure === undefined && worker.failure === undefined) {
    findings.ok("read", node.items > 0 ? `the package opened the dataset and read Items of ${node.items} field${node.items === 1 ? "" : "s"}, checked by their addresses` : "the package opened the dataset; no Item was small enough to be read for a look, or there is none");
    return;
  }
  // What the single looks have found explains the same failure better.
  const explained = (reader: Reader) => findings.sorted().some(({ level, blocks }) => level === "fail" && blocks.includes(reader));
  for (const [{ failure }, who, blocks] of [[node, "the package", ["node"]], [worker, "the package, by plain fetch,", ["worker", "page"]]] as const) {
    if (failure !== undefined && (failure.code === "HashMismatch" || !blocks.every(explained))) findings.fail("read", `${who} failed with ${failure.code}: ${failure.message}`, meaning(failure), blocks);
  }
}
