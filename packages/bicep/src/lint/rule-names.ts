import { rules } from "./rules.ts";

/** The names of all rules, those that find nothing here included. */
export const linterRuleNames: readonly string[] = rules.map(({ name }) => name);

const names: ReadonlySet<string> = new Set(linterRuleNames);

/** Whether a diagnostic's code is the name of a rule, and not one of the compiler's. */
export function isLinterRule(code: string): boolean {
  return names.has(code);
}
