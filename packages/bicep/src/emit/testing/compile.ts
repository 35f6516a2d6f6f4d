import assert from "node:assert/strict";
import { Compilation, createMemoryHost } from "../../files/index.ts";
import type { SemanticModel, SourceFile } from "../../semantics/index.ts";
import type { FileLoader, FileRequest, LiteralValue } from "../../types/index.ts";
import { emitParametersFile, emitTemplate } from "../index.ts";
import type { EmitResult, ParametersResult } from "../index.ts";

export interface CompileOptions {
  /** Other files by absolute path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly features?: readonly string[];
  readonly sourceMap?: boolean;
  /** What `load…` functions find, by `kind path`. */
  readonly loaded?: Readonly<Record<string, LiteralValue>>;
  /** Restored artifacts: the text of the reference to the path of the content. */
  readonly artifacts?: Readonly<Record<string, string>>;
  /** For what the checker refuses and the emitter still has an answer to. */
  readonly tolerateErrors?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into JSON of many shapes
export type Json = any;

/** The template of a source without errors, as plain JSON. */
export function compile(source: string, options: CompileOptions = {}): Json {
  const result = emit(source, options);
  assert.deepEqual(result.diagnostics, []);
  return JSON.parse(result.text);
}

export function emit(source: string, options: CompileOptions = {}): EmitResult {
  const model = modelOf("/main.bicep", source, options);
  const errors = model.diagnostics().filter((diagnostic) => diagnostic.level === "error");
  if (options.tolerateErrors !== true) {
    assert.deepEqual([...model.file.syntax.diagnostics, ...errors], []);
  }
  return emitTemplate(model, {
    generatorVersion: "test",
    ...(options.sourceMap === true && { sourceMap: true }),
    ...(options.loaded && { fileLoader: loaderOf(options.loaded) }),
  });
}

/** The JSON of a parameters file; `using` files are among the other files. */
export function compileParameters(source: string, options: CompileOptions = {}): ParametersResult & { value: Json } {
  const model = modelOf("/main.bicepparam", source, options);
  const result = emitParametersFile(model, options.loaded ? { fileLoader: loaderOf(options.loaded) } : {});
  return { ...result, value: JSON.parse(result.text) };
}

export function modelOf(path: string, source: string, options: CompileOptions): SemanticModel {
  const features = Object.fromEntries((options.features ?? []).map((name) => [name, true]));
  const files = new Map<string, string>([
    ...Object.entries(options.files ?? {}),
    [path, source],
    ["/bicepconfig.json", JSON.stringify({ experimentalFeaturesEnabled: features })],
  ]);
  const artifacts = new Map(Object.entries(options.artifacts ?? {}));
  const host = createMemoryHost({ files, artifacts, environment: options.environment ?? {} });
  const compilation = new Compilation({ host });
  const model = compilation.model(path);
  assert.ok(model);
  return model;
}

function loaderOf(loaded: Readonly<Record<string, LiteralValue>>): (file: SourceFile) => FileLoader {
  return () => ({
    load: (request: FileRequest) => {
      const value = loaded[`${request.kind} ${request.path}${request.selector ?? ""}`];
      return value === undefined
        ? { problem: { code: "BCP091", level: "error", message: "missing", argument: 0 } }
        : { value };
    },
  });
}
