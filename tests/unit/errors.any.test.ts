/** The error class: recognised across copies of the package, plain as data, enriched once, silent about secrets. */

import { codec, type ErrorCode, init } from "dreamdb-arrays";
import { beforeAll, describe, expect, it } from "vitest";
import { withContext } from "../../ts/error-context.js";
import { CORE_CODES, DreamDbError, IO_CODES, isDreamDbError, withoutSecrets } from "../../ts/errors.js";
import { call } from "../../ts/wasm.js";
import { expectThrown } from "../support/failure.js";

beforeAll(() => init());

describe("an error", () => {
  it("carries only the facts it was given", () => {
    const cause = new Error("below");
    const error = new DreamDbError("BodyLength", "too short", { expected: "5", actual: "4", url: undefined, cause });
    expect(Object.keys(error).sort()).toEqual(["actual", "code", "expected"]);
    expect(error).toMatchObject({ name: "DreamDbError", message: "too short", code: "BodyLength", cause });
    expect(error).toBeInstanceOf(Error);
    expect(error.stack).toContain("DreamDbError: too short");
    expect("cause" in new DreamDbError("Internal", "x")).toBe(false);
  });

  it("removes query, fragment and user info from its URL", () => {
    const url = "https://user:pa@ss@host:8080/a=b/c@1?X-Amz-Signature=s#f";
    expect(new DreamDbError("NotFound", "x", { url }).url).toBe("https://host:8080/a=b/c@1");
    expect(withoutSecrets("https://host/refs/main@v1")).toBe("https://host/refs/main@v1");
    expect(withoutSecrets("https://host?a=//u@h")).toBe("https://host");
    expect(withoutSecrets("/relative/a@b?sig=1")).toBe("/relative/a@b");
  });

  it("becomes plain data, its anchor as decimal digits", () => {
    const error = new DreamDbError("HashMismatch", "wrong", { anchor: 2n ** 64n - 1n, status: 200, cause: new TypeError("t") });
    const json: unknown = JSON.parse(JSON.stringify(error));
    expect(json).toEqual({
      name: "DreamDbError",
      code: "HashMismatch",
      message: "wrong",
      anchor: "18446744073709551615",
      status: 200,
      cause: "TypeError: t",
    });
    expect(structuredClone(error.toJSON())).toEqual(json);
  });
});

describe("the guard", () => {
  /** As a second copy of the package, or another realm, would make it. */
  class DreamDbErrorOfAnotherCopy extends Error {
    override name = "DreamDbError";
    code = "NotFound";
  }

  it("goes by name and code", () => {
    const error = new DreamDbErrorOfAnotherCopy("x");
    expect(error).not.toBeInstanceOf(DreamDbError);
    expect(isDreamDbError(error)).toBe(true);
    expect(isDreamDbError(error, "Forbidden", "NotFound")).toBe(true);
    expect(isDreamDbError(error, "Forbidden")).toBe(false);
  });

  it("refuses everything else", () => {
    const coded = Object.assign(new Error("x"), { code: "NotFound" });
    for (const other of [undefined, null, "NotFound", 0, {}, new Error("x"), coded, { name: "DreamDbError" }]) {
      expect(isDreamDbError(other)).toBe(false);
    }
  });

  it("narrows the code", () => {
    const error: unknown = new DreamDbError("NotFound", "x");
    if (!isDreamDbError(error, "NotFound", "Forbidden")) throw new Error("must narrow");
    const code: "NotFound" | "Forbidden" = error.code;
    expect(code).toBe("NotFound");
  });
});

