/** The command line's look at real hosts: what `doctor` says of nginx and SeaweedFS, and that the Refs of a bucket are listed. */
import { init } from "dreamdb-arrays";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { examine, type Report } from "../../ts/cli/doctor/examine.js";
import { refsOf, sourceOf } from "../../ts/cli/source.js";
import { BUCKETS, bucketUrl, REF_COPY } from "./support/s3.js";

beforeAll(() => init());

const OPTIONS = { verify: "always", header: [] } as const;

async function look(base: string, origin = "https://page.example"): Promise<Report> {
  const source = await sourceOf(base, OPTIONS);
  if (source.url === undefined) throw new Error("that is a URL");
  return await examine({ ...source, url: source.url }, "main", { verify: "always", origin, silentMs: 10_000, signal: new AbortController().signal, speed: true });
}

const wrong = ({ findings }: Report) => findings.filter(({ level }) => level === "fail").map(({ check }) => check);
const all = ({ verdicts }: Report) => Object.values(verdicts).every(({ can }) => can);

describe("nginx", () => {
  test("as the documentation configures it has no fault", async () => {
    const report = await look(`${inject("nginx").plain}/packs/data`);
    expect([wrong(report), all(report), report.kind]).toEqual([[], true, "nginx"]);
  });

  test("without ranges is found out", async () => {
    const report = await look(`${inject("nginx").noRanges}/packs/data`);
    expect([wrong(report), all(report)]).toEqual([["range"], true]);
  });

  test("that compresses is found out", async () => {
    const { findings } = await look(`${inject("nginx").gzip}/packs/data`);
    expect(findings).toContainEqual(expect.objectContaining({ check: "compression", level: "warn" }));
    expect(findings).toContainEqual(expect.objectContaining({ check: "range", level: "ok" }));
  });

  test("behind a redirect from another origin", async () => {
    const report = await look(`${inject("nginx").redirect}/packs/data`);
    expect([wrong(report), all(report)]).toEqual([[], true]);
    expect(report.findings).toContainEqual(expect.objectContaining({ check: "redirects", level: "warn" }));
  });
});

describe("SeaweedFS", () => {
  test.each(["packs", "arrays-basic"])("with the rule of the documentation has no fault: %s", async (name) => {
    const report = await look(bucketUrl("open", name));
    expect([wrong(report), all(report), report.kind]).toEqual([[], true, "buckets"]);
  });

  test("lists the Refs of a bucket to those who may list it", async () => {
    const signal = new AbortController().signal;
    expect(await refsOf(await sourceOf(bucketUrl("open", "packs"), OPTIONS), signal)).toEqual(["main", REF_COPY]);
    expect(await refsOf(await sourceOf(`${inject("s3").url}/${BUCKETS.closed}/packs/data`, OPTIONS), signal)).toBeUndefined();
  });

  test("a closed bucket is answered by 403 to everybody", async () => {
    const report = await look(`${inject("s3").url}/${BUCKETS.closed}/packs/data`);
    expect(report.findings).toContainEqual(expect.objectContaining({ check: "status", level: "fail", seen: expect.stringContaining("403") as string }));
  });
});
