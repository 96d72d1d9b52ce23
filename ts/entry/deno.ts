/** Deno: the inline code, because reading even the package's own file would ask the user for a permission. */
export * from "./inline.js";
