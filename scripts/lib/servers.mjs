/** Finding the two servers that `tests/servers` reads from: SeaweedFS, an S3 store, and nginx. Installs nothing. */
import { join } from "node:path";
import { toolsHome } from "./paths.mjs";
import { ask } from "./run.mjs";

/** The release of SeaweedFS; behaviour that tests and docs state was seen with it. */
export const seaweedVersion = "4.48";

/** Where the shared cache keeps SeaweedFS. */
export function seaweedHome() {
  return join(toolsHome(), `seaweedfs-${seaweedVersion}`);
}

/**
 * The program of SeaweedFS at exactly that release: of PATH, else of the shared cache.
 * @returns {string | undefined}
 */
export function findSeaweed() {
  return ["weed", join(seaweedHome(), "bin", "weed")].find((path) =>
    ask(path, ["version"])?.includes(` ${seaweedVersion} `),
  );
}

/**
 * The program of nginx, any release: of PATH, else where Debian has it for root.
 * @returns {string | undefined}
 */
export function findNginx() {
  return ["nginx", "/usr/sbin/nginx"].find((path) => ask(path, ["-v"]) !== undefined);
}
