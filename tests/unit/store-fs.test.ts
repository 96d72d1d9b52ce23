/** The folder store: nothing outside the folder, and the system's failures told apart. */

import { chmod, mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { fsStore } from "dreamdb-arrays/fs";
import { pattern } from "../support/bytes.js";
import { expectFailure, expectRejection } from "../support/failure.js";
import { put, testDir } from "../support/temp-dir.js";

/** Descriptors that this process holds open below `dir`; undefined where the system does not tell. */
async function openBelow(dir: string): Promise<number | undefined> {
  const { readlink } = await import("node:fs/promises");
  try {
    const links = (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ""));
    return (await Promise.all(links)).filter((path) => path.startsWith(dir)).length;
  } catch {
    return undefined;
  }
}

describe("a folder", () => {
  it("is named by path or file URL, absolute from then on", async () => {
    const dir = await testDir();
    await put(dir, "a b/%25", "x");
    for (const store of [fsStore(dir), fsStore(pathToFileURL(dir)), fsStore(`${dir}/`)]) {
      expect(await store.get("a b/%25")).toEqual(Uint8Array.of(120));
      expect(store.describe("a b/%25")).toBe(join(dir, "a b/%25"));
    }
    expect(fsStore("data").describe("k")).toBe(join(process.cwd(), "data", "k"));
  });

  it("is not left by any key", async () => {
    const dir = await testDir();
    await put(dir, "secret", "x");
    await put(dir, "inside/k", "x");
    const store = fsStore(join(dir, "inside"));
    for (const key of ["../secret", "a/../../secret", "/etc/passwd", join(dir, "secret"), "k/", "./k", "", "k\0"]) {
      await expectFailure(store.get(key), "InvalidArgument");
      await expectFailure(store.getRange(key, 0, 1), "InvalidArgument");
    }
  });

  it("may hold links, which are followed", async () => {
    const dir = await testDir();
    await put(dir, "elsewhere", "x");
    await mkdir(join(dir, "inside"));
    await symlink(join(dir, "elsewhere"), join(dir, "inside/link"));
    expect(await fsStore(join(dir, "inside")).get("link")).toEqual(Uint8Array.of(120));
  });
});

describe("a failure", () => {
  it("is absence only if nothing is there to read", async () => {
    const dir = await testDir();
    await put(dir, "folder/file", "x");
    const store = fsStore(dir);
    for (const key of ["x", "x/y", "folder", "folder/file/x"]) {
      expect(await expectFailure(store.get(key), "NotFound")).toMatchObject({ key, subject: join(dir, key) });
      await expectFailure(store.getRange(key, 0, 4), "NotFound");
    }
    await expectFailure(fsStore(join(dir, "nowhere")).get("k"), "NotFound");
  });

  it("is absence also for a folder whose size is 0, as some file systems have it", async () => {
    await expectFailure(fsStore("/proc").get("sys"), "NotFound");
    expect(await fsStore("/proc").getRange("self/status", 0, 5)).toEqual(new TextEncoder().encode("Name:"));
  });

  it("keeps the system's error", async () => {
    const dir = await testDir();
    await symlink("loop", join(dir, "loop"));
    const error = await expectFailure(fsStore(dir).get("loop"), "FileSystem");
    expect(error.cause).toMatchObject({ code: "ELOOP" });
  });

  it("of permission is Forbidden", async () => {
    const dir = await testDir();
    await chmod(dir, 0o755);
    await put(dir, "k", "x");
    await chmod(join(dir, "k"), 0);
    await asOrdinaryUser(() => expectFailure(fsStore(dir).get("k"), "Forbidden"));
  });

  it("of length tells what is there, without memory for what is not", async () => {
    const dir = await testDir();
    await put(dir, "k", pattern(10));
    const before = process.memoryUsage().arrayBuffers;
    const error = await expectFailure(fsStore(dir).getRange("k", 4, 4 * 1024 ** 3), "BodyLength");
    expect(error).toMatchObject({ expected: String(4 * 1024 ** 3), actual: "6" });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1e6);
    expect(await expectFailure(fsStore(dir).getRange("k", 8, 5), "BodyLength")).toMatchObject({ expected: "5", actual: "2" });
  });

  it("leaves no file open, nor does a read or an abort", async () => {
    const dir = await testDir();
    await put(dir, "k", pattern(5_000_000));
    await mkdir(join(dir, "folder"));
    const store = fsStore(dir);
    await store.get("k");
    await expectRejection(store.get("folder"));
    await expectRejection(store.getRange("folder", 0, 4));
    await expectRejection(store.getRange("k", 4_999_999, 2));
    const controller = new AbortController();
    const read = expectRejection(store.get("k", { signal: controller.signal }));
    controller.abort();
    expect(await read).toBe(controller.signal.reason);
    await expect.poll(async () => (await openBelow(dir)) ?? 0).toBe(0);
  });
});

/** Run without the superuser's right to read everything, if that is who runs the tests. */
async function asOrdinaryUser(run: () => Promise<unknown>): Promise<void> {
  const NOBODY = 65534;
  const root = process.geteuid?.() === 0;
  if (root) process.seteuid?.(NOBODY);
  try {
    await run();
  } finally {
    if (root) process.seteuid?.(0);
  }
}
