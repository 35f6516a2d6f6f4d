import { error, info, warning } from "../diagnostic.ts";
import type { Diagnostic, DiagnosticLevel, Span } from "../diagnostic.ts";
import type { ListedKind, SemanticModel } from "../semantics/index.ts";
import type { LinterConfiguration } from "./configuration.ts";
import { defaultLevel } from "./rule.ts";
import type { RuleVisitor } from "./rule.ts";
import { rules } from "./rules.ts";

/** What the rules find in a file, rule by rule; levels and options are the configuration's. Pragmas come later. */
export function lint(model: SemanticModel, configuration: LinterConfiguration): Diagnostic[] {
  if (!configuration.enabled) {
    return [];
  }
  const found: Diagnostic[][] = [];
  const visits = new Visits();
  for (const rule of rules) {
    const settings = configuration.rules.get(rule.name);
    const level = settings?.level ?? defaultLevel(rule);
    if (level === "off" || rule.start === undefined) {
      continue;
    }
    const diagnostics: Diagnostic[] = [];
    found.push(diagnostics);
    const report = (span: Span, message: string): void => {
      diagnostics.push(make[level](rule.name, span, message));
    };
    const visitor = rule.start({ model, options: settings?.options ?? new Map<string, unknown>(), report });
    if (visitor !== undefined) {
      visits.add(visitor);
    }
  }
  visits.visit(model);
  return found.flat();
}

const make: Readonly<Record<DiagnosticLevel, (code: string, span: Span, message: string) => Diagnostic>> = {
  error,
  warning,
  info,
};

/** The functions of all rules by kind of node, so that one pass over a kind serves every rule. */
class Visits {
  readonly #byKind = new Map<ListedKind, ((node: never) => void)[]>();

  add(visitor: RuleVisitor): void {
    for (const [kind, visit] of Object.entries(visitor) as [ListedKind, (node: never) => void][]) {
      const known = this.#byKind.get(kind);
      if (known === undefined) {
        this.#byKind.set(kind, [visit]);
      } else {
        known.push(visit);
      }
    }
  }

  visit(model: SemanticModel): void {
    for (const [kind, visitors] of this.#byKind) {
      for (const node of model.nodesOf(kind)) {
        // By index: an iterator for each node would be a fortieth of what a compilation allocates.
        for (let index = 0; index < visitors.length; index += 1) {
          visitors[index]?.(node as never);
        }
      }
    }
  }
}
