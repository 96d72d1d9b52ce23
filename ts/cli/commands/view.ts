/** `view`: the viewer, a page that shows a dataset in the browser, on this machine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { DreamDbError, withoutSecrets } from "../../errors.js";
import { STATUS, UsageError } from "../manners/failures.js";
import { inert } from "../manners/inert.js";
import type { Output } from "../manners/output.js";
import { command } from "../program.js";
import { datasetsBelow } from "../server/datasets.js";
import { rootOf } from "../server/serve.js";
import { isLoopback, onPort, portNumber } from "../server/usual.js";
import { serveView, type Viewed } from "../server/view.js";
import { folderOf, versionOf } from "../source.js";
import { Option } from "../vendor.js";

interface Options {
  readonly port?: number;
  readonly host: string;
  readonly open?: boolean;
}

/** A dataset that the page is to show: what its address says of it. */
interface Target {
  /** A URL, or a path from the page's own address, with a slash at the end. */
  readonly source: string;
  /** A Ref, or the address of a manifest. */
  readonly ref: string;
}

/** The port that is taken unless another is asked for; beside that of `serve`. */
const USUAL_PORT = 8766;
/** Datasets of a folder whose addresses are told. */
const NAMED = 5;

export const view = command<[string, string | undefined], Options>({
  usage: "view <source> [ref]",
  summary: "look at a dataset in the browser",
  description:
    "Serves the viewer, a page that shows a dataset's fields, timeline and Items, and writes its address to standard output; runs until Ctrl-C, which ends it with " +
    "status 0. A folder is served to that page alone, read-only; the first dataset in it is shown. Of a URL the browser reads for itself, so that its host must let pages " +
    "read (`doctor` tells). The page loads nothing from elsewhere and asks nobody but its source. It listens for this machine alone unless --host says otherwise.",
  args: { source: "URL of a dataset's root, or a folder", ref: "a Ref, or the address of a manifest (default: main, or the first one)" },
  options: [
    new Option("--port <n>", `to listen on; 0 takes a free one (default: ${USUAL_PORT}, or a free one)`).argParser(portNumber),
    new Option("--host <address>", "to listen on; 0.0.0.0 or :: lets other machines in").default("127.0.0.1"),
    new Option("--open", "open the address in this machine's browser"),
  ],
  examples: ["view ./episode", "view . --port 0", "view https://data.example.org/episodes main --port 0"],
  async run({ output, signal }, [source, ref], { port, host, open }) {
    const { viewed, targets } = await lookAt(source, ref);
    const server = await onPort(port, USUAL_PORT, (on) => serveView(viewed, { port: on, host, keepRequests: 0 }));
    try {
      const [address = server.url, ...others] = targets.slice(0, NAMED).map((target) => addressOf(server.url, target));
      await output.line(address);
      output.say(`showing ${inert(withoutSecrets(source))}; Ctrl-C stops`);
      for (const other of others) output.say(`also  ${other}`);
      if (targets.length > NAMED) output.say("also  others");
      if (!isLoopback(host)) output.say(`warning: ${inert(host)} is not this machine alone: whoever reaches it can read all of it; nothing is encrypted, and nobody is asked who they are`);
      if (open === true) openInBrowser(address, output);
      if (!signal.aborted) await once(signal, "abort");
      return STATUS.ok;
    } finally {
      await server.close();
    }
  },
});

/** What is to be served, and which datasets are there to be shown. */
async function lookAt(source: string, ref: string | undefined): Promise<{ readonly viewed: Viewed; readonly targets: readonly Target[] }> {
  if (/^https?:\/\//i.test(source)) {
    const url = urlOf(source);
    return { viewed: { origin: url.origin }, targets: [{ source: url.href, ref: ref ?? "main" }] };
  }
  const folder = await rootOf(folderOf(source));
  const datasets = await datasetsBelow(folder, NAMED + 1);
  const targets = datasets.map(({ path, refs }) => ({
    source: `data/${path === "" ? "" : `${path}/`}`,
    ref: ref ?? (refs.includes("main") ? "main" : (refs[0] ?? "main")),
  }));
  if (targets.length === 0) throw new DreamDbError("NotFound", `no dataset is in ${folder}: none of its folders has a refs/`, { subject: folder });
  return { viewed: { folder }, targets };
}

/** @throws {UsageError} for what is none, and for credentials, which browsers send nowhere from an address */
function urlOf(source: string): URL {
  if (!URL.canParse(source)) throw new UsageError(`${JSON.stringify(withoutSecrets(source))} is no URL`);
  const url = new URL(source);
  if (url.username !== "" || url.password !== "") {
    throw new UsageError("a page cannot send the user and password of a URL", "read into a folder first, or serve the data where no password is needed");
  }
  url.hash = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/** The page's address; slashes and colons may stand in a query as they are. */
function addressOf(server: string, { source, ref }: Target): string {
  const text = (value: string) => encodeURIComponent(value).replaceAll("%2F", "/").replaceAll("%3A", ":");
  const version = versionOf(ref);
  return `${server}/?source=${text(source)}&${typeof version === "string" ? `ref=${text(version)}` : `manifest=${version.manifest}`}`;
}

/** What opens an address on each system; it is an argument of its own to all of them, and nothing that a shell would read. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = { darwin: ["open"], win32: ["rundll32", "url.dll,FileProtocolHandler"] };

function openInBrowser(address: string, output: Output): void {
  const [program, ...before] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...before, address], { stdio: "ignore", detached: true });
  child.on("error", () => output.say(`note: ${program} is not there; open the address yourself`));
  child.unref();
}
