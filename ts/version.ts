/** The package's version, as manifests that it writes name it; a test holds it to package.json. */
export const VERSION = "0.1.0";
