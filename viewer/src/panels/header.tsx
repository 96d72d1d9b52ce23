/** What dataset this is, which version of it, and what concerns the page as a whole. */
import { useEffect, useRef } from "preact/hooks";
import { KEYS, onKey } from "../keys.js";
import { link } from "../state/link.js";
import { openNewest, session } from "../state/session.js";
import { theme } from "../state/theme.js";
import { Copy } from "../ui/copy.js";
import { Inert } from "../ui/inert.js";

/** The head of the page. */
export function Header() {
  const now = session.value;
  return (
    <header class="top">
      <h1>DreamDB viewer</h1>
      {now.state === "open" && (
        <>
          <span class="source">
            <Inert text={now.source} most={60} />
          </span>
          {link.value.ref !== undefined && (
            <span class="version">
              <span class="label">Ref</span> <Inert text={link.value.ref} most={40} />
            </span>
          )}
          <span class="version">
            <span class="label">pinned</span> <code title={now.ds.manifest.address}>{now.ds.manifest.address.slice(0, 12)}…</code>{" "}
            <Copy label="Copy the manifest's address" text={now.ds.manifest.address} />{" "}
            {link.value.ref !== undefined && (
              <button type="button" class="small" title="Read the Ref again and show the version that it names now" onClick={openNewest}>
                Newest
              </button>
            )}
          </span>
        </>
      )}
      <span class="space" />
      <label>
        Theme{" "}
        <select value={theme.value} onChange={({ currentTarget }) => (theme.value = currentTarget.value as typeof theme.value)}>
          <option value="system">System</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
      </label>
      <Keys />
    </header>
  );
}

function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => onKey("?", () => dialog.current?.showModal()), []);
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Keys
      </button>
      <dialog ref={dialog} aria-label="Keys">
        <table>
          <tbody>
            {KEYS.map(([keys, purpose]) => (
              <tr>
                <th scope="row">
                  <kbd>{keys}</kbd>
                </th>
                <td>{purpose}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <form method="dialog">
          <button>Close</button>
        </form>
      </dialog>
    </>
  );
}
