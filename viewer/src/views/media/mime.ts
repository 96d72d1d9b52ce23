/** Types of media, as the schema declares them, in the words of browsers. */
import type { MediaFieldInfo } from "dreamdb-arrays";

/** Subtypes whose name has signs that a schema's tag cannot, or that have another name. */
const SPELT: Readonly<Record<string, string>> = { svg: "svg+xml", svg_xml: "svg+xml", jpg: "jpeg", tif: "tiff" };

/** `image/png`. Only what is declared: bytes are not looked at. */
export function mediaType({ kind, mime }: Pick<MediaFieldInfo, "kind" | "mime">): string {
  return `${kind}/${SPELT[mime] ?? mime}`;
}

/** Ending of a file of it: `png`, `svg`. */
export function extensionOf({ mime }: Pick<MediaFieldInfo, "mime">): string {
  return mime.split("_")[0]?.replaceAll(/[^a-z0-9]/g, "") || "bin";
}
