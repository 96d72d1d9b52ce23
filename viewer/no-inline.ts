/** Stands for the inline copy of the WebAssembly code, which the built page does without: the file lies beside it. */
throw new Error("this page has none; its .wasm file lies beside it");
