/**
 * `doctor` against every switch of the server that misbehaves: it names the fault, or finds none where the server is within its rights. What is
 * expected stands here by what broken-modes.ts says of each, and by docs/http.md; a new switch must be added.
 */
import { init } from "dreamdb-arrays";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { examine, type Report } from "../../ts/cli/doctor/examine.js";
import type { Check, Level, Reader } from "../../ts/cli/doctor/findings.js";
import { sourceOf } from "../../ts/cli/source.js";
import { type Broken, type Mode, openBroken } from "../support/broken.js";
import { cli, fixture, json } from "./support/program.js";

beforeAll(() => init());

/** Readers that a fault keeps out. */
const ALL: readonly Reader[] = ["page", "node", "worker"];
const PAGE: readonly Reader[] = ["page"];
const NONE: readonly Reader[] = [];

interface Expected {
  /** The finding that must be there; none: no fault may be found. */
  readonly check?: Check;
  readonly level?: Level;
  /** Words of it. */
  readonly says?: RegExp;
  /** Who cannot read, in all. */
  readonly out?: readonly Reader[];
}

const FINE: Expected = {};
const fault = (check: Check, out: readonly Reader[], says?: RegExp): Expected => ({ check, level: "fail", out, ...(says && { says }) });
const toKnow = (check: Check, says?: RegExp): Expected => ({ check, level: "warn", out: NONE, ...(says && { says }) });
const status = (code: number, more = ""): Expected => fault("status", ALL, new RegExp(`answered by ${code}${more}`));

