/** A dataset at work: fields, the view of one, the timeline, and what is known of what is on screen. */
import { useLayoutEffect } from "preact/hooks";
import type { Dataset, FieldInfo } from "dreamdb-arrays";
import { anchorsOf, type FieldAnchors, holdsAt } from "../data/anchors.js";
import { viewFor } from "../data/views.js";
import { visible } from "../data/visible.js";
import { lastOf, type Reading, useReading } from "../reading.js";
import { link } from "../state/link.js";
import { track } from "../state/playhead.js";
import { BytesPanel } from "./bytes.js";
import { ExportPanel } from "./export.js";
import { FieldHead } from "./field-head.js";
import { FieldList } from "./field-list.js";
import { StatisticsPanel } from "./statistics.js";
import { Timeline } from "./timeline/timeline.js";
import { ViewFrame } from "./view-frame.js";

/** The workspace of one version of a dataset. */
export function Workspace({ ds }: { readonly ds: Dataset }) {
  const { field, from, to } = link.value;
  const info = ds.fields.find(({ name }) => name === field) ?? ds.fields.find((one) => viewFor(one, undefined) !== undefined) ?? ds.fields[0];
  const isAnchored = info !== undefined && info.trackKind !== "constant" && viewFor(info, undefined) !== undefined;
  const window = from !== undefined && to !== undefined && from < to ? { start: from, end: to } : undefined;
  const reading = useReading([ds, info], [window?.start, window?.end], async (signal): Promise<FieldAnchors | undefined> => {
    return info === undefined || !isAnchored ? undefined : anchorsOf(ds, info, window, signal);
  });
  const anchors = lastOf(reading);
  useLayoutEffect(() => {
    document.title = `${info === undefined ? "" : `${visible(info.name)} · `}DreamDB viewer`.slice(-80);
  }, [info]);
  // Before anything is painted: a key that is pressed the moment it is seen finds it.
  useLayoutEffect(() => {
    track.value = anchors;
  }, [anchors]);
  return (
    <div class="workspace">
      <FieldList ds={ds} chosen={info?.name} />
      <main id="view" tabIndex={-1}>
        {info === undefined ? <p>The dataset has no fields.</p> : <Field ds={ds} info={info} isAnchored={isAnchored} reading={reading} />}
      </main>
      <aside class="side" aria-label="What is on screen">
        <StatisticsPanel />
        <ExportPanel />
        <BytesPanel />
      </aside>
      <Timeline ds={ds} chosen={info} />
    </div>
  );
}

interface FieldProps {
  readonly ds: Dataset;
  readonly info: FieldInfo;
  readonly isAnchored: boolean;
  readonly reading: Reading<FieldAnchors | undefined>;
}

function Field({ ds, info, isAnchored, reading }: FieldProps) {
  const anchors = lastOf(reading);
  const at = link.value.anchor ?? info.coverage.start;
  const anchor = anchors === undefined ? undefined : holdsAt(anchors, at);
  return (
    <>
      <FieldHead info={info} anchors={anchors} anchor={anchor} playhead={isAnchored ? at : undefined} />
      <ViewFrame ds={ds} info={info} isAnchored={isAnchored} reading={reading} anchor={anchor} />
    </>
  );
}
