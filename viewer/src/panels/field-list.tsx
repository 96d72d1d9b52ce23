/** All fields, with what is declared of each. */
import { useEffect, useRef } from "preact/hooks";
import type { Dataset, FieldInfo } from "dreamdb-arrays";
import { familyText, storageText, typeText, unitsText } from "../data/describe.js";
import { onKey } from "../keys.js";
import { go, link } from "../state/link.js";
import { playing } from "../state/playhead.js";
import { announce } from "../ui/announce.js";
import { visible } from "../data/visible.js";
import { Inert } from "../ui/inert.js";
import { reveal } from "../ui/reveal.js";

/** Goes to a field, and keeps the anchor at which the dataset is looked at. */
export function goToField(name: string): void {
  playing.value = false;
  go({ field: name, view: undefined, choices: {} }, true);
  announce(`Field ${visible(name)}`);
}

/** The fields of a dataset. */
export function FieldList({ ds, chosen }: { readonly ds: Dataset; readonly chosen: string | undefined }) {
  useEffect(() => {
    const by = (places: number) => () => {
      const at = ds.fields.findIndex(({ name }) => name === (link.peek().field ?? chosen));
      const next = ds.fields[at + places];
      if (next !== undefined) goToField(next.name);
    };
    const ends = [onKey("[", by(-1)), onKey("]", by(1))];
    return () => ends.forEach((end) => end());
  }, [ds, chosen]);
  const [nav, list] = [useRef<HTMLElement>(null), useRef<HTMLUListElement>(null)];
  useEffect(() => {
    const entry = list.current?.querySelector("[aria-current]");
    // The one of them scrolls that has no room.
    reveal(nav.current, entry);
    reveal(list.current, entry);
  }, [chosen]);
  return (
    <nav class="fields" aria-label="Fields" ref={nav}>
      <h2>Fields</h2>
      <ul ref={list}>
        {ds.fields.map((info) => (
          <li key={info.name}>
            <button type="button" aria-current={info.name === chosen ? "true" : undefined} onClick={() => goToField(info.name)}>
              <Entry info={info} />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Entry({ info }: { readonly info: FieldInfo }) {
  return (
    <>
      <strong>
        <Inert text={info.name} most={40} />
      </strong>
      <span class="type">
        <Inert text={`${typeText(info)}${unitsText(info)}`} most={48} />
      </span>
      <span class="kind">
        {familyText(info)} · {storageText(info)}
      </span>
    </>
  );
}
