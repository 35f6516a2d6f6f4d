import type { DiagnosticSink } from "../diagnostic.ts";
import type { ModuleSymbol, ResourceInfo, ResourceSymbol, SemanticModel } from "../semantics/index.ts";
import type { Expression, ObjectProperty } from "../syntax/index.ts";
import { limitDiagnostics } from "./diagnostics.ts";
import { propertiesOf, propertyName } from "./properties.ts";
import type { DeploymentScope, Scopes } from "./scopes.ts";

/** The slashes in a resource's name have to go with its type (BCP169) or are its parent's business (BCP170). */
export function checkNameSlashes(info: ResourceInfo, sink: DiagnosticSink): void {
  const { name, reference, isAzure } = info;
  if (!isAzure || name?.kind !== "StringExpression" || reference === undefined) {
    return;
  }
  const slashes = name.segments.reduce((count, segment) => count + segment.split("/").length - 1, 0);
  if (info.parent !== undefined) {
    if (slashes > 0) {
      sink.report(limitDiagnostics.nameWithSlash(name));
    }
    return;
  }
  const expected = reference.segments.length - 2;
  const isWrong = name.expressions.length === 0 ? slashes !== expected : slashes > expected;
  if (isWrong) {
    sink.report(limitDiagnostics.nameSlashes(name, expected));
  }
}

/** Resources of the same type, name and scope (BCP121). */
export function checkSameResources(model: SemanticModel, scopes: Scopes, sink: DiagnosticSink): void {
  const groups = new Groups();
  const numbers = numbering(model.declarations.allResources);
  for (const symbol of model.declarations.allResources) {
    const { isAzure, reference, name, body } = model.resourceOf(symbol);
    const isSure = isAlwaysDeployed(model, symbol) && count(propertiesOf(body), isName) === 1;
    if (!isAzure || reference === undefined || name === undefined || !isSure) {
      continue;
    }
    const path = namePath(model, symbol);
    const scope = scopeKey(model, scopes.of(symbol), numbers);
    if (path !== undefined && scope !== undefined) {
      groups.add([reference.type.toLowerCase(), scope, ...path], symbol.name, name);
    }
  }
  groups.report((name, names) => sink.report(limitDiagnostics.sameResource(name, names)));
}

/** Modules of the same name and scope (BCP122). */
export function checkSameModules(model: SemanticModel, scopes: Scopes, sink: DiagnosticSink): void {
  const groups = new Groups();
  const numbers = numbering(model.declarations.allResources);
  for (const symbol of model.declarations.modules) {
    const { name, template } = model.moduleOf(symbol);
    const text = name === undefined ? undefined : literalOf(model, name);
    if (name === undefined || text === undefined || template === undefined || !isAlwaysDeployed(model, symbol)) {
      continue;
    }
    const scope = scopeKey(model, scopes.of(symbol), numbers);
    if (scope !== undefined) {
      groups.add([scope, text], symbol.name, name);
    }
  }
  groups.report((name, names) => sink.report(limitDiagnostics.sameModule(name, names)));
}

/** Declarations by what makes them the same. */
class Groups {
  readonly #members = new Map<string, { readonly symbol: string; readonly name: Expression }[]>();

  add(parts: readonly string[], symbol: string, name: Expression): void {
    const key = JSON.stringify(parts);
    const group = this.#members.get(key);
    if (group === undefined) {
      this.#members.set(key, [{ symbol, name }]);
    } else {
      group.push({ symbol, name });
    }
  }

  report(complain: (name: Expression, symbols: readonly string[]) => void): void {
    for (const group of this.#members.values()) {
      if (group.length > 1) {
        const symbols = group.map(({ symbol }) => symbol).slice(0, mostNames);
        group.forEach(({ name }) => complain(name, symbols));
      }
    }
  }
}

// Each of a thousand duplicates naming all thousand would be a megabyte of text.
const mostNames = 10;

/** The names of a resource and its ancestors, innermost first; nothing when one of them is not a literal. */
function namePath(model: SemanticModel, symbol: ResourceSymbol): readonly string[] | undefined {
  const path: string[] = [];
  const seen = new Set<ResourceSymbol>();
  for (let at: ResourceSymbol | undefined = symbol; at !== undefined && !seen.has(at);) {
    seen.add(at);
    const { name, parent } = model.resourceOf(at);
    const text: string | undefined = name === undefined ? undefined : literalOf(model, name);
    const index: string | undefined = parent?.index === undefined ? "" : literalOf(model, parent.index);
    if (text === undefined || index === undefined) {
      return undefined;
    }
    path.push(text, index);
    at = parent?.symbol;
  }
  return path;
}

/** The same text for the same scope; nothing when parts of it are not literals. */
function scopeKey(
  model: SemanticModel,
  scope: DeploymentScope,
  numbers: ReadonlyMap<ResourceSymbol, number>,
): string | undefined {
  const parts = [String(scope.scope), String(scope.resource === undefined ? "" : numbers.get(scope.resource))];
  for (const part of [scope.managementGroup, scope.subscription, scope.resourceGroup, scope.index]) {
    const text = part === undefined ? "" : literalOf(model, part);
    if (text === undefined && scope.resource === undefined) {
      return undefined;
    }
    parts.push(text ?? "");
  }
  return JSON.stringify(parts);
}

function numbering(symbols: readonly ResourceSymbol[]): ReadonlyMap<ResourceSymbol, number> {
  return new Map(symbols.map((symbol, index) => [symbol, index]));
}

function literalOf(model: SemanticModel, expression: Expression): string | undefined {
  const type = model.typeOf(expression);
  return type.kind === "stringLiteral" || type.kind === "intLiteral" ? String(type.value) : undefined;
}

/** Whether there is no condition, or one that is plainly true. */
function isAlwaysDeployed(model: SemanticModel, symbol: ResourceSymbol | ModuleSymbol): boolean {
  const { body } = symbol.declaration;
  const inner = body.kind === "ForExpression" ? body.body : body;
  if (inner.kind !== "IfCondition") {
    return true;
  }
  const type = inner.condition.kind === "Skipped" ? undefined : model.typeOf(inner.condition);
  return type?.kind === "boolLiteral" && type.value;
}

function isName(property: ObjectProperty): boolean {
  return propertyName(property) === "name";
}

function count<T>(items: Iterable<T>, fits: (item: T) => boolean): number {
  let found = 0;
  for (const item of items) {
    found += fits(item) ? 1 : 0;
  }
  return found;
}
