/**
 * Many runs of the built command line in one process: a list of argument lists comes in, how each ended goes out. Each run has streams of its own
 * that are no terminals.
 */
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { commands } from "../../../dist/cli/commands.js";
import { run } from "../../../dist/cli/program.js";
import { init } from "../../../dist/entry/node.js";

function gathering() {
  /** @type {Buffer[]} */
  const pieces = [];
  const stream = new Writable({
    write(/** @type {Buffer} */ piece, _, done) {
      pieces.push(Buffer.from(piece));
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY: false }), all: () => Buffer.concat(pieces) };
}

await init();
const ended = [];
for (const args of /** @type {string[][]} */ (JSON.parse(await text(process.stdin)))) {
  const [out, err] = [gathering(), gathering()];
  const streams = /** @type {import("../../../ts/cli/manners/output.js").Streams} */ (/** @type {unknown} */ ({ stdout: out.stream, stderr: err.stream }));
  const status = await run(commands, args, streams);
  ended.push({ args, status, stdout: out.all().toString("base64"), stderr: err.all().toString() });
}
process.stdout.write(JSON.stringify(ended));
