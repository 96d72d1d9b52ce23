/** nginx as the documentation configures it, without ranges, compressing everything, and behind a redirect: every value, by any way. */

import { httpStore } from "dreamdb-arrays";
import { describe, expect, inject, test } from "vitest";
import { expectFailure } from "../support/failure.js";
import type { NginxUrls } from "./support/nginx-log.js";
import { describeEpisode, describeFixture, type Episode, sidecarOf } from "./support/reads.js";

const packs = await sidecarOf("packs");
const arrays = await sidecarOf("arrays-basic");
const singles = await sidecarOf("singles-bao");
const episode = await sidecarOf<Episode>("episode");

const SERVERS: [title: string, server: keyof NginxUrls][] = [
  ["as documented", "plain"],
  ["without ranges", "noRanges"],
  ["compressing every type", "gzip"],
  ["behind a redirect to another origin", "redirect"],
];

describe.each(SERVERS)("%s", (_, server) => {
  // Each policy by addresses of its own, so that none reads out of a browser's cache what another one left there.
  const store = (fixture: string, query = "") => httpStore(`${inject("nginx")[server]}/${fixture}/data?${query}`);

  describeFixture("packs", packs, (verify) => store("packs", verify));
  // Of many keys with =, and whole objects alone, whose transfer differs from that of single media in nothing.
  if (server === "plain") describeFixture("arrays-basic", arrays, (verify) => store("arrays-basic", verify));
  describeFixture("singles-bao", singles, (verify) => store("singles-bao", verify));
  describeEpisode(episode, (verify) => store("episode", verify));

  test("what is missing is NotFound", async () => {
    const error = await expectFailure(store("packs").getRange("a/b=c@1", 0, 1), "NotFound");
    expect(error).toMatchObject({ status: 404, key: "a/b=c@1", url: `${inject("nginx")[server]}/packs/data/a/b=c@1` });
  });
});
