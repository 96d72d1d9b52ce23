/** The package as its package.json describes it: ways in, and nothing that comes along uninvited. */

import { readFile } from "node:fs/promises";
import * as fs from "dreamdb-arrays/fs";
import { expect, test } from "vitest";
import { VERSION } from "../../ts/version.js";

const description = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8")) as {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly version: string;
};

test("has these ways in, whose types come first and whose default comes last", () => {
  const ways = Object.entries(description.exports).filter((way): way is [string, Readonly<Record<string, string>>] => typeof way[1] === "object");
  expect(ways.map(([path]) => path)).toEqual(expect.arrayContaining([".", "./inline", "./slim", "./fs"]));
  for (const [, conditions] of ways) {
    // Compilers before 5.7 cannot read the declarations of the others, and take the first that fits.
    expect(Object.keys(conditions).slice(0, 2)).toEqual(["types@<5.7", "types"]);
    expect(conditions["types@<5.7"]).toBe(conditions["types"]?.replace("./dist/", "./dist/ts5.6/"));
    expect(Object.keys(conditions).at(-1)).toBe("default");
  }
  // workerd knows "node" and "browser" too, and Deno knows "node": their own conditions must be met first.
  expect(Object.keys(description.exports["."] ?? {})).toEqual(["types@<5.7", "types", "workerd", "deno", "node", "browser", "default"]);
});

test("reads folders by a way of its own, which alone needs Node's modules", () => {
  expect(Object.keys(fs)).toEqual(["fsStore"]);
});

test("brings no other package along, and is built with exact versions", () => {
  for (const kind of ["dependencies", "peerDependencies", "optionalDependencies", "bundledDependencies"]) expect(description).not.toHaveProperty(kind);
  for (const [name, version] of Object.entries(description.devDependencies)) expect([name, version]).toEqual([name, expect.stringMatching(/^(npm:typescript@)?\d+\.\d+\.\d+$/)]);
});

test("says in what it writes which version it is", async () => {
  expect(VERSION).toBe(description.version);
  for (const manifest of ["Cargo.toml", "bindings/Cargo.toml"]) {
    expect(await readFile(new URL(`../../${manifest}`, import.meta.url), "utf8")).toContain(`\nversion = "${VERSION}"\n`);
  }
});
