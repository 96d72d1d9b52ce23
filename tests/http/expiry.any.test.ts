/** Addresses that expire: a hook gives new ones, is asked as often as needed and no more, and nothing of them is told in errors. */

import { init, openDataset, type Resolve } from "dreamdb-arrays";
import { beforeAll, describe, expect, it } from "vitest";
import { openBroken } from "../support/broken.js";
import { type Built, FIELD, packedDataset, singlesDataset } from "../support/built.js";
import { expectFailure } from "../support/failure.js";

beforeAll(() => init());

type Asked = { readonly key: string; readonly reason: string };

/** A field whose objects are at addresses with a token; tokens of the first generation are refused from `expire` on. */
async function presigned(built: Built, renews: boolean) {
  const broken = await openBroken({ objects: built.objects });
  const asked: Asked[] = [];
  let generation = 1;
  const resolve: Resolve = async (key, { reason }) => {
    asked.push({ key, reason });
    if (reason === "refused" && renews) generation = 2;
    return `${broken.base("exact206")}/${key}?X-Token=secret-${generation}`;
  };
  const ds = await openDataset("https://nowhere.invalid/data", built.version, { resolve, retry: { attempts: 1 }, concurrency: 6 });
  await ds.media(FIELD).count();
  await broken.forget();
  asked.splice(0);
  return { broken, asked, field: ds.media(FIELD), expire: () => broken.rules({ target: "secret-1", mode: "403" }) };
}

describe("an address that has expired", () => {
  it("is asked for anew, and the read goes on with it", async () => {
    const built = singlesDataset(2);
    const { broken, asked, field, expire } = await presigned(built, true);
    expect(await field.read(1)).toMatchObject({ bytes: built.items[1] });
    await expire();
    for (let again = 0; again < 2; again++) expect(await field.read(1)).toMatchObject({ bytes: built.items[1], verified: "object" });
    const key = built.keys[1];
    expect(asked).toEqual([{ key, reason: "read" }, { key, reason: "refused" }]);
    expect((await broken.requests()).map(({ mode }) => mode)).toEqual(["exact206", "403", "exact206", "exact206"]);
  });

  it("is asked for once, however many reads wait for it", async () => {
    const built = packedDataset([{ sizes: Array.from({ length: 60 }, () => 3000) }]);
    const { broken, asked, field, expire } = await presigned(built, true);
    const pack = built.keys[0] ?? "";
    await field.read(0);
    await expire();
    asked.splice(0);
    await broken.forget();
    const fresh = await Promise.all([5, 20, 35, 50].map((anchor) => field.read(anchor)));
    expect(fresh).toMatchObject([5, 20, 35, 50].map((anchor) => ({ bytes: built.items[anchor] })));
    expect(asked.filter(({ key, reason }) => key === pack && reason === "refused").length).toBeLessThanOrEqual(1);
  });

  it("that the hook does not replace is an error after two requests, without the token in it", async () => {
    const built = singlesDataset(3);
    const { broken, asked, field, expire } = await presigned(built, false);
    await expire();
    const error = await expectFailure(field.read(1), "Forbidden");
    expect(error).toMatchObject({ status: 403, actual: "SignatureDoesNotMatch", field: FIELD, anchor: 1n });
    expect(error.message).toContain("its signature has expired");
    expect([error.message, error.stack, JSON.stringify(error)].join()).not.toContain("secret");
    expect(asked.map(({ reason }) => reason)).toEqual(["read", "refused"]);
    expect(await broken.requests()).toHaveLength(2);
  });

  it("does not touch reads of other objects", async () => {
    const built = singlesDataset(3);
    const { broken, field } = await presigned(built, false);
    await broken.rules({ key: built.keys[1] ?? "", mode: "401" });
    const outcomes = await field.readMany([0, 1, 2]);
    expect(outcomes).toMatchObject([{ value: { bytes: built.items[0] } }, { error: { code: "Forbidden", status: 401 } }, { value: { bytes: built.items[2] } }]);
  });
});
