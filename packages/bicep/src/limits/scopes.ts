import type { BicepSymbol, ModuleSymbol, ResourceSymbol, SemanticModel } from "../semantics/index.ts";
import type { Expression } from "../syntax/index.ts";
import { ScopeFlags } from "../types/index.ts";
import type { ScopeValue, Type } from "../types/index.ts";

/** Where a resource or module is deployed, or where an existing resource is found. */
export interface DeploymentScope {
  /** One of `ScopeFlags`; `Resource` for what is attached to another resource. */
  readonly scope: number;
  /** Names of the scope; missing ones are those of the deployment itself. */
  readonly managementGroup: Expression | undefined;
  readonly subscription: Expression | undefined;
  readonly resourceGroup: Expression | undefined;
  /** The resource that is extended, or the group resource that the scope was taken from. */
  readonly resource: ResourceSymbol | undefined;
  /** `scope: resources[index]` */
  readonly index: Expression | undefined;
}

/** What is wrong with the value of a `scope` property. */
type ScopeProblem = "module" | "resourceParameter" | "severalScopes";

export interface Scopes {
  /**
   * The scope of a resource or module. A child resource has the scope of its outermost ancestor, and a declaration
   * whose `scope` means nothing has that of the file.
   */
  of(symbol: ResourceSymbol | ModuleSymbol): DeploymentScope;
  /** The outermost resource that this one is a child of; itself when it is no child. */
  rootOf(symbol: ResourceSymbol): ResourceSymbol;
  problemWith(scope: Expression): ScopeProblem | undefined;
}

/** Answers about the scopes of one file; each is worked out once. */
export function createScopes(model: SemanticModel): Scopes {
  const known = new Map<ResourceSymbol | ModuleSymbol, DeploymentScope>();
  const roots = new Map<ResourceSymbol, ResourceSymbol>();
  const fileScope = scopeWith(model.targetScope);

  function of(symbol: ResourceSymbol | ModuleSymbol): DeploymentScope {
    const before = known.get(symbol);
    if (before !== undefined) {
      return before;
    }
    known.set(symbol, fileScope); // what a resource gets that is its own scope
    const scope = symbol.kind === "module" ? ofExpression(model.moduleOf(symbol).scope) : ofResource(symbol);
    known.set(symbol, scope);
    return scope;
  }

  function ofResource(symbol: ResourceSymbol): DeploymentScope {
    const root = rootOf(symbol);
    return root === symbol ? ofExpression(model.resourceOf(symbol).scope) : of(root);
  }

  function rootOf(symbol: ResourceSymbol): ResourceSymbol {
    const path = new Set<ResourceSymbol>();
    let at = symbol;
    while (!path.has(at)) {
      const above = roots.get(at) ?? model.resourceOf(at).parent?.symbol;
      if (above === undefined) {
        break;
      }
      path.add(at);
      at = above;
    }
    for (const below of path) {
      roots.set(below, at);
    }
    return at;
  }

  function ofExpression(scope: Expression | undefined): DeploymentScope {
    if (scope === undefined) {
      return fileScope;
    }
    const { symbol, index } = scopeTarget(model, scope);
    if (symbol?.kind === "resource") {
      return ofTarget(symbol, index);
    }
    const value = scopeValueOf(model.typeOf(scope));
    return value === undefined ? fileScope : ofFunction(value);
  }

  function ofTarget(symbol: ResourceSymbol, index: Expression | undefined): DeploymentScope {
    const { reference, name, isAzure } = model.resourceOf(symbol);
    const type = isAzure ? reference?.type.toLowerCase() : undefined;
    if (type === "microsoft.resources/resourcegroups") {
      const { subscription } = of(symbol);
      return scopeWith(ScopeFlags.ResourceGroup, { subscription, resourceGroup: name, resource: symbol, index });
    }
    if (type === "microsoft.management/managementgroups") {
      return scopeWith(ScopeFlags.ManagementGroup, { managementGroup: name, resource: symbol, index });
    }
    return scopeWith(ScopeFlags.Resource, { resource: symbol, index });
  }

  return { of, rootOf, problemWith: (scope) => problemWith(model, scope) };
}

/** The declaration that an expression names, directly or by an index into a collection. */
export function scopeTarget(
  model: SemanticModel,
  expression: Expression,
): { readonly symbol: BicepSymbol | undefined; readonly index: Expression | undefined } {
  const plain = unwrap(expression);
  if (plain.kind === "ArrayAccess") {
    return { symbol: model.symbolOf(unwrap(plain.target)), index: plain.index };
  }
  return { symbol: model.symbolOf(plain), index: undefined };
}

function ofFunction(value: ScopeValue): DeploymentScope {
  const [first, second] = value.arguments;
  switch (value.scope) {
    case ScopeFlags.ManagementGroup:
      return scopeWith(value.scope, { managementGroup: first });
    case ScopeFlags.Subscription:
      return scopeWith(value.scope, { subscription: first });
    case ScopeFlags.ResourceGroup:
      return second === undefined
        ? scopeWith(value.scope, { resourceGroup: first })
        : scopeWith(value.scope, { subscription: first, resourceGroup: second });
    default:
      return scopeWith(value.scope);
  }
}

function problemWith(model: SemanticModel, scope: Expression): ScopeProblem | undefined {
  const { symbol, index } = scopeTarget(model, scope);
  if (symbol?.kind === "module" && (index !== undefined || model.moduleOf(symbol).loop === undefined)) {
    return "module"; // that a whole loop of them is no scope, its type tells
  }
  if (symbol?.kind === "parameter" && model.typeOf(scope).kind === "resource") {
    return "resourceParameter";
  }
  return model.typeOf(scope).kind === "union" ? "severalScopes" : undefined;
}

function scopeValueOf(type: Type): ScopeValue | undefined {
  return type.kind === "object" ? type.scope : undefined;
}

function unwrap(expression: Expression): Expression {
  let at = expression;
  while (at.kind === "ParenthesizedExpression" || at.kind === "NonNullAssertion") {
    at = at.kind === "ParenthesizedExpression" ? at.expression : at.target;
  }
  return at;
}

function scopeWith(scope: number, parts: Partial<Omit<DeploymentScope, "scope">> = {}): DeploymentScope {
  const { managementGroup, subscription, resourceGroup, resource, index } = parts;
  return { scope, managementGroup, subscription, resourceGroup, resource, index };
}
