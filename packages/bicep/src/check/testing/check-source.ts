import { Compilation, createMemoryHost } from "../../files/index.ts";
import type { SemanticModel } from "../../semantics/index.ts";

export interface CheckOptions {
  /** Other files, by path relative to the source. */
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** The source is a parameters file. */
  readonly params?: boolean;
}

/** What a rule says, a source that shows it, and what is found there. */
export type Row = readonly [rule: string, source: string, found: readonly string[], options?: CheckOptions];

/**
 * What binder and checker say about a source, as `line:column code`, with a `W` or `I` behind warnings and infos. That
 * Azure types are not defined (BCP081) goes without saying; neither syntax nor limits nor the linter take part.
 */
export function checkSource(source: string, options: CheckOptions = {}): string[] {
  const model = modelOf(source, options);
  const { lineMap } = model.file.syntax;
  const found = model
    .diagnostics()
    .filter((diagnostic) => diagnostic.code !== "BCP081")
    .map(({ code, level, span }) => {
      const { line, column } = lineMap.position(span.start);
      return { start: span.start, text: `${line}:${column} ${code}${marks[level]}` };
    });
  found.sort((left, right) => left.start - right.start || (left.text < right.text ? -1 : 1));
  return Array.from(new Set(found.map((item) => item.text)));
}

/** The model of a source in memory. */
export function modelOf(source: string, options: CheckOptions = {}): SemanticModel {
  const main = options.params === true ? "/main.bicepparam" : "/main.bicep";
  const files = new Map([[main, source]]);
  for (const [path, text] of Object.entries(options.files ?? {})) {
    files.set(`/${path}`, text);
  }
  const host = createMemoryHost({ files, environment: options.environment ?? {} });
  const compilation = new Compilation({ host });
  const model = compilation.model(main);
  if (model === undefined) {
    throw new Error("The source in memory could not be read.");
  }
  return model;
}

const marks = { error: "", warning: "W", info: "I" } as const;
