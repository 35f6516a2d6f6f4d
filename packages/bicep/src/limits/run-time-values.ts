import type { Span } from "../diagnostic.ts";
import { dependenciesFirst } from "../semantics/index.ts";
import type {
  DeclaredSymbol,
  ModuleSymbol,
  ResourceSymbol,
  SemanticModel,
  VariableSymbol,
} from "../semantics/index.ts";
import type { ArrayAccess, FunctionCall, InstanceFunctionCall, Node, PropertyAccess } from "../syntax/index.ts";
import { FunctionFlags, membersOf, PropertyFlags } from "../types/index.ts";
import type { Type } from "../types/index.ts";
import { forEachMeaningfulChild } from "./child-nodes.ts";
import { propertiesOf, propertyName } from "./properties.ts";
import { bodiesOf, collectionOf, functionFlags, instanceOf, isCollection, isPlaceable, isTyped } from "./targets.ts";

/** A use of something that is not known before the deployment runs. */
export interface RunTimeUse {
  /** Where it stands. */
  readonly node: Span;
  readonly kind: "property" | "whole" | "call";
  /** What is used, in words. */
  readonly text: string;
  /** The variables that led to it. */
  readonly through: readonly string[];
  /** The resource or module that is used as a whole. */
  readonly symbol: ResourceSymbol | ModuleSymbol | undefined;
}

/** What an access or call means by itself, and which of its parts have to be looked at as well. */
interface Judgement {
  readonly use: RunTimeUse | undefined;
  readonly next: readonly Node[];
}

export interface RunTimeValues {
  /** Judges one node that is an access or a call; nothing for other kinds. */
  judge(node: Node): Judgement | undefined;
  /** Whether only the run shows which existing resource is meant: its name, parent or scope depends on it. */
  hasRunTimeIdentity(symbol: ResourceSymbol): boolean;
  /** Whether a declaration can hold such a value at all, as far as names tell; most do not. */
  mayBeIn(symbol: DeclaredSymbol): boolean;
}

/** The properties that say which resource is meant. */
const identifiers: ReadonlySet<string> = new Set(["name", "parent", "scope"]);

const nothing: readonly Node[] = [];
const harmless: Judgement = { use: undefined, next: nothing };

