/** An image on screen: each of its pixels as large as one chooses. */
import type { MediaItem } from "dreamdb-arrays";
import { countText } from "../../data/numbers.js";
import { choose, link } from "../../state/link.js";
import { FailureCard } from "../../ui/failure-card.js";
import { visible } from "../../data/visible.js";
import { Inert } from "../../ui/inert.js";

/** What became of an Item's bytes in the browser. */
export type Decoded =
  | { readonly state: "image"; readonly image: HTMLImageElement; readonly width: number; readonly height: number }
  | { readonly state: "broken" }
  /** Sound and film, which a player decodes as it goes. */
  | { readonly state: "other" };

interface Props {
  readonly item: MediaItem;
  readonly type: string;
  readonly url: string;
  readonly decoded: Decoded;
  readonly field: string;
}

const ZOOMS = ["fit", "1", "2", "4", "8"] as const;

/** The image, with its size. Drawings run as images alone, so that nothing in them acts. */
export function ImageFrame({ item, type, url, decoded, field }: Props) {
  if (decoded.state !== "image") return <Broken item={item} type={type} field={field} />;
  const { width, height } = decoded;
  const zoom = ZOOMS.find((one) => one === link.value.choices["zoom"]) ?? "fit";
  const size = zoom === "fit" ? undefined : { width: `${width * Number(zoom)}px`, height: `${height * Number(zoom)}px` };
  return (
    <figure class="media-frame">
      <div class="media-zoom" role="group" aria-label="Zoom">
        {ZOOMS.map((one) => (
          <button type="button" class="small" aria-pressed={one === zoom} onClick={() => choose("zoom", one === "fit" ? undefined : one)}>
            {one === "fit" ? "Fit" : `${one}×`}
          </button>
        ))}
      </div>
      <div class="media-paper" tabIndex={0} role="group" aria-label="The image">
        <img class={zoom === "fit" ? "media-image fit" : "media-image"} src={url} alt={`${visible(field)} at anchor ${item.anchor}`} style={size ?? { width: "", height: "" }} draggable={false} />
      </div>
      <figcaption class="note">
        <span data-media="size">
          {width} × {height}
        </span>{" "}
        pixels · <Inert text={type} most={60} /> · <span data-media="bytes">{countText(item.bytes.byteLength)}</span> bytes · {item.form}
      </figcaption>
    </figure>
  );
}

/** An Item that the browser cannot show. Its bytes are what was stored all the same. */
export function Broken({ item, type, field }: { readonly item: MediaItem; readonly type: string; readonly field: string }) {
  const count = item.bytes.byteLength;
  const error = new Error(`the ${count} bytes of ${JSON.stringify(field)} at anchor ${item.anchor} are no ${type} that this browser can decode`);
  error.name = "NotDecodable";
  return (
    <>
      <FailureCard error={error} />
      <p class="note">
        {item.verified === "none" ? "Nothing says whether they are" : "They are"} the <span data-media="bytes">{countText(count)}</span> bytes that were stored; Export saves them as they are.
      </p>
    </>
  );
}

/** The image as a PNG, in its own size. */
export function pictureOf({ image, width, height }: Decoded & { readonly state: "image" }): () => Promise<Blob> {
  return () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.max(1, width), Math.max(1, height)];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob === null ? reject(new Error("the browser made no picture")) : resolve(blob)), "image/png");
    });
  };
}
