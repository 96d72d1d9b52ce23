/** What every command does alike: refusals, harmless text, pipes, terminals, credentials, interruption. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Dataset, Schema } from "dreamdb-arrays";
import { fsStore } from "dreamdb-arrays/fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../../dist/cli/commands.js";
import { cli, fixture, inTerminal, json, MAIN, output } from "./support/program.js";

const episode = fixture("episode");
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dreamdb-cli-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** A server that does what it is told, for as long as `use` takes. */
async function withServer<T>(answer: (request: IncomingMessage, response: ServerResponse) => void, use: (url: string) => Promise<T>): Promise<T> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("help", () => {
  test("of the program", async () => {
    await expect(await output(["--help"])).toMatchFileSnapshot("help/program.txt");
  });

  test.each(commands.map(({ usage }) => usage.split(" ")[0] ?? ""))("of %s", async (name) => {
    const text = await output([name, "--help"]);
    await expect(text).toMatchFileSnapshot(`help/${name}.txt`);
    expect(await output(["help", name])).toBe(text);
    for (const word of ["--quiet", "--no-progress", "--verbose", "Examples:"]) expect(text).toContain(word);
    // Where this program itself reads a source; with `view` it is the browser that does.
    if (text.includes("source") && name !== "view") for (const word of ["--verify", "--concurrency", "--header", "--timeout"]) expect(text).toContain(word);
  });

  test("without a command is help, and no success", async () => {
    const { status, stderr } = await cli([]);
    expect([status, stderr]).toEqual([2, await output(["--help"])]);
  });
});

describe("what is typed wrongly is refused, with what is near", () => {
  test.each<[string[], RegExp]>([
    [["ls", episode, "--jsn"], /^error: unknown option '--jsn'\n\(Did you mean --json\?\)/],
    [["sho", episode, "pose"], /^error: unknown command 'sho'\n\(Did you mean show\?\)/],
    [["show", episode], /^error: missing required argument 'field'/],
    [["ls", episode, "main", "more"], /^error: too many arguments for 'ls'/],
    [["ls", episode, "--verify", "maybe"], /^error: option '--verify <policy>' argument 'maybe' is invalid\. Allowed choices are always, available, never\./],
    [["ls", episode, "--concurrency", "0"], /^error: option '--concurrency <n>' argument '0' is invalid\. It must be a whole number from 1\./],
    [["show", episode, "pose", "1e3"], /^dreamdb-arrays: usage: the anchor must be a whole number below 2\^64, not "1e3"\n$/],
    [["show", episode, "pose", "18446744073709551616"], /^dreamdb-arrays: usage: the anchor must be/],
    [["ls", "s3://bucket/data"], /^dreamdb-arrays: usage: "s3:\/\/bucket\/data" has a scheme that is not read; give an http\(s\) URL, a folder or a file: URL\n$/],
    [["ls", episode, "--header", "secret"], /^dreamdb-arrays: usage: --header takes `Name: value`; what was given is not of that form\n$/],
  ])("%j", async (args, expected) => {
    const { status, stdout, stderr } = await cli(args);
    expect(stderr).toMatch(expected);
    expect([status, stdout.length]).toEqual([2, 0]);
  });
});

describe("a failure is one line with a code and what to do next", () => {
  test.each<[string[], string]>([
    [["show", episode, "pos"], 'NoSuchField: the dataset has no field "pos"; it has "contacts", "force", "gravity", "hits", "image", "joints", "pose", "ticks", "title"; next: `ls SOURCE` shows the fields'],
    [["show", episode, "pose", "7"], 'NotFound: field "pose" has no Item at anchor 7, or its row was deleted; next: check the source and the Ref; `ls SOURCE` shows what is there'],
    [["ls", episode, "nobody"], `NotFound: no such object: ${episode}/refs/nobody; next: check the source and the Ref; \`ls SOURCE\` shows what is there`],
  ])("%j", async (args, line) => {
    const { status, stdout, stderr } = await cli(args);
    expect([status, stdout.toString(), stderr]).toEqual([3, "", `dreamdb-arrays: ${line}\n`]);
  });

  test("and with --verbose all that is known of it", async () => {
    const { stderr } = await cli(["show", episode, "pose", "7", "--verbose"]);
    expect(stderr).toMatch(/\n {2}field: pose\n {2}anchor: 7\n {4}at /);
  });

  test("a folder that is not there, and a file in its place", async () => {
    expect((await cli(["ls", join(folder, "nothing")])).stderr).toBe(
      `dreamdb-arrays: NotFound: no such folder: ${join(folder, "nothing")}; next: check the source and the Ref; \`ls SOURCE\` shows what is there\n`,
    );
    expect((await cli(["ls", MAIN])).stderr).toContain("that is a file, not the folder of a dataset");
  });
});

describe("text of a dataset is harmless", () => {
  const evil = "\u001b[31mred\u001b[0m \u009b2J \u202etxt.exe \u0007";

  test("on one line without escapes, and whole in JSON", async () => {
    const source = join(folder, "evil");
    const schema = new Schema().array("x", { dtype: "u64", shape: [2], units: evil, frame: "a\nb" });
    const ds = await Dataset.create(fsStore(source), "main", schema);
    await ds.append([{ anchor: 2n ** 63n, values: { x: BigUint64Array.of(2n ** 64n - 1n, 0n) } }]);
    const [listed, shown] = await Promise.all([output(["ls", source]), output(["show", source, "x"])]);
    for (const text of [listed, shown]) {
      // oxlint-disable-next-line no-control-regex -- what must not be there
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(text).toContain("in \\u{1b}[31mred\\u{1b}[0m \\u{9b}2J \\u{202e}txt.exe \\u{7}, frame a\\u{a}b");
    }
    const [raw, document] = await Promise.all([output(["ls", source, "--json"]), json(["show", source, "x", "--json"])]);
    // oxlint-disable-next-line no-control-regex -- as above
    expect(raw).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(JSON.parse(raw)).toMatchObject({ fields: [{ units: evil, frame: "a\nb", start: "9223372036854775808", end: "9223372036854775809", bytes: "16" }] });
    expect(document).toMatchObject({ anchor: "9223372036854775808", least: "0", greatest: "18446744073709551615" });
  });
});

