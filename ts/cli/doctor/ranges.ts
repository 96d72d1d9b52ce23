/** Whether ranges are honoured: the asked bytes, all of them and no others, under headers that do not say otherwise. */
import { answeredText } from "./answers.js";
import { READERS } from "./findings.js";
import { askRange, contentRangeOf, encodingOf, type Look, shownKey, type Target } from "./look.js";
import type { Probed } from "./probe.js";

/** The size up to which the package takes a whole object in place of a range; docs/http.md. */
const TAKEN_WHOLE = 8 * 1024 ** 2;

type Range = readonly [offset: number, length: number];

/** Three ranges of an object: in it, its beginning, its end. */
export function rangesOf({ size, known }: Target): Range[] {
  const reach = size ?? known.byteLength;
  const third = Math.floor(reach / 3);
  const inside = Math.max(1, Math.min(4096, third));
  const end = Math.max(1, Math.min(16, reach));
  return [[Math.min(third, Math.max(0, known.byteLength - inside)), inside], [0, end], [Math.max(0, reach - end), end]];
}

/** Asks for ranges of the target, and judges what comes. Gives the answers. */
export async function checkRanges(look: Look, target: Target): Promise<Probed[]> {
  const { findings } = look;
  const probes: Probed[] = [];
  const judged: Judged[] = [];
  for (const range of rangesOf(target)) {
    const probed = await askRange(look, target.key, range);
    probes.push(probed);
    judged.push(judge(probed, range, target));
    // Each more would cost the patience again.
    if (probed.ended === "silent" || probed.silence?.kind === "silent") break;
  }
  const wrong = judged.filter(({ good }) => !good);
  const ignored = judged.filter(({ ignored }) => ignored);
  // One of a kind says it all; what ignores ranges is less bad than what answers them wrongly.
  const told = new Map(wrong.toSorted((a, b) => a.blocks.length - b.blocks.length).map((fault) => [fault.check, fault]));
  for (const { check, seen, means, blocks } of told.values()) findings.fail(check, `${seen} (${shownKey(target.key)})`, means, blocks);
  if (ignored.length > 0 && ignored.length < judged.length && wrong.length === ignored.length) {
    findings.warn("steady", `${ignored.length} of ${judged.length} ranges were ignored, the others were not`, "several servers, or caches, answer for this host, and not all of them know ranges");
  }
  if (wrong.length === 0) {
    findings.ok("range", `ranges are answered by 206 and exactly the asked bytes (${shownKey(target.key)})`);
    judgeLabels(look, probes);
  }
  return probes;
}

interface Judged {
  readonly good: boolean;
  readonly ignored: boolean;
  readonly check: "range" | "reach" | "status" | "compression" | "redirects";
  readonly seen: string;
  readonly means: string;
  readonly blocks: typeof READERS | readonly [];
}

const GOOD: Judged = { good: true, ignored: false, check: "range", seen: "", means: "", blocks: [] };
const bad = (seen: string, means: string, check: Judged["check"] = "range"): Judged => ({ ...GOOD, good: false, check, seen, means, blocks: READERS });

function judge(probed: Probed, [offset, length]: Range, { size, known }: Target): Judged {
  const { answer, silence, body, ended, hops } = probed;
  const asked = `bytes ${offset} to ${offset + length - 1}`;
  if (silence !== undefined || answer === undefined) return bad(`a request for a range was ${answeredText(probed)}`, "reads of ranges fail", "reach");
  const { status, headers } = answer;
  if (status === 200) {
    const whole = `a range was asked for, the whole object came (200)`;
    if (ended !== "limit" && encodingOf(probed) === undefined && body.byteLength < offset + length) {
      return bad(`${whole}, and only ${body.byteLength} bytes of it`, "what was asked for is not in it", "range");
    }
    const means = "every small read costs a whole object; those above 8 MiB, or four times what is asked for, are refused";
    const bytes = Math.max(size ?? 0, Number(/^\d+$/.exec(headers["content-length"] ?? "")?.[0] ?? 0));
    // What goes on behind the end of the object is refused however small that is.
    const isRefused = bytes > TAKEN_WHOLE || (size !== undefined && encodingOf(probed) === undefined && body.byteLength > size);
    return { ...bad(whole, means), ignored: true, blocks: isRefused ? READERS : [] };
  }
  if (status === 416) return bad(`a range inside the object was refused (416)`, "no range can be read");
  if (hops.length > 1 && status >= 300 && status < 400) return bad(`a request for a range leads from redirect to redirect, ${hops.length} of them`, "nobody follows that far", "redirects");
  if (status !== 206) return bad(`a request for a range was ${answeredText(probed)}`, "reads of ranges fail", "status");
  const label = contentRangeOf(probed);
  if (label?.start === undefined && /^\s*multipart\//i.test(headers["content-type"] ?? "")) {
    return bad("one range was asked for, a multipart body came", "no reader takes ranges in that form");
  }
  const coding = encodingOf(probed);
  if (coding !== undefined) return bad(`the answer to a range is compressed (${coding})`, "a range of what is compressed is no range of the object", "compression");
  if (label?.start !== undefined && label.start !== offset) {
    return bad(`bytes from ${offset} were asked for, Content-Range says that bytes from ${label.start} came`, "readers refuse what is said to be another range");
  }
  if (body.byteLength > length) return bad(`more than ${length} bytes came for ${asked}`, "readers refuse a range that is longer than asked for");
  if (body.byteLength < length) {
    const how = ended === "silent" ? ", then nothing more" : ended === "cut" ? ", then the connection ended" : "";
    return bad(`${body.byteLength} of ${length} bytes came for ${asked}${how}`, "no range is read from half of it");
  }
  const right = known.subarray(offset, offset + length);
  if (right.byteLength === length && right.some((byte, at) => byte !== body[at])) {
    const gzip = body[0] === 0x1f && body[1] === 0x8b;
    if (gzip) return bad("what came for a range is a piece of gzip, and no header says so", "a range of what is compressed is no range of the object", "compression");
    return bad(`other bytes came for ${asked} than the object has there`, "what is hashed is refused; what is not hashed is wrong, and nobody knows");
  }
  return GOOD;
}

/** What the headers of right answers leave out, or get wrong without harm. */
function judgeLabels({ findings }: Look, probes: readonly Probed[]): void {
  const [first] = probes;
  if (first?.answer === undefined) return;
  const long = probes.find(({ ended }) => ended !== "whole");
  if (long !== undefined) {
    const seen = `Content-Length says ${long.answer?.headers["content-length"] ?? "nothing"}, ${long.body.byteLength} bytes came, and the connection ended`;
    findings.warn("length", seen, "the bytes are there and are taken, but every connection is lost, and other readers may refuse");
  }
  const label = contentRangeOf(first);
  const means = "reads work; errors tell less, and the size of Items that no index tells is not known";
  if (first.answer.headers["content-range"] === undefined) findings.warn("content-range", "answers to ranges have no Content-Range", means);
  else if (label?.start === undefined) findings.warn("content-range", "Content-Range makes no sense, and is ignored", means);
  else if (label.total === undefined) findings.warn("content-range", "Content-Range does not tell the size of the object", means);
  else findings.ok("content-range", "Content-Range says what came, and how large the object is");
}
