import type { Span } from "../diagnostic.ts";
import type { ListedKind, SemanticModel } from "../semantics/index.ts";
import type { NodeOf } from "../syntax/index.ts";
import type { RuleLevel } from "./configuration.ts";

/** One rule of the linter. Its name is the code of what it finds. */
export interface Rule {
  readonly name: string;
  readonly category: RuleCategory;
  /** Only where it differs from the category's. */
  readonly level?: RuleLevel;
  /**
   * Looks at one file. What needs no tree is reported at once; the rest comes from the visitor, which sees the nodes
   * of each kind in source order. Missing for rules that are known by name only, because what they compare with (lists
   * of Azure's or of a registry) is not here.
   */
  readonly start?: (context: RuleContext) => RuleVisitor | void;
}

type RuleCategory =
  | "BestPractice"
  | "DeploymentError"
  | "DeploymentStackIncompatibility"
  | "Portability"
  | "PotentialCodeIssues"
  | "ResourceLocationRules"
  | "Security"
  | "Style";

export interface RuleContext {
  readonly model: SemanticModel;
  /** The members of the rule's configuration other than its level. */
  readonly options: ReadonlyMap<string, unknown>;
  readonly report: (span: Span, message: string) => void;
}

/** What a rule does with each node of a kind. */
export type RuleVisitor = { readonly [K in ListedKind]?: (node: NodeOf<K>) => void };

const categoryLevels: Readonly<Record<RuleCategory, RuleLevel>> = {
  BestPractice: "warning",
  DeploymentError: "error",
  DeploymentStackIncompatibility: "info",
  Portability: "off",
  PotentialCodeIssues: "warning",
  ResourceLocationRules: "off",
  Security: "warning",
  Style: "warning",
};

export function defaultLevel(rule: Rule): RuleLevel {
  return rule.level ?? categoryLevels[rule.category];
}
