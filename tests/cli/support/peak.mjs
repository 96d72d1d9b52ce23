/** Runs the built command line as it is, and says on standard error the most memory that its process had. */
process.on("exit", () => {
  process.stderr.write(`peak ${process.resourceUsage().maxRSS * 1024}\n`);
});
await import("../../../dist/cli/main.js");
