import type { Diagnostic } from "../../diagnostic.ts";
import { Compilation, createMemoryHost } from "../../files/index.ts";
import type { SemanticModel } from "../../semantics/index.ts";
import { checkLimits } from "../check-limits.ts";

/** What a file means; other files are given by path below the file's folder. */
export function modelOf(
  source: string,
  files: Readonly<Record<string, string>> = {},
  name = "main.bicep",
): SemanticModel {
  const all = new Map([[`/repo/${name}`, source]]);
  for (const [path, text] of Object.entries(files)) {
    all.set(`/repo/${path}`, text);
  }
  const model = new Compilation({ host: createMemoryHost({ files: all }) }).model(`/repo/${name}`);
  if (model === undefined) {
    throw new Error("the host has no such file");
  }
  model.diagnostics();
  return model;
}

/** Diagnostics as `CODE text`, the text being what they are about, in source order. */
export function describeDiagnostics(source: string, diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics
    .toSorted((left, right) => left.span.start - right.span.start || left.span.end - right.span.end)
    .map(({ code, span }) => `${code} ${source.slice(span.start, span.end)}`);
}

export function limitsOf(source: string, files: Readonly<Record<string, string>> = {}): string[] {
  return describeDiagnostics(source, checkLimits(modelOf(source, files)));
}

/** What a test row says: a sentence, a source, and what is found in it. */
export type LimitRow = readonly [sentence: string, source: string, ...found: string[]];
