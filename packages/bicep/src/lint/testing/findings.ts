import { describeDiagnostics, modelOf } from "../../limits/testing/limits-of.ts";
import type { LinterConfiguration, RuleLevel } from "../configuration.ts";
import { lint } from "../lint.ts";
import { rules } from "../rules.ts";

export interface FindingsOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly level?: RuleLevel;
  /** A name that ends in `.bicepparam` makes it a parameters file. */
  readonly name?: string;
}

/** What one rule finds, as the text that each finding is about. All other rules are off. */
export function findings(rule: string, source: string, options: FindingsOptions = {}): string[] {
  const model = modelOf(source, options.files, options.name);
  const found = lint(model, onlyRule(rule, options));
  return describeDiagnostics(source, found).map((text) => text.slice(rule.length + 1));
}

function onlyRule(rule: string, { level = "warning", options = {} }: FindingsOptions): LinterConfiguration {
  return {
    enabled: true,
    rules: new Map(
      rules.map(({ name }) => [
        name,
        { level: name === rule ? level : "off", options: new Map(Object.entries(name === rule ? options : {})) },
      ]),
    ),
  };
}

/** A sentence, a source, and what the rule finds in it. */
export type FindingRow = readonly [sentence: string, source: string, ...found: string[]];