describe("floats", () => {
  test("read back the same, in the digits of their own precision, and their bits are exact", async () => {
    const source = join(folder, "floats");
    const values = [0.1, 1 / 3, 1e-45, 3.4028234663852886e38, -0, Number.NaN, Infinity, -Infinity, 16777216, 1.17549435e-38];
    const ds = await Dataset.create(fsStore(source), "main", new Schema().array("x", { dtype: "f32", shape: [10] }));
    await ds.append([{ anchor: 1n, values: { x: Float32Array.from(values) } }]);
    const text = await output(["show", source, "x"]);
    const line = text.split("\n").find((each) => each.includes("…  "))?.trim().split(/\s+/) ?? [];
    expect(line).toEqual(["0.1", "0.33333334", "1e-45", "…", "-Infinity", "16777216", "1.1754944e-38"]);
    expect(text).toContain("1 NaN, 2 infinite");
    expect(await output(["show", source, "x", "--hex"])).toMatch(/3dcccccd {2}3eaaaaab {2}00000001 {2}… {9}ff800000 {2}4b800000 {2}00800000|3dcccccd/);
  });
});

describe("pipes and terminals", () => {
  test("a pipe that is closed ends it quietly", async () => {
    const shell = spawn("bash", ["-c", `set -o pipefail; "$0" "$1" ls "$2" --json | true; echo "\${PIPESTATUS[0]}"`, process.execPath, MAIN, episode], { stdio: ["ignore", "pipe", "pipe"] });
    let [out, err] = ["", ""];
    shell.stdout.on("data", (piece: Buffer) => (out += piece.toString()));
    shell.stderr.on("data", (piece: Buffer) => (err += piece.toString()));
    await new Promise((resolve) => shell.on("close", resolve));
    expect([out, err]).toEqual(["0\n", ""]);
  });

  test("colours on a terminal alone, and not with NO_COLOR", async () => {
    const coloured = await inTerminal(["ls", episode]);
    expect([coloured.status, coloured.text]).toEqual([0, expect.stringContaining("\u001b[1mRefs\u001b[22m") as string]);
    const plain = await inTerminal(["ls", episode], { env: { NO_COLOR: "1" } });
    expect(plain.text).not.toContain("\u001b[");
    expect(plain.text.replaceAll("\r\n", "\n")).toBe(await output(["ls", episode]));
    expect(await output(["ls", episode], { env: { FORCE_COLOR: "1" } })).toContain("\u001b[1m");
  });

  test("Ctrl-C stops requests and ends as one that was interrupted", async () => {
    let closed = 0;
    let asked: () => void = () => undefined;
    const request = new Promise<void>((resolve) => (asked = resolve));
    await withServer(
      (_request, response) => {
        response.on("close", () => (closed += 1));
        asked();
      },
      async (url) => {
        const child = spawn(process.execPath, [MAIN, "ls", url], { stdio: ["ignore", "pipe", "pipe"] });
        let err = "";
        child.stderr.on("data", (piece: Buffer) => (err += piece.toString()));
        await request;
        child.kill("SIGINT");
        const status = await new Promise((resolve) => child.on("close", resolve));
        expect([status, err]).toEqual([130, ""]);
      },
    );
    expect(closed).toBeGreaterThan(0);
  });
});

describe("over HTTP", () => {
  test("headers and a URL's user are sent, and shown nowhere", async () => {
    const seen: (string | undefined)[][] = [];
    await withServer(
      ({ headers }, response) => {
        seen.push([headers["x-key"] as string | undefined, headers.authorization]);
        response.writeHead(403).end("no");
      },
      async (url) => {
        const source = url.replace("http://", "http://user:swordfish@");
        const { status, stdout, stderr } = await cli(["ls", `${source}?token=hunter2`, "--header", "X-Key: opensesame", "--verbose"]);
        expect([status, stdout.length]).toEqual([3, 0]);
        expect(stderr).toMatch(/^dreamdb-arrays: Forbidden: /);
        for (const secret of ["swordfish", "hunter2", "opensesame", Buffer.from("user:swordfish").toString("base64")]) expect(stderr).not.toContain(secret);
      },
    );
    expect(seen.at(-1)).toEqual(["opensesame", `Basic ${Buffer.from("user:swordfish").toString("base64")}`]);
  });

  test("a host that says nothing is given up after --timeout", async () => {
    await withServer(
      () => undefined,
      async (url) => {
        const start = performance.now();
        const { status, stderr } = await cli(["show", url, "pose", "--timeout", "1"]);
        expect([status, stderr]).toEqual([3, expect.stringMatching(/^dreamdb-arrays: Timeout: .*; next: try again, or with a longer --timeout\n$/) as string]);
        expect(performance.now() - start).toBeGreaterThan(1000);
      },
    );
  });
});

test("a file: URL is a folder, and a manifest's address a version", async () => {
  const listed = (await json(["ls", pathToFileURL(episode).href, "--json"])) as { manifest: { address: string } };
  const pinned = (await json(["ls", episode, listed.manifest.address, "--json"])) as { manifest: unknown };
  expect(pinned.manifest).toEqual(listed.manifest);
});
