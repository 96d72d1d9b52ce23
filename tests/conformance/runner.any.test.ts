/** The runner itself: what it counts, what it calls a disagreement, and that nothing passes which was not done. */
import { describe, expect, it } from "vitest";
import type { Implementation } from "../../ts/conformance/implementation.js";
import { addressOfBytes, planOf, treeOf } from "../../ts/conformance/outboard.js";
import { reportText, runVectors, type RunOptions } from "../../ts/conformance/run.js";
import { address } from "./support/address.js";

const about = { category: "typed-array" };
const grammar = (id: string, fields: object) => ({ id, ...about, operation: "parse-modality", modality: id, ...fields });

/** Refuses with a class that is the tag itself, except `fine`. */
const parrot: Implementation = {
  parseModality({ modality }) {
    if (modality === "fine") return { class: "array" };
    throw Object.assign(new Error("no"), { code: modality, subject: "it" });
  },
};

const run = (vectors: unknown, options: Partial<RunOptions> = {}, implementation = parrot) =>
  runVectors(implementation, { vectors, ...options });

/** The one disagreement of a run. */
async function disagreement(vectors: unknown, options: Partial<RunOptions> = {}, implementation = parrot) {
  const { passed, failed, disagreements } = await run(vectors, options, implementation);
  expect({ passed, failed, found: disagreements.length }).toEqual({ passed: 0, failed: 1, found: 1 });
  return disagreements[0];
}

describe("a run", () => {
  it("takes a vector, files of vectors, and lists of files", async () => {
    const [one, two, three] = ["fine", "X", "Y"].map((id) => grammar(id, id === "fine" ? { expected_class: "array" } : { expected_error: id }));
    for (const vectors of [one, [one], [[one], one]]) expect((await run(vectors)).passed).toBeGreaterThan(0);
    expect(await run([one, [two, [three]]])).toMatchObject({ passed: 3, failed: 0, notRun: 0 });
    await expect(run([one, 3])).rejects.toThrow(TypeError);
    await expect(run({ id: "x" })).rejects.toThrow("a vector is");
  });

  it("counts by category and operation, and what is not offered as not run", async () => {
    const vectors = [
      grammar("fine", { expected_class: "array" }),
      grammar("X", { expected_error: "Y" }),
      { id: "c", ...about, operation: "compare-modalities", modality: "a", other_modality: "a", expected_same: true },
    ];
    const report = await run(vectors);
    expect(report).toMatchObject({ passed: 1, failed: 1, notRun: 1, notImplemented: ["compare-modalities"] });
    expect(report.counts).toEqual([
      { ...about, operation: "parse-modality", passed: 1, failed: 1, notRun: 0 },
      { ...about, operation: "compare-modalities", passed: 0, failed: 0, notRun: 1 },
    ]);
    expect(reportText(report)).toContain("X (parse-modality)\n  expected Y\n  actual   X");
  });

  it("leaves out what the filter leaves out", async () => {
    const vectors = [grammar("fine", { expected_class: "array" }), grammar("X", { expected_error: "Y" })];
    expect(await run(vectors, { filter: ({ id }) => id === "fine" })).toMatchObject({ passed: 1, failed: 0, notRun: 0 });
  });

  it("stops at its signal, with the reason of that", async () => {
    const controller = new AbortController();
    const implementation: Implementation = {
      parseModality() {
        controller.abort(new Error("enough"));
        throw new Error("of whatever kind");
      },
    };
    const vectors = [grammar("fine", { expected_class: "array" })];
    await expect(run(vectors, { signal: controller.signal }, implementation)).rejects.toThrow("enough");
    await expect(run(vectors, { signal: controller.signal })).rejects.toThrow("enough");
  });
});

describe("a disagreement", () => {
  it("is another class, an acceptance, a refusal, or another result", async () => {
    expect(await disagreement(grammar("X", { expected_error: "Y" }))).toMatchObject({ expected: "Y", actual: expect.stringContaining("X") });
    expect(await disagreement(grammar("fine", { expected_error: "Y" }))).toMatchObject({ expected: "Y", actual: "accepted" });
    expect(await disagreement(grammar("X", { expected_class: "array" }))).toMatchObject({ actual: expect.stringContaining("(no)") });
    const other = await disagreement(grammar("fine", { expected_class: "image" }));
    expect(other).toMatchObject({ expected: 'expected_class: "image"', actual: 'expected_class: "array"' });
    expect(await disagreement(grammar("fine", { expected_kind: 1 }))).toMatchObject({ actual: "expected_kind: not given" });
  });

  it("is another subject, if subjects are asked for", async () => {
    const vector = grammar("X", { expected_error: "X", expected_subject: "that" });
    expect((await run(vector)).passed).toBe(1);
    expect(await disagreement(vector, { subjects: true })).toMatchObject({ expected: 'X about "that"' });
    expect((await run({ ...vector, expected_subject: "it" }, { subjects: true })).passed).toBe(1);
  });

  it("is an error without a code, and a result of another form", async () => {
    const broken: Implementation = { parseModality: () => Promise.reject(new RangeError("oh")) };
    expect(await disagreement(grammar("X", { expected_error: "RangeError" }), {}, broken)).toMatchObject({
      actual: "an error without a code: RangeError: oh",
    });
    const empty = { verifyRange: () => undefined } as unknown as Implementation;
    const proof = { id: "r", category: "bao", operation: "verify-range", data: { pattern: "i%251", length: 3 }, range: ["0", "1"] };
    expect(await disagreement(proof, {}, empty)).toMatchObject({ actual: expect.stringContaining("TypeError") });
  });

  it("is a vector that the runner does not understand", async () => {
    expect(await disagreement({ id: "x", category: "c", operation: "constructor" })).toMatchObject({ actual: expect.stringContaining("knows no operation") });
    expect(await disagreement({ id: "x", ...about, operation: "parse-modality", expected_error: "Y" })).toMatchObject({ actual: "there is no `modality`" });
    const verify = { id: "x", ...about, operation: "verify-object", address: "a", bytes_hex: "0A" };
    expect(await disagreement(verify, {}, { verifyObject: () => undefined })).toMatchObject({ actual: "`bytes_hex` is no lower-case hex" });
    const plan = { id: "x", category: "ranges", operation: "plan-requests", length: "9", spans: [["0", "1"]], max_gap: "0", max_request: "1" };
    const nothing: Implementation = { planRequests: () => ({ requests: [], slices: [], whole: false, proofRequests: [] }) };
    const proof = { max_gap: "0", known: "no" };
    expect(await disagreement({ ...plan, proof }, {}, nothing)).toMatchObject({ actual: "`known` is neither true nor false" });
    expect(await disagreement({ ...plan, spans: [["0"]] }, {}, nothing)).toMatchObject({ actual: "`spans` is no pair" });
  });
});

