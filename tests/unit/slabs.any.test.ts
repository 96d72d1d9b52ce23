/** Memory of small results: each has its own part, and no more is taken than is needed. */
import { expect, test } from "vitest";
import { Slabs } from "../../ts/io/slabs.js";

test("results lie apart, in slabs no larger than what is to come", () => {
  const sizes = Array.from({ length: 3000 }, (_, at) => (at * 7) % 1500);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const slabs = new Slabs(total);
  const results = sizes.map((size, at) => slabs.take(size).fill(at % 251));
  for (const [at, result] of results.entries()) {
    expect(result.byteLength).toBe(sizes[at]);
    expect(result.every((byte) => byte === at % 251)).toBe(true);
  }
  const buffers = new Set(results.map(({ buffer }) => buffer));
  const taken = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(buffers.size).toBeLessThan(5);
  expect(taken).toBeLessThan(total + 4 * 1500);
});

test("a small call takes little, a large result a buffer of its own", () => {
  expect(new Slabs(7).take(7).buffer.byteLength).toBe(7);
  const slabs = new Slabs(10_000_000);
  const large = slabs.take(1 << 20);
  expect(large.buffer.byteLength).toBe(1 << 20);
  expect(slabs.take(10).buffer).not.toBe(large.buffer);
});
