/** What is on screen as a file, or in the clipboard. */
import { useState } from "preact/hooks";
import { toNpy } from "dreamdb-arrays";
import { csvPieces, tsvOf } from "../data/csv.js";
import { fileName } from "../data/file-name.js";
import { sidecarOf } from "../data/sidecar.js";
import { shown, type Shown } from "../state/shown.js";
import { announce } from "../ui/announce.js";
import { FailureCard } from "../ui/failure-card.js";

/** Buttons for each form that what is on screen has. */
export function ExportPanel() {
  const now = shown.value;
  const [refused, setRefused] = useState<Shown>();
  const [failure, setFailure] = useState<{ readonly of: Shown; readonly error: unknown }>();
  const run = (of: Shown, work: () => Promise<void> | void) => () => {
    setFailure(undefined);
    setRefused(undefined);
    Promise.resolve()
      .then(work)
      .catch((error: unknown) => setFailure({ of, error }));
  };
  return (
    <section aria-label="Export" class="export">
      <h2>Export</h2>
      {now === undefined ? (
        <p class="note">Nothing is on screen.</p>
      ) : (
        <p class="buttons">
          {now.array !== undefined && <Save label=".npy" press={run(now, () => saveNpy(now))} />}
          {now.table !== undefined && <Save label=".csv" press={run(now, () => saveCsv(now))} />}
          {now.table !== undefined && <Save label="Copy table" press={run(now, async () => setRefused((await copyTable(now)) ? undefined : now))} />}
          {(now.array ?? now.table) !== undefined && <Save label="Type document (.json)" press={run(now, () => saveSidecar(now))} />}
          {now.picture !== undefined && <Save label="PNG" press={run(now, () => savePicture(now))} />}
          {now.file !== undefined && <Save label={`Stored bytes (.${now.file.extension})`} press={run(now, () => saveFile(now))} />}
        </p>
      )}
      {refused !== undefined && refused === now && (
        <p class="refused" role="alert">
          The browser does not let this page write to the clipboard. The .csv file has the same table.
        </p>
      )}
      {failure !== undefined && failure.of === now && <FailureCard error={failure.error} />}
    </section>
  );
}

function Save({ label, press }: { readonly label: string; press(): void }) {
  return (
    <button type="button" onClick={press}>
      {label}
    </button>
  );
}

function saveNpy(now: Shown): void {
  if (now.array !== undefined) save(now, new Blob([toNpy(now.array)], { type: "application/octet-stream" }), "npy");
}

/** Units and axes stand in the names of columns: a line of their own would be no CSV. */
function saveCsv(now: Shown): void {
  if (now.table !== undefined) save(now, new Blob(csvPieces(now.table.names, now.table.lines()), { type: "text/csv" }), "csv");
}

/** What the others cannot say of units, axes and the Item, in a file of the same name beside them. */
function saveSidecar(now: Shown): void {
  save(now, new Blob([sidecarOf(now), "\n"], { type: "application/json" }), "json");
}

/** Whether the browser let it be copied: it may refuse, and offers no clipboard at all to pages that came unencrypted. */
async function copyTable(now: Shown): Promise<boolean> {
  if (now.table === undefined) return true;
  const text = tsvOf(now.table.names, now.table.lines());
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return false;
  }
  announce("The table was copied");
  return true;
}

async function savePicture(now: Shown): Promise<void> {
  if (now.picture !== undefined) save(now, await now.picture(), "png");
}

function saveFile(now: Shown): void {
  if (now.file !== undefined) save(now, new Blob([now.file.bytes], { type: "application/octet-stream" }), now.file.extension);
}

/** Long enough for any browser to have begun with it. */
const FREE_AFTER_MS = 10_000;

function save(now: Shown, blob: Blob, extension: string): void {
  const name = fileName(now, extension);
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), FREE_AFTER_MS);
  announce(`${name} was saved`);
}
