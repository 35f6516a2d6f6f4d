import { Compilation, createMemoryHost } from "@rad/bicep";

const path = "/main.bicep";

/** Everything that `rad bicep build` does with a file that is in memory: parse, check, lint, emit, hash, print. */
export function compile(text: string): Compilation {
  const compilation = new Compilation({ host: createMemoryHost({ files: new Map([[path, text]]) }) });
  const error = compilation
    .diagnostics(path)
    .flatMap((file) => file.diagnostics)
    .find(({ level }) => level === "error");
  if (error !== undefined) {
    throw new Error(`the generated file does not compile: ${error.code}: ${error.message}`);
  }
  const result = compilation.emitTemplate(path, { generatorVersion: "bench" });
  if (result === undefined || result.text === "" || result.templateHash === "") {
    throw new Error("the generated file gave no template");
  }
  return compilation;
}
