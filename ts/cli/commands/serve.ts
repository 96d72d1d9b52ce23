/** `serve`: a folder over HTTP, as a good object store would serve it. */
import { once } from "node:events";
import { withoutSecrets } from "../../errors.js";
import { STATUS } from "../manners/failures.js";
import { inert } from "../manners/inert.js";
import { bytesText, durationText } from "../manners/numbers.js";
import { command, PROGRAM } from "../program.js";
import { datasetsBelow, type ServedDataset } from "../server/datasets.js";
import { type RequestLogEntry, serveDirectory } from "../server/serve.js";
import { isLoopback, onPort, portNumber } from "../server/usual.js";
import { Option } from "../vendor.js";

interface Options {
  readonly port?: number;
  readonly host: string;
  readonly writable?: boolean;
  readonly log?: boolean;
}

/** The port that is taken unless another is asked for. */
const USUAL_PORT = 8765;
/** Datasets that are named when a server begins. */
const NAMED = 5;

export const serve = command<[string], Options>({
  usage: "serve <dir>",
  summary: "serve a folder over HTTP",
  description:
    "Serves a folder with one dataset or more below it as an object store would: ranges, strong ETags, conditional requests, CORS open to every page, a listing " +
    "of the Refs at refs/ and nothing else listed; no path leads out of the folder. It writes its URL to standard output and runs until Ctrl-C, which ends " +
    "it with status 0. It listens for this machine alone unless --host says otherwise. With --writable it also takes conditional PUTs, from " +
    "whoever reaches it. Meant for work and tests, not for the public internet.",
  args: { dir: "the folder" },
  options: [
    new Option("--port <n>", `to listen on; 0 takes a free one (default: ${USUAL_PORT}, or a free one)`).argParser(portNumber),
    new Option("--host <address>", "to listen on; 0.0.0.0 or :: lets other machines in").default("127.0.0.1"),
    new Option("--writable", "take conditional PUTs, as writers of datasets send them"),
    new Option("--log", "a line on standard error for each request"),
  ],
  examples: ["serve ./episode", "serve . --port 0 --log", "serve ./episode --port 0 --writable"],
  async run({ output, signal }, [dir], { port, host, writable, log }) {
    const onRequest = log === true ? (entry: RequestLogEntry) => output.say(requestText(entry)) : undefined;
    const server = await onPort(port, USUAL_PORT, (on) => serveDirectory(dir, { port: on, host, writable, keepRequests: 0, onRequest }));
    try {
      const datasets = await datasetsBelow(dir, NAMED + 1);
      await output.line(server.url);
      for (const line of greeting(server.url, dir, datasets, writable === true)) output.say(line);
      for (const line of warnings(host, writable === true)) output.say(line);
      if (!signal.aborted) await once(signal, "abort");
      return STATUS.ok;
    } finally {
      await server.close();
    }
  },
});

function greeting(url: string, dir: string, datasets: readonly ServedDataset[], writable: boolean): string[] {
  const lines = [`serving ${inert(dir)}, ${writable ? "writable" : "read-only"}; Ctrl-C stops`];
  for (const { path, refs } of datasets.slice(0, NAMED)) {
    lines.push(`  ${path === "" ? "Refs" : `Refs of ${inert(path)}`}: ${refs.map(inert).join("  ") || "none yet"}`);
  }
  if (datasets.length > NAMED) lines.push("  and more");
  const [first] = datasets;
  if (first === undefined) return [...lines, "  no dataset is in it: none of its folders has a refs/"];
  const root = new URL(encodeURI(first.path), `${url}/`).href.replace(/\/$/, "");
  const ref = first.refs.includes("main") ? "main" : first.refs[0];
  if (ref === undefined) return lines;
  return [...lines, `try  ${PROGRAM} ls ${root}${ref === "main" ? "" : ` ${inert(ref)}`}`, `or   const ds = await openDataset(${JSON.stringify(root)}, ${JSON.stringify(ref)});`];
}

function warnings(host: string, writable: boolean): string[] {
  if (isLoopback(host)) return writable ? ["note: every program on this machine can write, and so can pages that a browser on it shows"] : [];
  const may = writable ? "read and WRITE here" : "read all of it";
  return [`warning: ${inert(host)} is not this machine alone: whoever reaches it can ${may}; nothing is encrypted, and nobody is asked who they are`];
}

function requestText({ method, target, headers, status, bytes, ms }: RequestLogEntry): string {
  const range = headers.range === undefined ? "" : `  ${inert(headers.range)}`;
  const got = status === 0 ? "left" : String(status);
  // Without queries, which may hold signatures.
  return `${new Date().toISOString()}  ${got}  ${inert(method)} ${inert(withoutSecrets(target))}${range}  ${bytesText(bytes)}  ${durationText(ms)}`;
}
