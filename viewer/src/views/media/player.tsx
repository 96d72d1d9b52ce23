/** Sound and film, with the controls of the browser; they begin when a person says so. */
import { useState } from "preact/hooks";
import type { MediaItem } from "dreamdb-arrays";
import { countText } from "../../data/numbers.js";
import { visible } from "../../data/visible.js";
import { Inert } from "../../ui/inert.js";
import { Broken } from "./image-frame.js";

interface Props {
  readonly item: MediaItem;
  readonly type: string;
  readonly url: string;
  readonly field: string;
}

/** The player. */
export function Player({ item, type, url, field }: Props) {
  const [seen, setSeen] = useState<{ readonly url: string; readonly text?: string }>();
  const now = seen?.url === url ? seen : undefined;
  if (now !== undefined && now.text === undefined) return <Broken item={item} type={type} field={field} />;
  const label = `${visible(field)} at anchor ${item.anchor}`;
  const common = {
    src: url,
    controls: true,
    preload: "metadata",
    "aria-label": label,
    // The browser's controls have arrow keys of their own.
    "data-own-keys": true,
    onError: () => setSeen({ url }),
  } as const;
  // What was recorded as it came says nowhere how long it is: a browser finds out later than the rest.
  const onLength = ({ currentTarget: player }: { readonly currentTarget: HTMLMediaElement }): void => {
    if (player.readyState < HTMLMediaElement.HAVE_METADATA) return;
    told(player.duration, player instanceof HTMLVideoElement ? `, ${player.videoWidth} × ${player.videoHeight} pixels` : "");
  };
  const told = (duration: number, more: string): void => setSeen({ url, text: `${Number.isFinite(duration) ? `${Number(duration.toFixed(3))} s` : "length not known"}${more}` });
  return (
    <figure class="media-frame">
      {item.kind === "audio" ? (
        <audio {...common} onLoadedMetadata={onLength} onDurationChange={onLength} />
      ) : (
        <video {...common} class="fit" onLoadedMetadata={onLength} onDurationChange={onLength} />
      )}
      <figcaption class="note">
        <span data-media="size">{now?.text ?? ""}</span> · <Inert text={type} most={60} /> · <span data-media="bytes">{countText(item.bytes.byteLength)}</span> bytes · {item.form}
      </figcaption>
    </figure>
  );
}
