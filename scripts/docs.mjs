/**
 * Writes the API reference, HTML by TypeDoc, into .tools/docs.
 *
 *     node scripts/docs.mjs
 *
 * Every public name must be documented and every link must lead somewhere: what does not is an error.
 */
import { join } from "node:path";
import { Application } from "typedoc";
import { build } from "./build.mjs";
import { root, scratch } from "./lib/paths.mjs";
import { fail } from "./lib/run.mjs";
import { setup } from "./setup.mjs";

/** Sources of what the package exports, by what users import. The class of datasets is a type alone in the first, so it has a page of its own. */
const MODULES = /** @type {Record<string, string>} */ ({
  "dreamdb-arrays": "ts/api.ts",
  "dreamdb-arrays/fs": "ts/store/fs.ts",
  "dreamdb-arrays/conformance": "ts/conformance/run.ts",
  Dataset: "ts/dataset/dataset.ts",
});

/** Types that stand in public ones and are no business of their own. */
const PARTS = ["NestedList", "Column", "TypeArgument", "Declared"];

try {
  await setup("build");
  await build();
  const app = await Application.bootstrap({
    name: "dreamdb-arrays",
    entryPoints: Object.values(MODULES).map((path) => join(root, path)),
    tsconfig: join(root, "tsconfig.build.json"),
    readme: join(root, "README.md"),
    projectDocuments: ["ARCHITECTURE.md", "docs/*.md"].map((path) => join(root, path)),
    excludeInternal: true,
    excludePrivate: true,
    excludeProtected: true,
    disableSources: true,
    hideGenerator: true,
    sort: ["source-order"],
    intentionallyNotExported: PARTS,
    validation: { notExported: true, invalidLink: true, notDocumented: true, unusedMergeModuleWith: true },
    highlightLanguages: ["ts", "js", "json", "sh", "bash", "nginx", "xml"],
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("docs: TypeDoc could not read the sources");
  for (const [name, path] of Object.entries(MODULES)) {
    const module = project.children?.find((child) => path.endsWith(`${child.name}.ts`));
    if (module === undefined) throw new Error(`docs: TypeDoc has nothing of ${path}`);
    module.name = name;
  }
  app.validate(project);
  const out = join(scratch, "docs");
  await app.generateDocs(project, out);
  const { errorCount, warningCount } = app.logger;
  if (errorCount + warningCount > 0) throw new Error(`docs: ${errorCount + warningCount} faults, listed above`);
  process.stdout.write(`docs: ${join(out, "index.html")}\n`);
} catch (error) {
  fail(error);
}
