/** An Item of media as it is: an image pixel by pixel, sound and film with the browser's own controls. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { DreamDbError, type MediaFieldInfo, type MediaItem } from "dreamdb-arrays";
import { bytesText } from "../../data/numbers.js";
import { lastOf, useReading } from "../../reading.js";
import { indexOf } from "../../state/playhead.js";
import { Read } from "../../ui/read.js";
import { useBusy, useShown, type ViewProps } from "../props.js";
import { Ahead, countFor, nextAnchors } from "./ahead.js";
import { type Decoded, ImageFrame, pictureOf } from "./image-frame.js";
import { extensionOf, mediaType } from "./mime.js";
import { Player } from "./player.js";
import { Urls } from "./urls.js";
import "./media.css";

/** The view. */
export function Media({ ds, info, anchors, anchor }: ViewProps<MediaFieldInfo>) {
  const ahead = useMemo(() => new Ahead(ds.media(info.name)), [ds, info]);
  const urls = useMemo(() => new Urls(), [ds, info]);
  useEffect(() => () => {
    ahead.close();
    urls.close();
  }, [ahead, urls]);
  const reading = useReading([ds, info], [anchor], (signal) => read(info, anchor, ahead, urls, signal));
  useBusy(reading.state === "reading");
  const value = reading.state === "value" ? reading.value : undefined;
  const kept = lastOf(reading);
  const before = useRef(0);
  useEffect(() => {
    // Only once what is looked at is there: nothing may come before that.
    if (value === undefined || anchors === undefined || anchor === undefined) return;
    const at = indexOf(anchors, anchor);
    const direction = at < before.current ? -1 : 1;
    before.current = at;
    ahead.want(nextAnchors(anchors.live, at, direction, countFor(value.item.bytes.byteLength)));
  }, [value]);
  useShown(
    () =>
      kept === undefined
        ? undefined
        : {
            info,
            anchor: kept.item.anchor,
            what: `${mediaType(info)}, ${bytesText(kept.item.bytes.byteLength)}`,
            file: { bytes: kept.item.bytes, extension: extensionOf(info) },
            verified: kept.item.verified,
            picture: kept.decoded.state === "image" ? pictureOf(kept.decoded) : undefined,
          },
    [kept],
  );
  return (
    <Read reading={reading}>
      {({ item, url, decoded }) =>
        info.kind === "image" ? <ImageFrame item={item} type={mediaType(info)} url={url} decoded={decoded} field={info.name} /> : <Player item={item} type={mediaType(info)} url={url} field={info.name} />
      }
    </Read>
  );
}

interface Opened {
  readonly item: MediaItem;
  readonly url: string;
  readonly decoded: Decoded;
}

/** The Item, decoded where it is an image: it takes the place of the one before when it can be seen. */
async function read(info: MediaFieldInfo, anchor: bigint | undefined, ahead: Ahead, urls: Urls, signal: AbortSignal): Promise<Opened> {
  const item = anchor === undefined ? undefined : await ahead.take(anchor, signal);
  if (item === undefined) {
    throw new DreamDbError("NotFound", `field ${JSON.stringify(info.name)} has no Item here`, { field: info.name, ...(anchor === undefined ? {} : { anchor }) });
  }
  signal.throwIfAborted();
  const url = urls.of(item.bytes, mediaType(info));
  if (info.kind !== "image") return { item, url, decoded: { state: "other" } };
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return { item, url, decoded: { state: "image", image, width: image.naturalWidth, height: image.naturalHeight } };
  } catch {
    signal.throwIfAborted();
    return { item, url, decoded: { state: "broken" } };
  }
}
