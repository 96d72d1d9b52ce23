/** Ways in: a URL, or a folder of this computer. */
import { useRef, useState } from "preact/hooks";
import { blobStore, DreamDbError } from "dreamdb-arrays";
import { isFolder } from "../data/address.js";
import { folderStore, type PickedFolder } from "../state/folder.js";
import { link } from "../state/link.js";
import { openFolder, openUrl, session } from "../state/session.js";
import { FailureCard } from "../ui/failure-card.js";
import { Inert } from "../ui/inert.js";

type Picker = () => Promise<PickedFolder>;

/** Asks for a dataset. */
export function Opener() {
  const now = session.value;
  const [url, setUrl] = useState(now.state === "failed" && !isFolder(now.source) ? now.source : "");
  const [ref, setRef] = useState(link.value.ref ?? "main");
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<unknown>();
  const isPicking = useRef(false);
  const pick = async (): Promise<void> => {
    const picker = (globalThis as { showDirectoryPicker?: Picker }).showDirectoryPicker;
    if (picker === undefined) {
      input.current?.click();
      return;
    }
    // A second dialog beside the first is refused, which is nobody's failure.
    if (isPicking.current) return;
    isPicking.current = true;
    setRefused(undefined);
    try {
      const folder = await picker();
      openFolder(folder.name, folderStore(folder), ref, true);
    } catch (error) {
      const name = error instanceof Error ? error.name : "";
      // A page in another's frame has the other way only.
      if (name === "SecurityError") input.current?.click();
      // Closing the picker is no failure.
      else if (name !== "AbortError") setRefused(new DreamDbError("Forbidden", `the browser does not let this page read the folder (${String(error)})`, { cause: error }));
    } finally {
      isPicking.current = false;
    }
  };
  return (
    <section class="opener" aria-labelledby="open-title">
      <h2 id="open-title">Open a dataset</h2>
      {now.state === "unpicked" && (
        <p role="status">
          The link is to the folder <Inert text={now.folder} /> of a computer. Pick it again: pages keep no access to folders.
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (url !== "") openUrl(url, ref);
        }}
      >
        <label>
          URL of its root
          <input type="url" required placeholder="https://host/dataset" value={url} onInput={({ currentTarget }) => setUrl(currentTarget.value)} />
        </label>
        <label>
          Ref
          <input value={ref} required onInput={({ currentTarget }) => setRef(currentTarget.value)} />
        </label>
        <button type="submit">Open the URL</button>
        <button type="button" onClick={() => void pick()}>
          Open a folder…
        </button>
        <input
          ref={input}
          type="file"
          class="unseen"
          tabIndex={-1}
          aria-hidden="true"
          data-testid="folder"
          {...{ webkitdirectory: true }}
          onChange={({ currentTarget: { files } }) => {
            if (files !== null && files.length > 0) openFolder(files[0]?.webkitRelativePath.split("/")[0] ?? "folder", blobStore(files), ref, false);
          }}
        />
      </form>
      {refused !== undefined && <FailureCard error={refused} isOfFolder retry={() => void pick()} />}
      <p class="note">Everything is read by this page, from there and from nowhere else; the server must allow it (CORS).</p>
    </section>
  );
}
