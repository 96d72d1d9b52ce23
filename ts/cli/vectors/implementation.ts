/**
 * The package itself as an implementation for the runner, on its public functions where there are some and on its core otherwise.
 *
 * Parts of documents go into whole ones, and objects into stores, so that the package's whole way is walked. Nothing here knows what a
 * vector expects.
 */
import type { Implementation } from "../../conformance/implementation.js";
import { storage } from "./storage.js";
import { types } from "./types.js";
import { writes } from "./writes.js";

/** The package. */
export const ours = { ...types, ...storage, ...writes } as const satisfies Implementation;
