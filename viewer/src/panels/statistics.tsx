/** What the elements on screen are like. */
import { useMemo } from "preact/hooks";
import { unitsText } from "../data/describe.js";
import { aboutText, countText, valueText } from "../data/numbers.js";
import { statisticsOf } from "../data/statistics.js";
import { shown } from "../state/shown.js";
import { Inert } from "../ui/inert.js";

/** Statistics of what is on screen. */
export function StatisticsPanel() {
  const now = shown.value;
  const data = now?.data;
  const found = useMemo(() => (data === undefined ? undefined : statisticsOf(data)), [data]);
  const dtype = data instanceof Float32Array ? "f32" : undefined;
  const units = now === undefined ? "" : unitsText(now.info);
  const withUnits = (text: string) => (
    <>
      {text}
      {units !== "" && <Inert text={units} most={24} />}
    </>
  );
  return (
    <section aria-label="Statistics" class="statistics">
      <h2>Statistics</h2>
      {now === undefined && <p class="note">Nothing is on screen.</p>}
      {now !== undefined && (
        <p class="what">
          <Inert text={now.what} most={100} />{" "}
          <span class="verified" data-verified={now.verified} title="What was checked against the content address">
            verified: {now.verified}
          </span>
        </p>
      )}
      {found !== undefined && (
        <dl class="numbers">
          <dt>min</dt>
          <dd data-stat="min">{found.least === undefined ? "none" : withUnits(valueText(found.least, dtype))}</dd>
          <dt>max</dt>
          <dd data-stat="max">{found.greatest === undefined ? "none" : withUnits(valueText(found.greatest, dtype))}</dd>
          <dt>mean</dt>
          <dd data-stat="mean">{found.mean === undefined ? "none" : withUnits(aboutText(found.mean))}</dd>
          <dt>elements</dt>
          <dd data-stat="count">{countText(found.count)}</dd>
          <dt>NaN</dt>
          <dd data-stat="nan">{countText(found.nan)}</dd>
          <dt>±Inf</dt>
          <dd data-stat="infinite">{countText(found.infinite)}</dd>
          <dt>zeros</dt>
          <dd data-stat="zeros">{countText(found.zeros)}</dd>
        </dl>
      )}
    </section>
  );
}
