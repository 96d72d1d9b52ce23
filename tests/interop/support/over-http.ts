/** A folder behind a server, as long as it is used. */
import { serveDirectory } from "../../../ts/cli/server/serve.js";

export async function overHttp(folder: string, use: (url: string) => Promise<void>, writable = false): Promise<void> {
  const server = await serveDirectory(folder, { writable });
  try {
    await use(server.url);
  } finally {
    await server.close();
  }
}
