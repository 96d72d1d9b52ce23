/** What commands that serve have in common: the port that they take, and whom they reach. */
import { isDreamDbError } from "../../errors.js";
import { InvalidArgumentError } from "../vendor.js";
import type { StaticServer } from "./listen.js";

/** Reads a port out of an option. */
export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
  return port;
}

/** A server on the port that was asked for; else on its usual one, so that an address stays from one day to the next; on a free one, if that is in use. */
export async function onPort(asked: number | undefined, usual: number, on: (port: number) => Promise<StaticServer>): Promise<StaticServer> {
  return await on(asked ?? usual).catch((error: unknown) => {
    const taken = isDreamDbError(error, "FileSystem") && (error.cause as NodeJS.ErrnoException | undefined)?.code === "EADDRINUSE";
    if (taken && asked === undefined) return on(0);
    throw error;
  });
}

/** Whether a host's name or address is that of this machine alone. */
export function isLoopback(host: string): boolean {
  return /^(localhost|::1|127(\.\d{1,3}){3})$/i.test(host);
}
