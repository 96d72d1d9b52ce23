/** What is declared of the field that is shown: all of it, to read and to copy. */
import type { FieldInfo } from "dreamdb-arrays";
import { isArrayField } from "dreamdb-arrays";
import type { FieldAnchors } from "../data/anchors.js";
import { documentText, familyText, meaning, storageText, typeText } from "../data/describe.js";
import { countText } from "../data/numbers.js";
import { Copy } from "../ui/copy.js";
import { Fact } from "../ui/fact.js";
import { Inert } from "../ui/inert.js";

interface Props {
  readonly info: FieldInfo;
  readonly anchors: FieldAnchors | undefined;
  /** Anchor of the Item that is shown. */
  readonly anchor: bigint | undefined;
  /** Where the playhead stands. */
  readonly playhead: bigint | undefined;
}

const NAMES = { semanticType: "meaning", units: "units", frame: "frame", axisOrder: "axes" } as const;

/** The head of a field. */
export function FieldHead({ info, anchors, anchor, playhead }: Props) {
  return (
    <section class="field-head" aria-label="Field">
      <h2>
        <Inert text={info.name} most={80} />
      </h2>
      <dl class="facts">
        <Fact name="family" text={familyText(info)} />
        <Fact name="type" text={typeText(info)} />
        {meaning(info).map(([name, text]) => (
          <Fact name={NAMES[name]} text={text} />
        ))}
        <Fact name="kind/storage" text={storageText(info)} />
        {anchors !== undefined && <Fact name="Items" text={countText(anchors.count)} />}
        {anchors !== undefined && anchors.deleted.length > 0 && <Fact name="deleted" text={countText(anchors.deleted.length)} />}
        {anchor !== undefined && <Fact name="Item at" text={String(anchor)} />}
        {anchor !== undefined && playhead !== undefined && anchor !== playhead && <Fact name="playhead" text={String(playhead)} />}
      </dl>
      <details class="document">
        <summary>Type document and identity</summary>
        <dl>
          <dt>modality tag</dt>
          <dd>
            <code class="long">
              <Inert text={info.modality} most={2000} />
            </code>{" "}
            <Copy label="Copy the modality tag" text={info.modality} />
          </dd>
          {isArrayField(info) && [
            <dt>item type id</dt>,
            <dd>
              <code class="long">{info.itemId}</code> <Copy label="Copy the item type's id" text={info.itemId} />
            </dd>,
            <dt>document</dt>,
            <dd>
              <pre tabIndex={0}>
                <Inert text={documentText(info)} most={20_000} />
              </pre>
              <Copy label="Copy the type document" text={() => documentText(info)} />
            </dd>,
          ]}
        </dl>
      </details>
    </section>
  );
}
