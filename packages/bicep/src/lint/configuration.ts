import type { DiagnosticLevel } from "../diagnostic.ts";

/** How loud a rule is. */
export type RuleLevel = DiagnosticLevel | "off";

/** The `analyzers.core` section of a configuration. */
export interface LinterConfiguration {
  readonly enabled: boolean;
  /** By rule name; rules that are not named keep their defaults. */
  readonly rules: ReadonlyMap<string, RuleConfiguration>;
}

export interface RuleConfiguration {
  /** Missing: the default level of the rule. */
  readonly level: RuleLevel | undefined;
  /** The entry as it was written; a rule takes what it understands. */
  readonly options: ReadonlyMap<string, unknown>;
}

/** Every rule as it comes. */
export const defaultLinterConfiguration: LinterConfiguration = { enabled: true, rules: new Map() };

/** A list of strings, or the default when the option is something else. */
export function stringsOption(
  options: ReadonlyMap<string, unknown>,
  name: string,
  preset: readonly string[],
): readonly string[] {
  const value = options.get(name);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : preset;
}

/** A whole number, or the default when the option is something else. */
export function numberOption(options: ReadonlyMap<string, unknown>, name: string, preset: number): number {
  const value = options.get(name);
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : preset;
}
