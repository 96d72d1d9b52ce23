/** Any host, for those who bring the code themselves: `init()` takes it, and nothing is fetched or held. */
export * from "../api.js";
