/** The whole page: what is there of the session decides what it shows. */
import { Header } from "./panels/header.js";
import { Opener } from "./panels/opener.js";
import { Workspace } from "./panels/workspace.js";
import { session } from "./state/session.js";
import { Announcer } from "./ui/announce.js";
import { FailureCard } from "./ui/failure-card.js";
import { Inert } from "./ui/inert.js";

/** The page. */
export function App() {
  const now = session.value;
  return (
    <>
      {now.state === "open" && (
        <a class="skip" href="#view">
          Skip to the data
        </a>
      )}
      <Header />
      {now.state === "open" && <Workspace ds={now.ds} />}
      {now.state === "opening" && (
        <main class="alone">
          <p role="status">
            Opening <Inert text={now.source} />…
          </p>
        </main>
      )}
      {now.state === "failed" && (
        <main class="alone">
          <h2>
            <Inert text={now.source} /> could not be opened
          </h2>
          <FailureCard error={now.error} retry={now.retry} />
          <Opener />
        </main>
      )}
      {(now.state === "none" || now.state === "unpicked") && (
        <main class="alone">
          <Opener />
        </main>
      )}
      <Announcer />
    </>
  );
}
