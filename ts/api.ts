/** The public API: everything that an entry exports. Imported by entries alone; browsers and Node have the doors of {@link doors.ts} instead. */
export * from "./surface.js";
export { openDataset } from "./dataset/open.js";
export { openArrayField } from "./dataset/open-array-field.js";
export { Dataset } from "./write/door.js";