/** Everything is answered in this way. */
const EVERYTHING: Readonly<Record<Mode, Expected>> = {
  "exact206": FINE,
  "416-past-end": FINE,
  "exact206-noContentRange": toKnow("content-range", /have no Content-Range/),
  "star-total": toKnow("content-range", /does not tell the size/),
  "odd-content-range": FINE,
  "senseless-content-range": toKnow("content-range", /makes no sense/),
  "no-expose-headers": toKnow("expose", /Content-Range is not exposed/),
  "HEAD-403": FINE,
  "HEAD-405": FINE,
  "OPTIONS-405": { check: "preflight", level: "ok", says: /405.*reads need none/, out: NONE },
  "HEAD-lies": FINE,
  "raw-path": FINE,
  "etag-changing": toKnow("etag", /changes though/),
  "etag-weak": toKnow("etag", /weak/),
  "cacheable": toKnow("caching", /max-age=3600/),
  "200-full": fault("range", NONE, /the whole object came/),
  "200-gzip": fault("range", NONE, /the whole object came/),
  "200-short": fault("length", ALL, /32 bytes where it must have 33/),
  "200-huge": fault("length", ALL, /announced as 700000000/),
  "200-endless": fault("length", ALL, /goes on beyond/),
  "206-short": fault("length", ALL, /32 bytes where it must have 33/),
  "206-long": fault("range", ALL, /more than \d+ bytes came/),
  "206-long-noContentRange": fault("range", ALL, /more than \d+ bytes came/),
  "206-endless": fault("length", ALL, /goes on beyond/),
  "206-less": fault("length", ALL, /17 bytes where it must have 33/),
  "206-wrong-range": fault("range", ALL, /Content-Range says that bytes from/),
  "206-shifted": fault("length", ALL, /29 bytes where it must have 33/),
  "wrong-bit": fault("range", ALL, /other bytes came/),
  "html": fault("length", ALL, /20 bytes, a web page, where it must have 33/),
  "206-gzip": fault("compression", ALL, /answer to a range is compressed \(gzip\)/),
  "206-gzip-hidden": fault("compression", ALL, /gzip, and no header says so/),
  "gzip-if-accepted": fault("compression", ["page", "worker"], /to those who take that, and does not decompress/),
  "206-identity": FINE,
  "206-always": toKnow("range", /asked for as a whole and answered as a part/),
  "multipart206": fault("range", ALL, /multipart/),
  "close-early": fault("length", ALL, /ended after 3 of 33 bytes/),
  "close-delimited": fault("length", ALL, /3 bytes where it must have 33/),
  "chunks-cut": fault("length", ALL, /ended after 3 of 33 bytes/),
  "reset-in-body": fault("length", ALL, /ended after 3 of 33 bytes/),
  "206-full-length": toKnow("length", /Content-Length says \d+, \d+ bytes came/),
  "reset": fault("reach", ALL, /connection broke/),
  "refused-stream": fault("reach", ALL, /connection broke/),
  "204": status(204),
  "203": status(203),
  "304": status(304),
  "401": status(401),
  "403": status(403, " \\(SignatureDoesNotMatch\\)"),
  "404": status(404, " \\(NoSuchKey\\)"),
  "408": status(408),
  "410": status(410),
  "416-empty": status(416),
  "416-total": status(416),
  "425": status(425),
  "429": status(429, " \\(SlowDown\\)"),
  "429-retry-after": status(429),
  "500": status(500),
  "502": status(502),
  "503": status(503),
  "503-retry-now": status(503),
  "503-date": status(503),
  "504": status(504),
  "403-endless": status(403),
  "500-stalled": status(500),
  "503-then-ok": toKnow("steady", /503 at first/),
  "403-after-2": status(403, " \\(ExpiredToken\\)"),
  // The first answer is to a request for the whole.
  "200-then-206": FINE,
  "stall": fault("reach", ALL, /no byte within/),
  "stall-in-body": fault("length", ALL, /nothing more came after 2 of 33 bytes/),
  "held": FINE,
  "delayed": FINE,
  "slow-drip": FINE,
  "redirect": toKnow("redirects", /within the host/),
  "redirect-cross-origin": toKnow("redirects", /from 127\S+ to 127/),
  "redirect-ignored-range": fault("length", ALL, /announced as 700000000/),
  "redirect-expired": fault("status", ALL, /403 .*where a redirect led/),
  "redirect-no-cors": fault("cors", PAGE, /that a redirect leads to has no Access-Control-Allow-Origin/),
  "redirect-hidden": fault("cors", PAGE, /the redirect has no Access-Control-Allow-Origin/),
  "redirect-loop": fault("redirects", ALL, /from redirect to redirect/),
  "no-cors": fault("cors", PAGE, /the answer has no Access-Control-Allow-Origin/),
  "503-no-cors": fault("cors", ALL, /no Access-Control-Allow-Origin, of a failure/),
};

/** Whole objects are answered well, and ranges in this way: the commoner kind of fault, which hides longer. */
const RANGES: Partial<Record<Mode, Expected>> = {
  "200-full": fault("range", NONE, /the whole object came/),
  "200-gzip": fault("range", NONE, /the whole object came/),
  "200-short": fault("range", ALL, /and only \d+ bytes of it/),
  "200-huge": fault("range", ALL, /the whole object came/),
  "200-endless": fault("range", ALL, /the whole object came/),
  "206-short": fault("range", ALL, /\d+ of \d+ bytes came/),
  "206-endless": fault("range", ALL, /more than/),
  "206-less": fault("range", ALL, /\d+ of \d+ bytes came/),
  "206-shifted": fault("range", ALL, /12 of 16 bytes came|other bytes came/),
  "wrong-bit": fault("range", ALL, /other bytes came/),
  "html": fault("range", ALL, /the whole object came/),
  "206-gzip": fault("compression", ALL, /answer to a range is compressed/),
  "206-gzip-hidden": fault("range", ALL, /other bytes came/),
  "416-total": fault("range", ALL, /refused \(416\)/),
  "close-early": fault("range", ALL, /then the connection ended/),
  "stall": fault("reach", ALL, /a request for a range was not answered/),
  "stall-in-body": fault("range", ALL, /then nothing more/),
  "redirect-loop": fault("redirects", ALL, /from redirect to redirect/),
  "redirect-ignored-range": fault("range", ALL, /the whole object came/),
  "no-cors": fault("cors", PAGE, /of a range/),
  "403": fault("status", ALL, /range was answered by 403/),
};

