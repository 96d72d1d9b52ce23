/**
 * nginx over a folder: a static server as people run it, and fast enough not to be what is measured.
 *
 * Of the package's own server, which asks the file system and hashes for entity tags, a request takes about 90 µs, more than any reader.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNginx } from "../../scripts/lib/servers.mjs";

/** Longest wait for it, in milliseconds. */
const START_MS = 10_000;

/** nginx in the foreground, with one worker, as there is one more core than the reader's. */
export class NginxServer {
  /** @type {import("node:child_process").ChildProcess} */
  #child;
  #home;

  /**
   * @param {import("node:child_process").ChildProcess} child
   * @param {string} home
   * @param {string} url without a slash at the end
   */
  constructor(child, home, url) {
    this.#child = child;
    this.#home = home;
    this.url = url;
  }

  /**
   * Serves a folder.
   * @param {string} folder
   * @param {string} key of a file that is there
   */
  static async start(folder, key = "refs/main") {
    const home = mkdtempSync(join(tmpdir(), "dreamdb-bench-nginx-"));
    const port = await freePort();
    const asRoot = process.getuid?.() === 0 ? "user root;" : "";
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${home}/${name};`).join(" ");
    const http = `access_log off; sendfile on; ${paths} keepalive_requests 10000000; open_file_cache max=30000 inactive=600s; default_type application/octet-stream;`;
    const config = join(home, "nginx.conf");
    writeFileSync(
      config,
      `${asRoot} daemon off; worker_processes 1; pid ${home}/pid; error_log ${home}/error.log;
       events { worker_connections 512; } http { ${http} server { listen 127.0.0.1:${port}; root ${folder}; } }`,
    );
    const child = spawn(findNginx() ?? "nginx", ["-e", `${home}/error.log`, "-c", config], { stdio: "ignore" });
    const server = new NginxServer(child, home, `http://127.0.0.1:${port}`);
    const end = performance.now() + START_MS;
    while (!(await fetch(`${server.url}/${key}`).then(({ ok }) => ok, () => false))) {
      if (child.exitCode !== null || performance.now() > end) throw new Error(`nginx does not serve ${folder}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return server;
  }

  async close() {
    const ended = once(this.#child, "exit");
    this.#child.kill();
    await ended;
    rmSync(this.#home, { recursive: true, force: true });
  }
}

/** A port that nobody has at this moment. */
async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
