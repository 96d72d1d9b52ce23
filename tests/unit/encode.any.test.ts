/** Payloads as writers make them: the bytes of every valid vector and of NumPy's files, and refusals of what is not what is declared. */
import { codec, type CsrInit, type DenseInit, init, type ItemTypeInit, type RaggedInit, toNested } from "dreamdb-arrays";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesOf, hexOf as toHex, type Json } from "../../ts/conformance/vector.js";
import { VECTOR_FILES } from "../conformance/support/vector-files.js";
import { expectThrown } from "../support/failure.js";
import files from "./npy-files.json" with { type: "json" };

beforeAll(() => init());

const fromHex = (hex: Json): Uint8Array => bytesOf(hex, "hex");

/** Vectors of payloads that decode, with the bytes of their types. */
async function validPayloads() {
  const all: { id: string; type: Uint8Array; payload: Uint8Array }[] = [];
  for (const { load } of VECTOR_FILES) {
    for (const { id, operation, expected_error: error, payload_hex: payload, type_cbor_hex: type } of await load()) {
      if (operation !== "decode-payload" || error !== undefined || payload === undefined || type === undefined) continue;
      all.push({ id, type: fromHex(type), payload: fromHex(payload) });
    }
  }
  return all;
}

describe("encoding gives back the bytes that were decoded", () => {
  it("of every valid payload of the vectors", async () => {
    const payloads = await validPayloads();
    for (const { id, type, payload } of payloads) {
      const value = codec.decode(type, payload);
      const declared = codec.decodeItemType(type);
      const encoded =
        value.family === "dense-array" ? codec.encodeDense(type, value) : value.family === "ragged-array" ? codec.encodeRagged(type, value) : codec.encodeCsr(type, value);
      // Others than NumPy may have written a header otherwise.
      if (declared.codec === "npy") expect({ id, value: codec.decode(type, encoded) }).toEqual({ id, value });
      else expect({ id, hex: toHex(encoded) }).toEqual({ id, hex: toHex(payload) });
    }
    expect(payloads.length).toBeGreaterThan(700);
  });

  it("of NumPy's own files, in both orders", () => {
    for (const { dtype, shape, order, data_hex: data, file_hex: file } of files as readonly NpyFile[]) {
      const bytes = fromHex(data);
      const { data: elements } = codec.decode({ dtype, shape }, bytes) as { data: Float32Array };
      const encoded = codec.encodeNpy({ dtype, shape, layout: order }, { data: elements });
      // NumPy calls an array Fortran-ordered only if it is not in C order as well; a type that declares the layout is believed at every rank.
      const both = order === "f" && shape.filter((extent) => extent !== 1).length < 2;
      if (!both && !shape.includes(0)) expect(toHex(encoded)).toBe(file);
      expect(toHex(encoded.slice(encoded.byteLength - bytes.byteLength))).toBe(data);
      expect((encoded.byteLength - bytes.byteLength) % 64).toBe(0);
    }
  });
});

interface NpyFile {
  readonly dtype: ItemTypeInit["dtype"];
  readonly shape: number[];
  readonly order: "c" | "f";
  readonly data_hex: string;
  readonly file_hex: string;
}

