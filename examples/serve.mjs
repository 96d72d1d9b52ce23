/**
 * Serves a folder on this machine, with ranges and CORS, so that the other examples have something to read. For work, not for the public internet.
 *
 *     node examples/serve.mjs [FOLDER]
 *
 * Without a folder it is a dataset of the tests, which the reference implementation wrote. Needs `npm run build` once.
 */
import { fileURLToPath } from "node:url";
import { serveDirectory } from "../dist/cli/server/serve.js";

const [folder = fileURLToPath(new URL("../tests/fixtures/episode/data", import.meta.url))] = process.argv.slice(2);
const { url } = await serveDirectory(folder);
console.log(url);
