/** What can be chosen of points. */
import type { Dataset } from "dreamdb-arrays";
import { choose, link } from "../../state/link.js";
import { visible } from "../../data/visible.js";
import type { Colouring } from "./cloud.js";
import { faceFields } from "./faces.js";

interface Props {
  readonly ds: Dataset;
  readonly possible: readonly Colouring[];
  readonly colouring: Colouring;
  readonly size: number;
  readonly sizes: readonly number[];
  readonly isMesh: boolean;
  readonly isFlat: boolean;
}

/** The choices. Which field has faces nothing declares, so none is chosen until a person does. */
export function PointsControls({ ds, possible, colouring, size, sizes, isMesh, isFlat }: Props) {
  const fields = faceFields(ds.fields);
  return (
    <>
      <label>
        Colour{" "}
        <select value={colouring} onChange={({ currentTarget }) => choose("colour", currentTarget.value)}>
          {possible.map((one) => (
            <option value={one}>{one === "none" ? "one" : `by ${one}`}</option>
          ))}
        </select>
      </label>
      <label>
        Points{" "}
        <select value={String(size)} onChange={({ currentTarget }) => choose("size", currentTarget.value)}>
          {isMesh && <option value="0">hidden</option>}
          {sizes.map((one) => (
            <option value={String(one)}>{one} px</option>
          ))}
        </select>
      </label>
      <label title="A field of integers, declared [f, 3], whose rows are taken for the corners of faces">
        Faces{" "}
        <select value={link.value.choices["topology"] ?? ""} disabled={fields.length === 0} onChange={({ currentTarget }) => choose("topology", currentTarget.value || undefined)}>
          <option value="">{fields.length === 0 ? "no field can be" : "none"}</option>
          {fields.map(({ name, trackKind }) => (
            <option value={name}>
              {visible(name).slice(0, 60)}
              {trackKind === "constant" ? "" : " (at the playhead)"}
            </option>
          ))}
        </select>
      </label>
      {isMesh && (
        <label>
          Shading{" "}
          <select value={isFlat ? "flat" : "smooth"} onChange={({ currentTarget }) => choose("shading", currentTarget.value)}>
            <option value="flat">flat</option>
            <option value="smooth">smooth</option>
          </select>
        </label>
      )}
    </>
  );
}
