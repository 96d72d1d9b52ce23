/** A failure, where the data would stand: code, cause, what to do, and another try. */
import { useEffect, useState } from "preact/hooks";
import { isFolder } from "../data/address.js";
import { type Advice, adviceOn, doctorCommand, failureOf } from "../data/failure.js";
import { link } from "../state/link.js";
import { Copy } from "./copy.js";
import { Inert } from "./inert.js";

/** Says what failed and what can be done about it. */
export function FailureCard({ error, retry, isOfFolder = isFolder(link.value.source) }: { readonly error: unknown; readonly retry?: () => void; readonly isOfFolder?: boolean }) {
  const { code, message, facts } = failureOf(error);
  const [advice, setAdvice] = useState<Advice>();
  const doctor = doctorCommand(code, link.value.source, document.baseURI);
  useEffect(() => {
    let isHere = true;
    adviceOn(code, isOfFolder).then(
      (found) => isHere && setAdvice(found),
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [code, isOfFolder]);
  return (
    <section class="failure" role="alert" data-code={code}>
      <h3>
        <code>{code}</code> {advice?.meaning}
      </h3>
      <p>
        <Inert text={message} most={600} />
      </p>
      {advice !== undefined && (
        <dl>
          {advice.cause !== "" && <dt>Usual cause</dt>}
          {advice.cause !== "" && <dd>{advice.cause}</dd>}
          <dt>What to do</dt>
          <dd>{advice.todo}</dd>
        </dl>
      )}
      {doctor !== undefined && (
        <p>
          What the host lacks, seen from outside a browser: <code class="long">{doctor}</code> <Copy label="Copy the command" text={doctor} />
        </p>
      )}
      {facts.length > 0 && (
        <details>
          <summary>Facts</summary>
          <dl>
            {facts.map(([name, text]) => [
              <dt>{name}</dt>,
              <dd>
                <Inert text={text} most={200} />
              </dd>,
            ])}
          </dl>
        </details>
      )}
      <p class="buttons">
        {retry !== undefined && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
        <Copy label="Copy the failure" text={() => JSON.stringify(error instanceof Error ? { message, code, ...Object.fromEntries(facts) } : { message }, null, 2)} />
      </p>
    </section>
  );
}
