/**
 * The libraries of the command line, in one place. The build bundles them with the program (scripts/lib/program.mjs), so that the package declares no
 * dependency and users of the library install none. Whatever the command line takes from elsewhere, it takes from here.
 */
export { Command, CommanderError, InvalidArgumentError, Option } from "commander";
export { default as cliProgress } from "cli-progress";
export { default as Table } from "cli-table3";
export { default as colours } from "picocolors";
export { Zip, ZipPassThrough } from "fflate";
export { imageSize } from "image-size";
