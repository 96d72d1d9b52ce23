/** SeaweedFS as an S3 store, with the fixtures in its buckets. */

import { readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { filesBelow } from "../../../scripts/lib/fingerprint.mjs";
import { findSeaweed, seaweedVersion } from "../../../scripts/lib/servers.mjs";
import { makeTempDir } from "../../support/temp-dir.js";
import { onFreePorts, type Program, startProgram } from "./program.js";
import { APP_ORIGIN, BUCKETS, REF_COPY, type S3, signer } from "./s3.js";

const FIXTURES = fileURLToPath(new URL("../../fixtures", import.meta.url));
const DOCS = fileURLToPath(new URL("../../../docs/http.md", import.meta.url));
const UPLOADS_AT_ONCE = 8;

/** Fixtures of each bucket. */
const CONTENT: Readonly<Record<keyof typeof BUCKETS, readonly string[]>> = {
  open: ["packs", "episode", "arrays-basic", "singles-bao"],
  app: ["packs"],
  closed: ["packs", "arrays-basic"],
};

/** Start it, make the buckets and fill them. */
export async function startSeaweed(): Promise<{ readonly s3: S3; readonly program: Program }> {
  const command = findSeaweed();
  if (command === undefined) throw new Error(`SeaweedFS ${seaweedVersion} is not there; \`node scripts/setup.mjs --for servers\` brings it`);
  const keys = { accessKeyId: `AKIA${random(16)}`, secretAccessKey: random(40) };
  return await onFreePorts(8, async (ports) => {
    const folder = await makeTempDir();
    const s3: S3 = { url: `http://127.0.0.1:${ports[0]}`, ...keys };
    await writeFile(join(folder, "s3.json"), JSON.stringify(identities(s3)));
    // Writing needs all parts of it. The bucket may be there from the last try.
    const ready = async () => {
      const bucket = await put(s3, "ready");
      return (bucket.ok || bucket.status === 409) && (await put(s3, "ready/object", "x")).ok;
    };
    const program = await startProgram({ name: "SeaweedFS", command, args: settings(folder, ports), folder, ready });
    try {
      await Promise.all((["open", "app", "closed"] as const).map((bucket) => fill(s3, bucket)));
      const ref = await readFile(join(FIXTURES, "packs", "data", "refs", "main"));
      await succeed(put(s3, `${BUCKETS.open}/packs/data/refs/${REF_COPY}`, ref));
      return { s3, program };
    } catch (error) {
      await program.stop();
      throw error;
    }
  });
}

/** Everything on the loopback interface, on ports that were chosen, without what no test needs. */
function settings(folder: string, ports: readonly number[]): string[] {
  const [s3, s3Grpc, filer, filerGrpc, volume, volumeGrpc, master, masterGrpc] = ports;
  return [
    "-logtostderr", "server", `-dir=${folder}`, "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
    `-master.port=${master}`, `-master.port.grpc=${masterGrpc}`, "-master.telemetry=false", "-master.volumeSizeLimitMB=64",
    `-volume.port=${volume}`, `-volume.port.grpc=${volumeGrpc}`, "-volume.max=32", "-volume.minFreeSpace=0", "-volume.preStopSeconds=0",
    `-filer.port=${filer}`, `-filer.port.grpc=${filerGrpc}`, `-filer.localSocket=${join(folder, "filer.sock")}`,
    "-s3", `-s3.port=${s3}`, `-s3.port.grpc=${s3Grpc}`, `-s3.localSocket=${join(folder, "s3.sock")}`,
    "-s3.port.iceberg=0", "-s3.port.lance=0", `-s3.config=${join(folder, "s3.json")}`,
  ];
}

function identities({ accessKeyId, secretAccessKey }: S3): unknown {
  const anonymous = [BUCKETS.open, BUCKETS.app].flatMap((bucket) => [`Read:${bucket}`, `List:${bucket}`]);
  return {
    identities: [
      { name: "anonymous", actions: anonymous },
      { name: "tests", credentials: [{ accessKey: accessKeyId, secretKey: secretAccessKey }], actions: ["Admin", "Read", "List", "Write", "Tagging"] },
    ],
  };
}

async function fill(s3: S3, bucket: keyof typeof BUCKETS): Promise<void> {
  await succeed(put(s3, BUCKETS[bucket]));
  await succeed(put(s3, `${BUCKETS[bucket]}?cors`, await corsRule(bucket)));
  const files = CONTENT[bucket].flatMap((name) => filesBelow(join(FIXTURES, name, "data")));
  const upload = async () => {
    for (let file = files.pop(); file !== undefined; file = files.pop()) {
      await succeed(put(s3, `${BUCKETS[bucket]}/${relative(FIXTURES, file).replaceAll("\\", "/")}`, await readFile(file)));
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, upload));
}

/**
 * The rule of the documentation, as it stands there; for test buckets any origin, which is unknown before a browser starts, and for the one that is
 * written to with the line that lets pages write.
 */
async function corsRule(bucket: keyof typeof BUCKETS): Promise<string> {
  const text = await readFile(DOCS, "utf8");
  const rule = /```xml\n(<CORSConfiguration>[\s\S]*?)```/.exec(text)?.[1];
  const origin = `<AllowedOrigin>${APP_ORIGIN}</AllowedOrigin>`;
  if (rule === undefined || !rule.includes(origin)) throw new Error(`docs/http.md has no CORS rule for ${APP_ORIGIN}`);
  if (bucket === "app") return rule;
  const line = "<AllowedMethod>PUT</AllowedMethod>";
  if (!text.includes(`\n${line}\n`)) throw new Error("docs/http.md does not say what lets pages write");
  const anybody = rule.replace(origin, "<AllowedOrigin>*</AllowedOrigin>");
  return bucket === "closed" ? anybody.replace("<AllowedMethod>GET</AllowedMethod>", (method) => method + line) : anybody;
}

async function put(s3: S3, path: string, body?: Uint8Array<ArrayBuffer> | string): Promise<Response> {
  return await signer(s3).fetch(`${s3.url}/${path}`, { method: "PUT", ...(body !== undefined && { body }) });
}

async function succeed(request: Promise<Response>): Promise<void> {
  const answer = await request;
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
}

function random(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[byte % 32]).join("");
}
