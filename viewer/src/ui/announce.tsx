/** What screen readers are told besides what stands on the page. */
import { signal } from "@preact/signals";

const said = signal("");

/** Says it once what is being said has ended. */
export function announce(text: string): void {
  said.value = text;
}

/** The place it is said. */
export function Announcer() {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {said.value}
    </p>
  );
}