/** Tells values that are known when a deployment starts from those that are not. Variables are followed once each. */
export function createRunTimeValues(model: SemanticModel): RunTimeValues {
  const ofVariable = new Map<VariableSymbol, RunTimeUse | undefined>();
  const possible = new Map<DeclaredSymbol, boolean>();
  const identities = new Map<ResourceSymbol, ReadonlySet<string>>();

  function judge(node: Node): Judgement | undefined {
    switch (node.kind) {
      case "VariableAccess":
      case "ResourceAccess":
        return { use: reference(node), next: nothing };
      case "PropertyAccess":
        return propertyAccess(node);
      case "ArrayAccess":
        return arrayAccess(node);
      case "FunctionCall":
      case "InstanceFunctionCall":
        return call(node);
      default:
        return undefined;
    }
  }

  function reference(node: Node): RunTimeUse | undefined {
    const symbol = model.symbolOf(node);
    if (symbol?.kind === "variable") {
      const use = inVariable(symbol);
      return use === undefined ? undefined : { ...use, node, through: [symbol.name, ...use.through] };
    }
    // A collection without an index is wrong for another reason.
    return isPlaceable(symbol) && !isCollection(symbol) && isTyped(model, symbol) ? whole(node, symbol) : undefined;
  }

  function propertyAccess(node: PropertyAccess): Judgement {
    const target = instanceOf(model, node.target);
    if (target === undefined) {
      return { use: undefined, next: [node.target] };
    }
    const use = isKnownAtStart(target.symbol, node.name.name)
      ? undefined
      : property(node, target.symbol, node.name.name);
    return { use, next: target.index === undefined ? nothing : [target.index] };
  }

  function arrayAccess(node: ArrayAccess): Judgement {
    const collection = collectionOf(model, node.target);
    if (collection !== undefined) {
      const use = isIndex(model.typeOf(node.index)) ? whole(node.target, collection) : undefined;
      return { use, next: [node.index] };
    }
    const target = instanceOf(model, node.target);
    if (target === undefined) {
      return { use: undefined, next: [node.target, node.index] };
    }
    const next = target.index === undefined ? [node.index] : [target.index, node.index];
    const members = membersOf(model.typeOf(node.index));
    if (!members.every((member) => member.kind === "stringLiteral")) {
      return { use: whole(node, target.symbol), next };
    }
    const name = members.find((member) => !isKnownAtStart(target.symbol, member.value))?.value;
    return { use: name === undefined ? undefined : property(node, target.symbol, name), next };
  }

  function call(node: FunctionCall | InstanceFunctionCall): Judgement {
    const flags = functionFlags(model, node);
    if ((flags & FunctionFlags.ArgumentValueIndependent) !== 0) {
      return harmless;
    }
    const use: RunTimeUse | undefined =
      (flags & FunctionFlags.RequiresInlining) === 0
        ? undefined
        : { node, kind: "call", text: `The result of "${node.name.name}" is not.`, through: [], symbol: undefined };
    return { use, next: node.kind === "FunctionCall" ? node.args : [node.target, ...node.args] };
  }

  function inVariable(symbol: VariableSymbol): RunTimeUse | undefined {
    if (ofVariable.has(symbol)) {
      return ofVariable.get(symbol);
    }
    ofVariable.set(symbol, undefined); // where a cycle ends
    const use = firstIn(symbol.declaration.value, false);
    ofVariable.set(symbol, use);
    return use;
  }

  /** The first use below a node. `wholeAllowed`: naming a resource as such is fine unless its identity is unknown. */
  function firstIn(node: Node, wholeAllowed: boolean): RunTimeUse | undefined {
    const judgement = judge(node);
    if (judgement === undefined) {
      let found: RunTimeUse | undefined;
      forEachMeaningfulChild(node, (child) => {
        found ??= firstIn(child, wholeAllowed);
      });
      return found;
    }
    if (judgement.use !== undefined && !(wholeAllowed && isAllowedWhole(judgement.use))) {
      return judgement.use;
    }
    for (const part of judgement.next) {
      const found = firstIn(part, wholeAllowed);
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }

  function isAllowedWhole(use: RunTimeUse): boolean {
    return use.kind === "whole" && (use.symbol?.kind !== "resource" || !hasRunTimeIdentity(use.symbol));
  }

  function hasRunTimeIdentity(symbol: ResourceSymbol): boolean {
    return runTimeIdentifiers(symbol).size > 0;
  }

  function runTimeIdentifiers(symbol: ResourceSymbol): ReadonlySet<string> {
    const before = identities.get(symbol);
    if (before !== undefined) {
      return before;
    }
    const found = new Set<string>();
    identities.set(symbol, found);
    const info = model.resourceOf(symbol);
    if (!info.existing || !info.isAzure) {
      return found;
    }
    for (const property of propertiesOf(info.body)) {
      const name = propertyName(property);
      if (name !== undefined && identifiers.has(name) && firstIn(property.value, name !== "name") !== undefined) {
        found.add(name);
      }
    }
    if (symbol.container !== undefined && hasRunTimeIdentity(symbol.container)) {
      found.add("parent");
    }
    return found;
  }

  function isKnownAtStart(symbol: ResourceSymbol | ModuleSymbol, name: string): boolean {
    if (symbol.kind === "resource" && model.resourceOf(symbol).existing) {
      const unknown = runTimeIdentifiers(symbol);
      if (unknown.has(name) || (name === "id" && unknown.size > 0)) {
        return false;
      }
    }
    return bodiesOf(model, symbol).every(({ properties }) => {
      // What is not named in the type may be anything: the checker has spoken about it.
      const flags = properties.get(name)?.flags ?? PropertyFlags.ReadableAtDeployTime;
      return (flags & PropertyFlags.ReadableAtDeployTime) !== 0;
    });
  }

  function mayBeIn(symbol: DeclaredSymbol): boolean {
    const before = possible.get(symbol);
    if (before !== undefined) {
      return before;
    }
    // Those behind it first and not one out of the other, as chains can be long.
    for (const item of dependenciesFirst(symbol, variablesNotJudged)) {
      const hasNested = item.kind === "resource" && item.nested.length > 0;
      possible.set(item, hasNested || model.callsAtRunTime(item) || model.mentionsOf(item).some(mayBring));
    }
    return possible.get(symbol) ?? true;
  }

  function variablesNotJudged(symbol: DeclaredSymbol): readonly DeclaredSymbol[] {
    return model.mentionsOf(symbol).filter((item) => item.kind === "variable" && !possible.has(item));
  }

  /** On a cycle, which is an error elsewhere, nothing is ruled out. */
  function mayBring(symbol: DeclaredSymbol): boolean {
    return isPlaceable(symbol) || (symbol.kind === "variable" && (possible.get(symbol) ?? true));
  }

  return { judge, hasRunTimeIdentity, mayBeIn };
}

function isIndex(type: Type): boolean {
  return membersOf(type).every(({ kind }) => kind === "int" || kind === "intLiteral" || kind === "any");
}

function whole(node: Span, symbol: ResourceSymbol | ModuleSymbol): RunTimeUse {
  return { node, kind: "whole", text: `"${symbol.name}" as a whole is not.`, through: [], symbol };
}

function property(node: Span, symbol: ResourceSymbol | ModuleSymbol, name: string): RunTimeUse {
  return { node, kind: "property", text: `"${name}" of "${symbol.name}" is not.`, through: [], symbol: undefined };
}
