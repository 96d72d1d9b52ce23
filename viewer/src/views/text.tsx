/** A text Constant, as it is. */
import type { FieldInfo } from "dreamdb-arrays";
import { useReading } from "../reading.js";
import { Copy } from "../ui/copy.js";
import { Inert } from "../ui/inert.js";
import { Read } from "../ui/read.js";
import { useShown, type ViewProps } from "./props.js";

/** The text. */
export function Text({ ds, info }: ViewProps<FieldInfo>) {
  const reading = useReading([ds, info], [], (signal) => ds.constant(info.name).read({ signal }));
  const value = reading.state === "value" ? reading.value : undefined;
  const text = value !== undefined && "text" in value ? value.text : undefined;
  useShown(
    () =>
      text === undefined || value === undefined
        ? undefined
        : { info, what: "Constant", verified: value.verified, table: { names: [info.name], lines: () => [[text]] } },
    [text],
  );
  return (
    <Read reading={reading}>
      {() =>
        text === undefined ? (
          <p class="note">The text was declared, and never written.</p>
        ) : (
          <>
            <pre class="text" tabIndex={0}>
              <Inert text={text} most={200_000} />
            </pre>
            <Copy label="Copy the text" text={text} />
          </>
        )
      }
    </Read>
  );
}
