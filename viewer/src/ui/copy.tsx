/** A button that copies a text. */
import { useState } from "preact/hooks";
import { announce } from "./announce.js";

/** Copies; says so where the button was pressed, and to screen readers. */
export function Copy({ text, label }: { readonly text: string | (() => string); readonly label: string }) {
  const [outcome, setOutcome] = useState("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      setOutcome("Copied");
      announce(`${label}: copied`);
    } catch {
      setOutcome("Not allowed");
      announce(`${label}: the browser does not allow it`);
    }
    setTimeout(() => setOutcome(""), 1500);
  };
  return (
    <button type="button" class="small" aria-label={label} onClick={() => void copy()}>
      {outcome === "" ? "Copy" : outcome}
    </button>
  );
}
