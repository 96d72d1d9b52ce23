/** Both ways to fields that can be read, as one part for ts/doors.ts to load: two would share nearly everything, in chunks of their own. */
export { openDataset } from "./open.js";
export { openArrayField } from "./open-array-field.js";