describe("results", () => {
  const payload = { ...about, operation: "decode-payload", type_cbor_hex: "", payload_hex: "" };
  const decoded = (values: readonly (number | bigint)[], bits: Uint8Array): Implementation => ({
    decodePayload: () => ({ shape: [values.length, 1n << 53n], values, bits }),
  });

  it("are compared to the last bit", async () => {
    const expected = {
      id: "x", ...payload,
      expected_shape: [5, "9007199254740992"], expected_values: [1.5, "-0.0", "nan", "-inf", "18446744073709551615"], expected_bits_hex: "00ff",
    };
    const values = [1.5, -0, Number.NaN, Number.NEGATIVE_INFINITY, (1n << 64n) - 1n];
    expect(await run(expected, {}, decoded(values, Uint8Array.of(0, 255)))).toMatchObject({ passed: 1 });
    expect(await disagreement(expected, {}, decoded(values, Uint8Array.of(0, 254)))).toMatchObject({ actual: 'expected_bits_hex: "00fe"' });
    expect((await run(expected, {}, decoded([1.5, 0, ...values.slice(2)], Uint8Array.of(0, 255)))).failed).toBe(1);
  });

  it("of a choice that the specification leaves are taken if the vector knows it", async () => {
    const vector = {
      id: "x", category: "fragment-pack", operation: "pack-items", expected_error: "InvalidArgument", accepted_alternative: "chunked",
      batches: [{ items: [["0", "0102"]], pack_items: 4, chunk_size: 1 }],
    };
    const writer = (bytes: Uint8Array, alternative: string): Implementation => ({
      packItems: () => ({ objects: [{ path: "0000000000000000/a", bytes }], objectIndexCbor: bytes, alternative }),
    });
    expect((await run(vector, {}, writer(Uint8Array.of(1), "chunked"))).passed).toBe(1);
    expect(await disagreement(vector, {}, writer(Uint8Array.of(1), "other"))).toMatchObject({ actual: "accepted" });
    expect(await disagreement(vector, {}, writer(Uint8Array.of(1, 2), "chunked"))).toMatchObject({ actual: expect.stringContaining("has 2 bytes") });
  });

  it("with bits changed one by one must all be refused, each with the class", async () => {
    const vector = {
      id: "x", category: "bao", operation: "verify-range", data: { pattern: "i%251", length: 5 }, range: ["0", "5"],
      flip: { in: "data", bits: [0, 40] }, expected_error: "HashMismatch",
    };
    const refuse = (code: string) => Object.assign(new Error("no"), { code });
    const verifier = (spare: number, code = "HashMismatch"): Implementation => ({
      verifyRange({ bytes }) {
        if ((bytes[spare] ?? 0) !== spare) return bytes;
        throw refuse(code);
      },
    });
    expect((await run(vector, {}, verifier(5))).failed).toBe(1);
    expect((await run(vector, {}, { verifyRange: () => { throw refuse("HashMismatch"); } })).passed).toBe(1);
    expect(await disagreement(vector, {}, verifier(2))).toMatchObject({ actual: "accepted although bit 16 of the data is changed" });
    expect(await disagreement(vector, {}, { verifyRange: () => { throw refuse("Other"); } })).toMatchObject({ actual: "Other (no)" });
    const outside = { ...vector, flip: { in: "nodes", bits: [0, 1] } };
    expect(await disagreement(outside, {}, verifier(2))).toMatchObject({ actual: "`flip` names bits that are not there" });
  });
});

describe("the runner's own BLAKE3", () => {
  it.each([0, 1, 64, 65, 1023, 1024, 1025, 2048, 3073, 5120, 16_385])("names %i bytes as others do", (length) => {
    const data = Uint8Array.from({ length }, (_, at) => at % 251);
    expect(addressOfBytes(data)).toBe(address(data));
    expect(treeOf(data).nodes).toHaveLength(Math.max(0, Math.ceil(length / 1024) - 1));
  });

  it("plans the whole of an object without any node", () => {
    expect(planOf(5120, [0, 5120])).toEqual({ span: [0, 5120], nodes: [] });
    expect(planOf(5120, [1024, 1025])).toEqual({ span: [1024, 2048], nodes: [0, 1, 2] });
  });
});
