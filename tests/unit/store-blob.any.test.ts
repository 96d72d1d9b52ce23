/** Files of a page: picked folders, Blobs by key, directory handles. What every store does is in the contract's own test. */

import { describe, expect, it } from "vitest";
import { blobStore, type DirectoryHandle } from "../../ts/store/blob.js";
import { memoryStore } from "../../ts/store/memory.js";
import { expectFailure, expectThrown } from "../support/failure.js";

const blob = (...bytes: number[]) => new Blob([Uint8Array.from(bytes)]);

/** A directory handle over nested records, failing as browsers do. */
function directory(tree: Record<string, unknown>): DirectoryHandle {
  const look = async (name: string): Promise<unknown> => {
    const found = Object.entries(tree).find(([key]) => key === name)?.[1];
    if (found === undefined) throw new DOMException("not there", "NotFoundError");
    if (found instanceof DOMException) throw found;
    return found;
  };
  return {
    kind: "directory",
    async getDirectoryHandle(name) {
      const found = await look(name);
      if (found instanceof Blob) throw new DOMException("a file", "TypeMismatchError");
      return directory(found as Record<string, unknown>);
    },
    async getFileHandle(name) {
      const found = await look(name);
      if (!(found instanceof Blob)) throw new DOMException("a folder", "TypeMismatchError");
      return { getFile: async () => found };
    },
  };
}

describe("files of a picked folder", () => {
  it("go by their path below it, single files by name", async () => {
    const picked = Object.defineProperty(new File(["abc"], "main"), "webkitRelativePath", { value: "bucket/refs/main" });
    const store = blobStore([picked, new File(["d"], "loose")]);
    expect(await store.get("refs/main")).toEqual(Uint8Array.of(97, 98, 99));
    expect(await store.get("loose")).toEqual(Uint8Array.of(100));
    await expectFailure(store.get("bucket/refs/main"), "NotFound");
  });

  it("need a name", () => {
    expectThrown(() => blobStore([blob(1)]), "InvalidArgument");
    expectThrown(() => blobStore([["../x", blob(1)]]), "InvalidArgument");
  });
});

describe("a directory handle", () => {
  const tree: Record<string, unknown> = {
    refs: { main: blob(1, 2, 3) },
    locked: new DOMException("no permission", "NotAllowedError"),
    gone: new DOMException("changed", "NotReadableError"),
  };
  const store = blobStore(directory(tree));

  it("is walked along the key", async () => {
    expect(await store.get("refs/main")).toEqual(Uint8Array.of(1, 2, 3));
    expect(await store.getRange("refs/main", 1, 1)).toEqual(Uint8Array.of(2));
  });

  it("is walked anew at each read, so that a Ref that moved is seen", async () => {
    tree["moving"] = blob(1);
    expect(await store.get("moving")).toEqual(Uint8Array.of(1));
    tree["moving"] = blob(2);
    expect(await store.get("moving")).toEqual(Uint8Array.of(2));
  });

  it("tells absence, permission and failure apart", async () => {
    for (const key of ["x", "refs/x", "x/y", "refs", "refs/main/x"]) await expectFailure(store.get(key), "NotFound");
    expect((await expectFailure(store.get("locked"), "Forbidden")).message).toContain("permission");
    expect((await expectFailure(store.getRange("gone", 0, 1), "FileSystem")).cause).toBe(tree["gone"]);
  });
});

describe("a Blob that cannot be read any more", () => {
  it("is a failure of the file system, not an absent object", async () => {
    const stale = blob(1, 2, 3);
    stale.arrayBuffer = () => Promise.reject(new DOMException("changed on disk", "NotReadableError"));
    expect((await expectFailure(blobStore([["k", stale]]).get("k"), "FileSystem")).message).toContain("changed");
  });
});

describe("a memory store", () => {
  it("takes pairs, maps and plain objects, and names that are special to objects", async () => {
    const bytes = Uint8Array.of(7);
    for (const store of [
      memoryStore([["a/b", bytes]]),
      memoryStore(new Map([["a/b", bytes]])),
      memoryStore({ "a/b": bytes }),
    ]) {
      expect(await store.get("a/b")).toEqual(bytes);
    }
    await expectFailure(memoryStore({}).get("constructor"), "NotFound");
    expect(await memoryStore([["__proto__", bytes]]).get("__proto__")).toEqual(bytes);
  });

  it("can be changed, and is not changed through the arrays it was given", async () => {
    const store = memoryStore();
    const bytes = Uint8Array.of(1, 2, 3).subarray(1);
    store.set("k", bytes);
    bytes.fill(9);
    expect(await store.get("k")).toEqual(Uint8Array.of(2, 3));
    store.set("k", Uint8Array.of(4));
    expect(await store.get("k")).toEqual(Uint8Array.of(4));
    expect([store.delete("k"), store.delete("k")]).toEqual([true, false]);
    await expectFailure(store.get("k"), "NotFound");
    expectThrown(() => store.set("../k", bytes), "InvalidArgument");
  });
});