describe("what is written", () => {
  const MATRIX = [[1, 2, 3], [4, 5, 6]];

  it.each(["little", "big"] as const)("stands in the declared order and layout, %s-endian", (endianness) => {
    for (const layout of ["c", "f"] as const) {
      for (const codecName of ["raw", "npy"] as const) {
        const type = { dtype: "i16", shape: [2, 3], endianness, layout, codec: codecName } as const;
        const ways: DenseInit<"i16">[] = [
          MATRIX,
          Int16Array.from(layout === "c" ? [1, 2, 3, 4, 5, 6] : [1, 4, 2, 5, 3, 6]),
          { data: Int16Array.of(1, 2, 3, 4, 5, 6), order: "c", shape: [2, 3] },
          { data: Int16Array.of(1, 4, 2, 5, 3, 6), order: "f", dtype: "i16" },
        ];
        const payloads = ways.map((value) => codec.encodeDense(type, value));
        expect(new Set(payloads.map(toHex)).size).toBe(1);
        const value = codec.decode(type, payloads[0] ?? new Uint8Array());
        expect(value.family === "dense-array" && toNested(value)).toEqual(MATRIX);
      }
    }
  });

  it("keeps the bits of what no number can hold", () => {
    const bits = BigUint64Array.of(0x7ff0_0000_0000_0001n, 0xfff8_dead_beef_0001n, 0x8000_0000_0000_0000n);
    const payload = codec.encodeDense({ dtype: "f64", shape: [3], endianness: "big" }, new Float64Array(bits.buffer));
    expect(toHex(payload)).toBe("7ff0000000000001fff8deadbeef00018000000000000000");
  });

  it("takes a scalar, no elements, and bigints", () => {
    expect(toHex(codec.encodeDense({ dtype: "u64", shape: [] }, 2n ** 64n - 1n))).toBe("f".repeat(16));
    expect(codec.encodeDense({ dtype: "f32", shape: [0, 3] }, []).byteLength).toBe(0);
    expect(toHex(codec.encodeDense({ dtype: "i64", shape: [2] }, [-1, -(2n ** 63n)]))).toBe(`${"f".repeat(16)}${"0".repeat(14)}80`);
  });

  it("takes values of structured families as TypedArrays and as bytes in declared order", () => {
    const type = { family: "ragged-array", dtype: "u16", innerShape: [2], endianness: "big" } as const;
    const rowOffsets = BigUint64Array.of(0n, 1n, 1n, 3n);
    const numbers = codec.encodeRagged(type, { rowOffsets, values: Uint16Array.of(1, 2, 3, 4, 5, 6) });
    const bytes = codec.encodeRagged(type, { kind: "ragged-array", rowOffsets: [0, 1, 1n, 3], values: fromHex("000100020003000400050006") });
    expect(toHex(bytes)).toBe(toHex(numbers));
    expect(toHex(bytes)).toBe(
      // Header, four offsets, three cells.
      "524147310000000100000000000000030000000000000003" +
        `${[0, 1, 1, 3].map((offset) => offset.toString(16).padStart(16, "0")).join("")}000100020003000400050006`,
    );
  });

  it("leaves what it is given as it is", () => {
    const rowOffsets = BigUint64Array.of(0n, 1n);
    const values = Uint16Array.of(258);
    codec.encodeRagged({ family: "ragged-array", dtype: "u16", innerShape: [], endianness: "big" }, { rowOffsets, values });
    expect([rowOffsets[1], values[0]]).toEqual([1n, 258]);
  });
});

