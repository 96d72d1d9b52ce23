/** nginx over the fixtures: as the documentation configures it, and with one thing changed at a time. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findNginx } from "../../../scripts/lib/servers.mjs";
import { makeTempDir } from "../../support/temp-dir.js";
import type { NginxUrls } from "./nginx-log.js";
import { onFreePorts, type Program, startProgram } from "./program.js";

const FIXTURES = fileURLToPath(new URL("../../fixtures", import.meta.url));
const DOCS = fileURLToPath(new URL("../../../docs/http.md", import.meta.url));

/** Start it. */
export async function startNginx(): Promise<{ readonly urls: NginxUrls; readonly program: Program }> {
  const command = findNginx();
  if (command === undefined) throw new Error("nginx is not there; `node scripts/setup.mjs --for servers` brings it, or says how");
  return await onFreePorts(5, async (ports) => {
    const folder = await makeTempDir();
    const [plain, noRanges, gzip, redirect, log] = ports.map((port) => `127.0.0.1:${port}`);
    await writeFile(join(folder, "nginx.conf"), await settings(folder, { plain, noRanges, gzip, redirect, log }));
    const urls = { plain: `http://${plain}`, noRanges: `http://${noRanges}`, gzip: `http://${gzip}`, redirect: `http://${redirect}`, log: `http://${log}/log` };
    const program = await startProgram({
      name: "nginx",
      command,
      args: ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"],
      folder,
      ready: async () => (await fetch(`${urls.plain}/packs/data/refs/main`)).ok,
    });
    return { urls, program };
  });
}

async function settings(folder: string, listen: Record<keyof NginxUrls, string | undefined>): Promise<string> {
  const { shared, server: plain } = await documented();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((what) => `${what}_temp_path ${folder}/${what};`);
  return `
# One process, so that a request is in the log before the next one is read.
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr notice;
events {}
http {
  ${temporary.join("\n  ")}
  log_format requests escape=json '{"target":"$request_uri","status":$status,"bytes":$body_bytes_sent,"range":"$http_range","encoding":"$sent_http_content_encoding"}';
  access_log ${folder}/requests.log requests;
  ${shared}
  ${onAddress(plain, listen.plain)}
  ${onAddress(changed(plain, "gzip off;", "max_ranges 0;"), listen.noRanges)}
  ${onAddress(changed(plain, "gzip off;", "gzip on; gzip_types *; gzip_min_length 1;"), listen.gzip)}
  server {
    listen ${listen.redirect};
    add_header Access-Control-Allow-Origin * always;
    location / { return 302 http://${listen.plain}$request_uri; }
  }
  server {
    listen ${listen.log};
    access_log off;
    add_header Access-Control-Allow-Origin *;
    add_header Cache-Control no-store;
    location = /log { alias ${folder}/requests.log; }
  }
}
`;
}

/** The configuration of the documentation, word for word but for the folder: what stands before its server, and that. */
async function documented(): Promise<{ readonly shared: string; readonly server: string }> {
  const [, shared, server] = /```nginx\n([\s\S]*?)(^server \{[\s\S]*?)```/m.exec(await readFile(DOCS, "utf8")) ?? [];
  if (shared === undefined || server === undefined) throw new Error("docs/http.md has no nginx configuration");
  return { shared, server: changed(server, "root /srv/datasets;", `root ${FIXTURES};`) };
}

function onAddress(server: string, address: string | undefined): string {
  return changed(server, "listen 80;", `listen ${address};`);
}

function changed(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`the nginx configuration in docs/http.md has not exactly one \`${from}\``);
  return text.replace(from, () => to);
}
