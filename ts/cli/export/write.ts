/** Content in a format, to standard output, a file, or a folder with a file for each Item. */
import { mkdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DreamDbError } from "../../errors.js";
import { placeFor, type Sink, writeWhole } from "../manners/files.js";
import { inert } from "../manners/inert.js";
import type { Output } from "../manners/output.js";
import { npy, npz } from "./arrays.js";
import { type Content, onlyOf, singlesOf } from "./contents.js";
import { csv } from "./csv.js";
import type { Format, Target } from "./formats.js";
import { json } from "./json.js";

/** Where it goes, and what that is. */
export interface Place {
  readonly target: Target;
  /** Of a file or a folder. */
  readonly path: string;
}

/**
 * What `-o` means: nothing and `-` are standard output; what ends with a slash, or is a folder already, a folder.
 *
 * @throws {UsageError} for a file in a folder that is not there
 */
export async function placeOf(given: string | undefined): Promise<Place> {
  if (given === undefined || given === "-") return { target: "stdout", path: "" };
  const found = await stat(given).catch(() => undefined);
  if (found === undefined && !/[/\\]$/.test(given)) await placeFor(given);
  return { target: found?.isDirectory() === true || /[/\\]$/.test(given) ? "folder" : "file", path: given };
}

/** Writes all of it. */
export async function write(content: Content, format: Format, { target, path }: Place, output: Output): Promise<void> {
  if (target === "stdout") {
    const clean = output.isTerminal ? inert : undefined;
    await writeAs(content, format, { write: (data) => output.write(data) }, tmpdir(), clean);
  } else if (target === "file") {
    await writeWhole(path, (sink) => writeAs(content, format, sink, dirname(path)));
  } else {
    await mkdir(path, { recursive: true });
    if (content.family === "text" || content.family === "scalar") throw new DreamDbError("Internal", "no folder is made of one thing");
    const extension = content.family === "bytes" && format === "raw" ? content.extension : format;
    for await (const [anchor, item] of singlesOf(content)) {
      await writeWhole(join(path, `${anchor}.${extension}`), (sink) => writeAs(item, format, sink, path));
    }
  }
}

/** @param clean makes texts harmless, where a terminal shows them */
async function writeAs(content: Content, format: Format, sink: Sink, room: string, clean?: (text: string) => string): Promise<void> {
  switch (format) {
    case "npy":
      return await npy(content, sink);
    case "npz":
      return await npz(content, sink, room);
    case "csv":
      return await csv(content, sink, clean ?? ((text) => text));
    case "json":
    case "jsonl":
      return await json(content, sink, format === "jsonl");
    case "raw":
      return await raw(content, sink, clean);
  }
}

async function raw(content: Content, sink: Sink, clean?: (text: string) => string): Promise<void> {
  if (content.family === "text") {
    // Exactly the text, but for a person, whose next prompt should begin on a line of its own.
    await sink.write(clean === undefined ? content.bytes : `${content.text.replace(/\n$/, "").split("\n").map(clean).join("\n")}\n`);
  } else if (content.family === "bytes") {
    const batch = await onlyOf(content);
    for (const bytes of batch?.items ?? []) await sink.write(bytes);
  } else throw new DreamDbError("Internal", `what is ${content.family} has no bytes of its own`);
}