describe("what is not what is declared is refused", () => {
  const dense = (type: ItemTypeInit, value: unknown) => expectThrown(() => codec.encodeDense(type, value as DenseInit));
  const CSR = { family: "sparse-csr", dtype: "f32", shape: [2, 3] } as const;
  const csr = (value: unknown) => expectThrown(() => codec.encodeCsr(CSR, value as CsrInit<"f32">));
  const ragged = (value: unknown) => expectThrown(() => codec.encodeRagged({ family: "ragged-array", dtype: "f32", innerShape: [2] }, value as RaggedInit<"f32">));

  it.each([
    ["another dtype", { dtype: "f32", shape: [2] }, new Float64Array(2), "InvalidArgument", /Float32Array.*Float64Array/],
    ["bytes for numbers", { dtype: "f32", shape: [2] }, new Uint8Array(8), "InvalidArgument", /Float32Array/],
    ["clamped bytes", { dtype: "u8", shape: [2] }, new Uint8ClampedArray(2), "InvalidArgument", /Uint8ClampedArray/],
    ["a DataView", { dtype: "u8", shape: [2] }, new DataView(new ArrayBuffer(2)), "InvalidArgument", /DataView/],
    ["too few elements", { dtype: "f32", shape: [2, 2] }, new Float32Array(3), "ShapeMismatch", /4 elements, and 3/],
    ["another shape", { dtype: "f32", shape: [2, 2] }, { data: new Float32Array(4), shape: [4] }, "ShapeMismatch", /\[2, 2\].*\[4\]/],
    ["another dtype said", { dtype: "f32", shape: [1] }, { data: new Float32Array(1), dtype: "f64" }, "InvalidArgument", /f64/],
    ["a list too long", { dtype: "f32", shape: [2] }, [1, 2, 3], "ShapeMismatch", /list of 3/],
    ["a list too deep", { dtype: "f32", shape: [1] }, [[1]], "InvalidArgument", /Array/],
    ["a list too flat", { dtype: "f32", shape: [1, 1] }, [1], "InvalidArgument", /as deep as/],
    ["a number too large", { dtype: "f32", shape: [] }, 1e39, "InvalidArgument", /numbers that f32 holds, not 1e\+39$/],
    ["a fraction", { dtype: "i32", shape: [] }, 1.5, "InvalidArgument", /1\.5/],
    ["a number below", { dtype: "u8", shape: [] }, -1, "InvalidArgument", /from 0 to 255, not -1/],
    ["a number above", { dtype: "i8", shape: [] }, 128, "InvalidArgument", /128/],
    ["an unsafe number", { dtype: "u64", shape: [] }, 2 ** 53, "InvalidArgument", /bigints beyond 2\^53, not 9007199254740992$/],
    ["a bigint above", { dtype: "u64", shape: [] }, 2n ** 64n, "InvalidArgument", /18446744073709551616n/],
    ["a bigint as a float", { dtype: "f64", shape: [] }, 1n, "InvalidArgument", /1n/],
    ["a text", { dtype: "f64", shape: [] }, "1", "InvalidArgument", /string/],
    ["nothing", { dtype: "f64", shape: [] }, undefined, "InvalidArgument", /undefined/],
    ["an order of no name", { dtype: "f64", shape: [1] }, { data: new Float64Array(1), order: "k" }, "InvalidArgument", /"c" or "f"/],
    ["another family", { dtype: "f64", shape: [1] }, { family: "sparse-csr", data: new Float64Array(1) }, "InvalidArgument", /sparse-csr/],
  ] as const)("%s", (_, type, value, code, message) => {
    const error = dense(type, value);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it.each([
    ["unsorted columns", { rowOffsets: [0, 2, 2], columnIndices: [2, 1], values: new Float32Array(2) }, "ColumnOrder", /sort the columns of each row, and merge/],
    ["a column twice", { rowOffsets: [0, 2, 2], columnIndices: [1, 1], values: new Float32Array(2) }, "ColumnOrder", /merge/],
    ["a column beyond the last", { rowOffsets: [0, 1, 1], columnIndices: [3], values: new Float32Array(1) }, "ColumnBounds", /3/],
    ["another number of rows", { rowOffsets: [0, 0], columnIndices: [], values: new Float32Array(0) }, "ShapeMismatch", /2 rows.*1/],
    ["another shape", { shape: [3, 2], rowOffsets: [0, 0, 0], columnIndices: [], values: new Float32Array(0) }, "ShapeMismatch", /\[3, 2\]/],
    ["fewer columns than elements", { rowOffsets: [0, 1, 2], columnIndices: [1], values: new Float32Array(2) }, "PayloadLength", /end at 2.*1 column/],
    ["fewer values than columns", { rowOffsets: [0, 1, 2], columnIndices: [1, 1], values: new Float32Array(1) }, "PayloadLength", /end at 2 stored elements, and 1 values/],
    ["offsets that fall", { rowOffsets: [0, 2, 1], columnIndices: [1], values: new Float32Array(1) }, "OffsetOrder", /./],
    ["no row offsets", { columnIndices: [], values: new Float32Array(0) }, "InvalidArgument", /rowOffsets/],
    ["an index that is no integer", { rowOffsets: [0, 1, 1], columnIndices: [0.5], values: new Float32Array(1) }, "InvalidArgument", /0\.5/],
    ["values of another dtype", { rowOffsets: [0, 0, 0], columnIndices: [], values: new Float64Array(0) }, "InvalidArgument", /Float64Array/],
    ["a ragged value", { kind: "ragged-array", rowOffsets: [0], values: new Float32Array(0) }, "InvalidArgument", /ragged-array/],
  ] as const)("of a matrix: %s", (_, value, code, message) => {
    const error = csr(value);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it.each([
    ["a first offset that is not 0", { rowOffsets: [1, 1], values: new Float32Array(2) }, "OffsetTerminal"],
    ["offsets that fall", { rowOffsets: [0, 2, 1], values: new Float32Array(2) }, "OffsetOrder"],
    ["half a cell", { rowOffsets: [0, 1], values: new Float32Array(1) }, "PayloadLength"],
    ["no offset at all", { rowOffsets: [], values: new Float32Array(0) }, "InvalidArgument"],
    ["cells of another shape", { rowOffsets: [0, 1], values: new Float32Array(2), innerShape: [1] }, "ShapeMismatch"],
    ["a TypedArray alone", new Float32Array(2), "InvalidArgument"],
  ] as const)("of rows: %s", (_, value, code) => {
    expect(ragged(value).code).toBe(code);
  });

  it("a type of another family", () => {
    expect(expectThrown(() => codec.encodeDense(CSR, [])).code).toBe("WrongFamily");
  });
});