describe("context", () => {
  it("is added to a new error and named once in front of the message", () => {
    const cause = new Error("below");
    const error = new DreamDbError("NotFound", "no such object", { key: "a/b", cause });
    const once = withContext(error, { field: "pose", anchor: 10n, key: "other" });
    expect(once).toMatchObject({
      message: 'field "pose", anchor 10: no such object',
      code: "NotFound",
      field: "pose",
      anchor: 10n,
      key: "a/b",
      cause,
    });
    expect(error).not.toHaveProperty("field");
    expect(withContext(once, { field: "pose", anchor: 10n })).toBe(once);
    expect(withContext(once, { field: "outer" })).toBe(once);
  });

  it("may be the object's key alone", () => {
    const error = withContext(new DreamDbError("HashMismatch", "wrong"), { key: "a/b" });
    expect(error).toMatchObject({ key: "a/b", message: "object a/b: wrong" });
    expect(error).not.toHaveProperty("field");
  });

  it("keeps anchor and field zero or empty, and the frames of the failure", () => {
    const failed = (function whereItFailed() {
      return new DreamDbError("Internal", "two\nlines");
    })();
    const error = withContext(failed, { field: "", anchor: 0n }) as DreamDbError;
    expect(error).toMatchObject({ field: "", anchor: 0n, message: 'field "", anchor 0: two\nlines' });
    expect(error.stack).toContain("whereItFailed");
    expect(error.stack?.startsWith("DreamDbError: field")).toBe(true);
    expect(error.stack?.match(/two\nlines/g)).toHaveLength(1);
  });

  it("leaves abort reasons and foreign errors as they are", () => {
    const reason = new DOMException("stop", "AbortError");
    expect(withContext(reason, { field: "pose" })).toBe(reason);
    expect(withContext(undefined, { field: "pose" })).toBe(undefined);
  });
});

describe("the code tables", () => {
  it("name each code once", () => {
    const all = [...CORE_CODES, ...IO_CODES];
    expect(new Set(all).size).toBe(all.length);
    expect(all.every((code) => /^[A-Z][A-Za-z]+$/.test(code))).toBe(true);
  });
});

describe("refusals of the core", () => {
  it.each([
    ["without parts", "", "EmptyModality", "a modality tag must not be empty", {}],
    ["with a text of the input", "a..b", "EmptySegment", "modality `a..b` has an empty segment", { subject: "a..b" }],
    ["with numbers", "x".repeat(300), "ModalityTooLong", "a modality tag has at most 256 bytes, this would have 300", { expected: "256", actual: "300" }],
    ["with a part that is one", "image.A", "InvalidSegment", "modality `image.A` has the segment `A`; only a-z, 0-9 and _ are allowed", { subject: "image.A" }],
  ])("say their sentence %s", (_, tag, code, message, details) => {
    expect(expectThrown(() => codec.parseModality(tag), code as ErrorCode)).toMatchObject({ message, ...details });
  });

  it("say what was expected and found, and where", () => {
    const wrong = expectThrown(() => call((core) => core.swapBytes(new Uint8Array(3), 2)), "InvalidArgument");
    expect(wrong).toMatchObject({ message: "3 bytes are not whole elements of 2", expected: "a multiple of 2", actual: "3" });
    const columns = [BigUint64Array.of(1n), new BigUint64Array(), new BigUint64Array(), new Uint8Array(33), new Uint8Array(), new Uint32Array()] as const;
    const placed = expectThrown(() => call((core) => core.givenEntries(...columns)), "Multihash");
    expect(placed).toMatchObject({ message: "index entry 0: unknown multihash algorithm 0x00; DreamDB uses 0x1e, BLAKE3-256", expected: "0x1e", actual: "0x00" });
  });

  it("quote what spells sentences in the module as what cannot be mistaken for one", () => {
    const tag = "image.\u0001abcd\u0002{}\u0003\u0004";
    const shown = "image.\ufffdabcd\ufffd{}\ufffd\u0004";
    const { message, subject } = expectThrown(() => codec.parseModality(tag), "InvalidSegment");
    expect(message).toBe(`modality \`${shown}\` has the segment \`${shown.slice(6)}\`; only a-z, 0-9 and _ are allowed`);
    expect(subject).toBe(tag);
  });
});
