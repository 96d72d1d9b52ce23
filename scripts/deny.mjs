/**
 * What the lock files bring: crates under licences that we can take, each in one version, from the registry or from this repository.
 *
 *     npm run deny
 *
 * cargo-deny judges both workspaces by `deny.toml`. Advisories are not looked at: they are a repository that would have to be fetched.
 */
import { delimiter, join } from "node:path";
import { root } from "./lib/paths.mjs";
import { fail, run } from "./lib/run.mjs";
import { denyTool, findTool, rustEnv } from "./lib/rust.mjs";
import { setup } from "./setup.mjs";

/** The workspaces, each with its own lock file, and what is said of exceptions that only another one needs. */
const WORKSPACES = [
  ["Cargo.toml", "--deny"],
  [join("fuzz", "Cargo.toml"), "--allow"],
  [join("bench", "native", "Cargo.toml"), "--allow"],
];

try {
  await setup("deny");
  const folder = findTool(denyTool);
  const env = { ...rustEnv(), PATH: [...(folder ? [folder] : []), process.env["PATH"]].join(delimiter) };
  const failed = [];
  for (const [manifest = "", unused = ""] of WORKSPACES) {
    process.stdout.write(`── ${manifest} ──\n`);
    const graph = ["--manifest-path", join(root, manifest), "--workspace", "--locked", "--config", join(root, "deny.toml")];
    const { code } = await run("cargo-deny", [...graph, "check", unused, "unmatched-skip", "licenses", "bans", "sources"], { env, show: true });
    if (code !== 0) failed.push(manifest);
  }
  if (failed.length > 0) throw new Error(`deny: ${failed.join(", ")} brings something that it may not`);
} catch (error) {
  fail(error);
}
