/** The view of a field: which ones there are to choose from, and the one that was chosen. */
import { useEffect, useState } from "preact/hooks";
import type { Dataset, FieldInfo } from "dreamdb-arrays";
import type { FieldAnchors } from "../data/anchors.js";
import { TITLES, viewFor, type ViewName, viewsOf } from "../data/views.js";
import { onKey } from "../keys.js";
import type { Reading } from "../reading.js";
import { go, link } from "../state/link.js";
import { FailureCard } from "../ui/failure-card.js";
import { Read } from "../ui/read.js";
import type { ViewProps } from "../views/props.js";
import { LOADERS, type View } from "../views/registry.js";

interface Props {
  readonly ds: Dataset;
  readonly info: FieldInfo;
  readonly isAnchored: boolean;
  readonly reading: Reading<FieldAnchors | undefined>;
  readonly anchor: bigint | undefined;
}

/** Tabs of the views, and the view. */
export function ViewFrame({ ds, info, isAnchored, reading, anchor }: Props) {
  const { offered, possible } = viewsOf(info);
  const name = viewFor(info, link.value.view);
  useEffect(() => {
    const ends = [...offered, ...possible].map((view, at) => onKey(String(at + 1), () => go({ view, choices: {} })));
    return () => ends.forEach((end) => end());
  }, [info]);
  if (name === undefined) return <p class="note">Items of this kind can be listed, not read.</p>;
  return (
    <>
      <nav class="views" aria-label="Views">
        {offered.map((view) => (
          <ViewButton view={view} isChosen={view === name} />
        ))}
        {possible.length > 0 && <span class="label">also possible</span>}
        {possible.map((view) => (
          <ViewButton view={view} isChosen={view === name} />
        ))}
      </nav>
      {isAnchored ? (
        <Read reading={reading}>
          {(anchors) =>
            anchor === undefined ? (
              <p class="note">{anchors?.isWhole === false ? "No Item lies in this window." : "The field has no Items."}</p>
            ) : (
              <Loaded key={`${info.name}/${name}`} name={name} ds={ds} info={info} anchors={anchors} anchor={anchor} />
            )
          }
        </Read>
      ) : (
        <div class="read">
          <Loaded key={`${info.name}/${name}`} name={name} ds={ds} info={info} anchors={undefined} anchor={undefined} />
        </div>
      )}
    </>
  );
}

function ViewButton({ view, isChosen }: { readonly view: ViewName; readonly isChosen: boolean }) {
  const [title, purpose] = TITLES[view];
  return (
    <button type="button" aria-pressed={isChosen} title={purpose} onClick={() => go({ view, choices: {} })}>
      {title}
    </button>
  );
}

const loaded = new Map<ViewName, View>();

interface LoadedProps {
  readonly name: ViewName;
  readonly ds: Dataset;
  readonly info: FieldInfo;
  readonly anchors: FieldAnchors | undefined;
  readonly anchor: bigint | undefined;
}

function Loaded({ name, ...props }: LoadedProps) {
  const [state, setState] = useState<{ readonly view?: View | undefined; readonly error?: unknown }>({ view: loaded.get(name) });
  const load = (): void => {
    LOADERS[name]()
      .then((view) => loaded.set(name, view))
      .then(
        () => setState({ view: loaded.get(name) }),
        (error: unknown) => setState({ error }),
      );
  };
  useEffect(() => {
    if (!loaded.has(name)) load();
  }, [name]);
  if (state.error !== undefined) return <FailureCard error={state.error} retry={load} />;
  const Component = state.view;
  // viewsOf() offers a view for the kinds of fields that it can show.
  return Component === undefined ? <p class="waiting">Loading the view…</p> : <Component {...(props as ViewProps<never>)} />;
}