/** Switches whose whole point is that nothing comes: the patience with them is short. */
const SILENT: readonly Mode[] = ["stall", "stall-in-body", "500-stalled"];

async function look(broken: Broken, mode: Mode, patience: Mode = mode): Promise<Report> {
  const source = await sourceOf(`${broken.base(mode)}?sig=secret`, { verify: "always", header: [] });
  if (source.url === undefined) throw new Error("that is a URL");
  const silentMs = SILENT.includes(patience) ? 400 : 8000;
  return await examine({ ...source, url: source.url }, "main", { verify: "always", origin: "https://page.example", silentMs, signal: new AbortController().signal, speed: false });
}

function expectFound({ findings, verdicts }: Report, { check, level, says = /./, out = NONE }: Expected, mode: Mode): void {
  expect(ALL.filter((reader) => !verdicts[reader].can)).toEqual(out);
  if (check !== undefined) expect(findings).toContainEqual(expect.objectContaining({ check, level, seen: expect.stringMatching(says) as string }));
  // There the server knows no absent objects, which is no part of what the switch is for.
  const faults = findings.filter((finding) => finding.level === "fail" && !(finding.check === "missing" && /^[45]\d\d/.test(mode)));
  if (level !== "fail") expect(faults).toEqual([]);
  else expect(faults.length).toBeGreaterThan(0);
  expect(JSON.stringify(findings)).not.toMatch(/secret|undefined|NaN|\[object/);
}

test("every switch is expected to be something", () => {
  expect(Object.keys(EVERYTHING).sort()).toEqual([...inject("brokenModes")].sort());
});

describe.concurrent("a host that answers everything in this way:", () => {
  test.each(Object.entries(EVERYTHING) as [Mode, Expected][])("%s", { timeout: 120_000 }, async (mode, expected) => {
    const broken = await openBroken({ fixture: "packs" });
    const releasing = setInterval(() => void broken.release(), 20);
    try {
      expectFound(await look(broken, mode), expected, mode);
    } finally {
      clearInterval(releasing);
    }
  });
});

describe("a host that answers ranges alone in this way:", () => {
  test.each(Object.entries(RANGES) as [Mode, Expected][])("%s", { timeout: 60_000 }, async (mode, expected) => {
    const broken = await openBroken({ fixture: "packs", rules: [{ mode, ranged: true }] });
    expectFound(await look(broken, "exact206", mode), expected, mode);
  });
});

test("a range that is answered by the whole object once, and then rightly, is a host that is not steady", async () => {
  const broken = await openBroken({ fixture: "packs", rules: [{ mode: "200-full", ranged: true, nth: [5, 7] }] });
  const { findings } = await look(broken, "exact206");
  expect(findings).toContainEqual(expect.objectContaining({ check: "steady", level: "warn", seen: expect.stringMatching(/ranges were ignored/) as string }));
});

test("keys that are only found percent-encoded, and hosts that answer what is absent with 200 or a page", async () => {
  const broken = await openBroken({ fixture: "arrays-basic", rules: [{ mode: "404", target: "kind=" }] });
  expect((await look(broken, "exact206")).findings).toContainEqual(expect.objectContaining({ check: "keys", level: "fail" }));
  const absent = await openBroken({ fixture: "packs", objects: { ["bao-outboard/d".padEnd(66, "2")]: { text: "<!doctype html>" } } });
  expect((await look(absent, "exact206")).findings).toContainEqual(expect.objectContaining({ check: "missing", level: "fail" }));
});

test("a certificate that nobody signed keeps everybody out", async () => {
  const source = await sourceOf((await openBroken({ fixture: "packs" })).base("exact206", "http2"), { verify: "always", header: [] });
  if (source.url === undefined) throw new Error("that is a URL");
  const options = { verify: "always", origin: "https://page.example", silentMs: 8000, signal: new AbortController().signal, speed: false } as const;
  const report = await examine({ ...source, url: source.url }, "main", options);
  expectFound(report, fault("reach", ALL, /certificate of 127\S+ is refused/), "exact206");
});

describe("the program", () => {
  const base = async (mode: Mode) => `${(await openBroken({ fixture: "packs" })).base(mode)}?sig=secret`;

  test("says the verdict first, and ends with 0 where all is well", async () => {
    const { status, stdout, stderr } = await cli(["doctor", `${inject("fixturesUrl")}/packs/data`]);
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^looking at http\S+ …\n$/) as string]);
    expect(stdout.toString()).toMatch(/^Browser pages: yes\nNode: yes\nEdge workers: yes\n\n/);
    expect(stdout.toString()).toMatch(/outboards +outboards are there/);
    expect(stdout.toString()).toMatch(/etag +ETags are strong/);
  });

  test("says who cannot read, why and what to change, and ends with 1", async () => {
    const { status, stdout, stderr } = await cli(["doctor", await base("no-cors")]);
    expect(status).toBe(1);
    expect(stdout.toString()).toMatch(/^Browser pages: no, because: the answer has no Access-Control-Allow-Origin \(refs\/main\)\nNode: yes\nEdge workers: yes\n\nFaults\n {2}cors /);
    for (const host of ["nginx: `add_header Access-Control-Allow-Origin * always;`", "S3, R2, GCS: A CORS rule", "CloudFront: The managed response headers policy"]) expect(stdout.toString()).toContain(host);
    expect(stdout.toString() + stderr).not.toContain("secret");
  });

  test("a page that sends headers of its own needs a preflight", async () => {
    const { status, stdout } = await cli(["doctor", await base("OPTIONS-405"), "--header", "Authorization: Bearer secret", "--no-speed"]);
    expect(status).toBe(1);
    expect(stdout.toString()).toMatch(/^Browser pages: no, because: OPTIONS was answered by 405\nNode: yes/);
    expect(stdout.toString()).toContain("a page that sends authorization is asked about first, and refused");
    expect(stdout.toString()).not.toMatch(/secret|at once take/);
  });

  test("--json has verdict, findings with what to change, and speed", async () => {
    const report = await json(["doctor", `${inject("fixturesUrl")}/arrays-basic/data`, "--json", "--quiet"]);
    expect(report).toMatchObject({ ref: "main", verdict: { page: { can: true }, node: { can: true }, worker: { can: true } }, speed: { parallelGood: 50 } });
    const { findings } = report as { findings: readonly { check: string; level: string; seen: string }[] };
    expect(findings).toContainEqual(expect.objectContaining({ check: "keys", level: "ok", seen: expect.stringContaining("as they are written, and percent-encoded") as string }));
    const { stdout } = await cli(["doctor", await base("200-full"), "--json"]);
    const [first] = (JSON.parse(stdout.toString()) as { findings: readonly unknown[] }).findings;
    expect(first).toMatchObject({ check: "range", level: "fail", blocks: [], change: { nginx: expect.stringContaining("max_ranges") as string } });
  });

  test.each([
    [["doctor", "http://127.0.0.1:9/x"], 3, /Network: 127\.0\.0\.1:9 cannot be reached/],
    [["doctor", fixture("packs")], 2, /that is a folder/],
    [["doctor", "http://127.0.0.1:9/x", "--origin", "nowhere"], 2, /must be an origin/],
  ])("%j ends with %d", async (args, status, text) => {
    const ended = await cli(args);
    expect([ended.status, ended.stderr]).toEqual([status, expect.stringMatching(text) as string]);
  });
});
