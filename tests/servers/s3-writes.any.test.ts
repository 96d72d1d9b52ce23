/** Datasets in a bucket that takes conditional PUTs from those who sign them: written, read, raced for; from pages as well. */

import { codec, Dataset, type Fetch, httpStore, init, openDataset, type WritableDataset } from "dreamdb-arrays";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { expectFailure } from "../support/failure.js";
import { contentsOf, rowsFrom, schemaOfAll } from "../support/writes.js";
import { BUCKETS, signer } from "./support/s3.js";

beforeAll(() => init());

/** A place in the bucket that nobody has written to. */
function fresh(): string {
  return `${inject("s3").url}/${BUCKETS.closed}/written-${crypto.randomUUID()}`;
}

const signing: Fetch = async (url, init) => fetch(await signer().sign(url, init));
const create = (base: string): Promise<WritableDataset> => Dataset.create(base, "main", schemaOfAll(), { fetch: signing });

describe("a dataset in a bucket", () => {
  test("is written, and read back", async () => {
    const base = fresh();
    const ds = await create(base);
    await ds.append(rowsFrom(1, 3));
    await ds.appendColumns({ anchors: [10, 11], fields: { pose: new Float32Array(4) } });
    await ds.addArrayConstant("k", { dtype: "f64", shape: [3] }, [0, 0, -9.81]);
    await ds.delete([2]);
    await ds.snapshot("v1");
    const store = httpStore(base, { fetch: signing });
    expect([...(await contentsOf(store)).keys()]).toEqual([1n, 3n, 10n, 11n]);
    expect((await openDataset(store, "main@v1")).manifest.address).toBe(ds.current.manifest.address);
  });

  test("is moved by one of two who were there at once; the other is told, and goes on when it says so", async () => {
    const base = fresh();
    const first = await create(base);
    const second = await Dataset.open(base, "main", { fetch: signing });
    await second.append(rowsFrom(1, 1));
    await expectFailure(first.append(rowsFrom(2, 1)), "RefConflict");
    await first.append(rowsFrom(2, 1), { rebase: true });
    await expectFailure(create(base), "RefExists");
    expect([...(await contentsOf(httpStore(base, { fetch: signing }))).keys()]).toEqual([1n, 2n]);
  });

  test("loses no row to sixteen writers at once", async () => {
    const base = fresh();
    await create(base);
    const writers = await Promise.all(Array.from({ length: 16 }, () => Dataset.open(base, "main", { fetch: signing })));
    const commits = await Promise.all(writers.map((ds, writer) => ds.append(rowsFrom(2 * writer, 2), { rebase: true })));
    const acknowledged = commits.flatMap(({ anchors }) => [...anchors]).sort((a, b) => Number(a - b));
    expect([...(await contentsOf(httpStore(base, { fetch: signing }))).keys()]).toEqual(acknowledged);
    expect(acknowledged).toHaveLength(32);
    const ds = await openDataset(base, "main", { fetch: signing });
    expect(await ds.media("frame").count()).toBe(32);
  });

  test("takes no write without a signature", async () => {
    const error = await expectFailure(Dataset.create(fresh(), "main", schemaOfAll()), "Forbidden");
    expect(error).toMatchObject({ status: 403, actual: "AccessDenied" });
    const store = httpStore(fresh());
    const refused = await expectFailure(store.create("refs/main", Uint8Array.of(1)), "Forbidden");
    expect(refused.message).toMatch(/to a PUT: the credentials are missing .* `fetch` hook/);
  });
});

describe("the store itself", () => {
  test("creates once and replaces what is as it was, by the ETag that the bucket gives", async () => {
    const store = httpStore(fresh(), { fetch: signing });
    const key = "t/array.f32.kind=event.storage=unbucketed.shape=2/000000000000000a/main@1";
    expect(await store.create(key, Uint8Array.of(1))).toBe("created");
    expect(await store.create(key, Uint8Array.of(2))).toBe("exists");
    const { bytes, tag } = await store.getTagged(key);
    expect(bytes).toEqual(Uint8Array.of(1));
    expect(await store.replace(key, Uint8Array.of(3), tag)).toBe("replaced");
    expect(await store.replace(key, Uint8Array.of(4), tag)).toBe("conflict");
    expect(await store.get(key)).toEqual(Uint8Array.of(3));
    const large = new Uint8Array(3_000_000).map((_, at) => at % 251);
    expect(await store.create("large", large)).toBe("created");
    expect(codec.addressOf(await store.get("large"))).toBe(codec.addressOf(large));
    await expectFailure(store.getTagged("none"), "NotFound");
  });
});
