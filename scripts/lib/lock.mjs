/**
 * One at a time, across processes: a lock file that outlives neither its holder nor a crash.
 *
 * The holder touches the file while it works. A lock is stale when its process is gone from this machine, or when nobody has touched
 * it for a minute (its holder may have lived in a container that shares the folder).
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const SILENT_MS = 60_000;
const me = JSON.stringify({ pid: process.pid, host: hostname() });

/**
 * Do `work` while holding the lock at `path`.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {() => void} [waiting] called once if somebody else holds it
 * @returns {Promise<T>}
 */
export async function withLock(path, work, waiting) {
  mkdirSync(dirname(path), { recursive: true });
  for (let told = false; !acquire(path); ) {
    if (!told) waiting?.();
    told = true;
    await sleep(250);
  }
  const release = () => rmSync(path, { force: true });
  const beat = setInterval(() => touch(path), SILENT_MS / 6);
  beat.unref();
  process.once("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.removeListener("exit", release);
    release();
  }
}

/** @param {string} path */
function acquire(path) {
  return create(path) || (removeStale(path) && create(path));
}

/** @param {string} path */
function create(path) {
  try {
    writeFileSync(path, me, { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    return false;
  }
}

/**
 * Renaming is what decides between two that found the same stale lock: only one of them has it then, and it must be the one both saw.
 * @param {string} path
 */
function removeStale(path) {
  const holder = look(path);
  if (holder === undefined || !isStale(holder)) return false;
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, "utf8") === holder.text) rmSync(aside, { force: true });
    else renameSync(aside, path);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} path */
function look(path) {
  try {
    return { text: readFileSync(path, "utf8"), touched: statSync(path).mtimeMs };
  } catch {
    return undefined;
  }
}

/** @param {{ text: string, touched: number }} holder */
function isStale(holder) {
  if (Date.now() - holder.touched > SILENT_MS) return true;
  try {
    const { pid, host } = JSON.parse(holder.text);
    if (host !== hostname()) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "ESRCH";
  }
}

/** @param {string} path */
function touch(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Somebody took the lock for stale; the work itself ends in an atomic rename, so nothing is lost.
  }
}
