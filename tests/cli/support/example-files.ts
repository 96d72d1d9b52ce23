/** The files that examples of the documentation speak of, beside `episode` and `episodes`, copies of the fixture of that name. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codec, openDataset } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { fixture } from "./program.js";

/** Puts them into a folder. */
export async function filesOfExamples(folder: string): Promise<void> {
  const put = async (path: string, bytes: Uint8Array | string) => {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), bytes);
  };
  const pose = { dtype: "f32", shape: [4, 4], semanticType: "pose", units: "m", frame: "camera" } as const;
  await put("pose.json", JSON.stringify(pose));
  for (let at = 0; at < 3; at++) await put(`poses/${String(at).padStart(4, "0")}.npy`, codec.encodeNpy(pose, Float32Array.from({ length: 16 }, (_, i) => at + i / 16)));
  for (const anchor of [1000, 2000]) await put(`depth/${anchor}.npy`, codec.encodeNpy({ dtype: "u16", shape: [4, 6] }, Uint16Array.from({ length: 24 }, (_, i) => anchor + i)));
  await put("imu.npy", codec.encodeNpy({ dtype: "f32", shape: [5, 6] }, Float32Array.from({ length: 30 }, (_, i) => i / 8)));

  const images = (await openDataset(fsStore(fixture("episode")))).media("image");
  const pictures = await images.readMany((await images.anchors()).subarray(0, 2));
  for (const [at, outcome] of pictures.entries()) {
    if (outcome.status !== "value") throw new Error("the fixture has no such image");
    for (const path of [`${at + 1}000.png`, `frames/${at + 1}000.png`]) await put(path, outcome.value.bytes);
  }
  await cp(new URL("../../../vectors/0022/fragment-pack/entries.json", import.meta.url), join(folder, "mine.json"));
  await put("part.bin", "what a part is made of\n");
}
