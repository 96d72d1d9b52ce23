/** Hosts that take a .wasm file as a module give its default export the compiled code. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
