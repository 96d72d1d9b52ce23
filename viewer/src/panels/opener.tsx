/** Ways in: a URL, or a folder of this computer. */
import { useRef, useState } from "preact/hooks";
import type { DirectoryHandle } from "dreamdb-arrays";
import { link } from "../state/link.js";
import { openFolder, openUrl, session } from "../state/session.js";
import { Inert } from "../ui/inert.js";

type Picker = () => Promise<DirectoryHandle & { readonly name: string }>;

/** Asks for a dataset. */
export function Opener() {
  const now = session.value;
  const [url, setUrl] = useState(now.state === "failed" ? now.source : "");
  const [ref, setRef] = useState(link.value.ref ?? "main");
  const input = useRef<HTMLInputElement>(null);
  const pick = async (): Promise<void> => {
    const picker = (globalThis as { showDirectoryPicker?: Picker }).showDirectoryPicker;
    if (picker === undefined) {
      input.current?.click();
      return;
    }
    try {
      const folder = await picker();
      openFolder(folder.name, folder, ref);
    } catch (error) {
      // Closing the picker is no failure.
      if (!(error instanceof DOMException && error.name === "AbortError")) input.current?.click();
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
            if (files !== null && files.length > 0) openFolder(files[0]?.webkitRelativePath.split("/")[0] ?? "folder", files, ref);
          }}
        />
      </form>
      <p class="note">Everything is read by this page, from there and from nowhere else; the server must allow it (CORS).</p>
    </section>
  );
}
