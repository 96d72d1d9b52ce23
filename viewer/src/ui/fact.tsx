/** A fact by its name, in a list of them (`<dl class="facts">`). */
import { Inert } from "./inert.js";

/** Longer facts are cut on screen. */
const MOST = 80;

/** The fact. */
export function Fact({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Inert text={text} most={MOST} />
      </dd>
    </div>
  );
}
