/** `ls` and `show` of every fixture, over a folder and over HTTP, against what the reference says of them. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, inject, test } from "vitest";
import { cli, fixture, json, output } from "./support/program.js";

interface Sidecar {
  readonly refs?: Readonly<Record<string, { readonly manifest: string; readonly fields: Readonly<Record<string, { readonly modality?: string }>> }>>;
}
interface Listing {
  readonly refs: readonly string[] | null;
  readonly manifest: { readonly address: string };
  readonly fields: readonly { readonly name: string; readonly modality: string }[];
}

const folder = fileURLToPath(new URL("../fixtures", import.meta.url));
const fixtures = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "tools")
  .map(({ name }) => name)
  // The others' sidecars have values alone.
  .filter((name) => Object.values(sidecar(name).refs ?? {}).some(({ fields }) => Object.values(fields).some(({ modality }) => modality !== undefined)));

function sidecar(name: string): Sidecar {
  return JSON.parse(readFileSync(`${folder}/${name}/expected.json`, "utf8")) as Sidecar;
}

describe.each(fixtures)("%s", (name) => {
  const versions = Object.entries(sidecar(name).refs ?? {});

  test.each(versions)("ls of %s says what the reference says, the same from a folder and over HTTP", async (ref, expected) => {
    const listed = (await json(["ls", fixture(name), ref, "--json"])) as Listing;
    expect(listed.manifest.address).toBe(expected.manifest);
    const modalities = Object.fromEntries(listed.fields.map((field) => [field.name, field.modality]));
    expect(modalities).toEqual(Object.fromEntries(Object.entries(expected.fields).map(([field, { modality }]) => [field, modality])));
    const { source: _, refs: __, ...served } = (await json(["ls", `${inject("fixturesUrl")}/${name}/data`, ref, "--json"])) as Listing & { source: string };
    const { source: ___, refs: ____, ...local } = listed as Listing & { source: string };
    expect(served).toEqual(local);
  });

  test("the Refs of a folder are those of the sidecar, by name or label", async () => {
    const [first] = versions;
    if (first === undefined) throw new Error("the sidecar has no version");
    const { refs } = (await json(["ls", fixture(name), first[0], "--json"])) as Listing;
    expect(refs?.length).toBeGreaterThan(0);
    for (const ref of refs ?? []) {
      const { manifest } = (await json(["ls", fixture(name), ref, "--json"])) as Listing;
      expect(versions.map(([, version]) => version.manifest)).toContain(manifest.address);
    }
  });

  test("show has a word for each field, and JSON", async () => {
    const [first] = versions;
    if (first === undefined) throw new Error("the sidecar has no version");
    const [ref] = first;
    const { fields } = (await json(["ls", fixture(name), ref, "--json"])) as Listing;
    for (const field of fields) {
      const { status, stdout, stderr } = await cli(["show", fixture(name), field.name, "--ref", ref]);
      // A field that was never written has nothing to show, and says so.
      if (status === 3) expect(stderr).toMatch(/^dreamdb-arrays: (NotFound|Unsupported|EntryTooShort): /);
      else expect([status, stdout.toString()]).toEqual([0, expect.stringContaining(field.name) as string]);
      if (status === 0) expect(await output(["show", fixture(name), field.name, "--ref", ref, "--json"])).toContain(`"name": ${JSON.stringify(field.name)}`);
    }
  });
});
