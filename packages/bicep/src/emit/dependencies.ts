import { compareText } from "@rad/templates";
import type { Value } from "@rad/templates";
import type { DeclaredSymbol, ModuleSymbol, ResourceSymbol, VariableSymbol } from "../semantics/index.ts";
import { walk } from "../syntax/index.ts";
import type { Expression, ForExpression, InstanceFunctionCall, Node, PropertyAccess } from "../syntax/index.ts";
import type { Env } from "./env.ts";
import type { FileContext } from "./file-context.ts";
import { escapeText, valueOfExpression } from "./literals.ts";
import { idOf, symbolText } from "./references.ts";
import { forEachSubexpression } from "./subexpressions.ts";
import { infoOf, loopOf, symbolicName } from "./targets.ts";
import type { Target } from "./targets.ts";
import { plainKey } from "./values.ts";

type Declared = ResourceSymbol | ModuleSymbol;

/** What has to be deployed before a resource or module, found from everything that its declaration mentions. */
export class Dependencies {
  readonly #file: FileContext;
  readonly #known = new Map<Declared | VariableSymbol, readonly Target[]>();

  constructor(file: FileContext) {
    this.#file = file;
  }

  /** In the order of their names; a whole collection stands for each of its items. */
  of(symbol: Declared): readonly Target[] {
    const all = this.#collect(symbol);
    if (all.length < 2) {
      return all;
    }
    const whole = new Set(all.filter((target) => target.index === undefined).map((target) => target.symbol));
    return all
      .filter((target) => target.index === undefined || !whole.has(target.symbol))
      .sort((left, right) => compareText(symbolicName(left.symbol), symbolicName(right.symbol)));
  }

  #collect(symbol: Declared | VariableSymbol): readonly Target[] {
    const known = this.#known.get(symbol);
    if (known !== undefined) {
      return known;
    }
    this.#known.set(symbol, none); // cuts cycles, which are errors elsewhere
    if (!this.#file.model.mentionsOf(symbol).some(canBring)) {
      return none; // most declarations
    }
    const collector = new Collector(this.#file, symbol, (other) => this.#collect(other));
    const targets = collector.run();
    this.#known.set(symbol, targets);
    return targets;
  }
}

const none: readonly Target[] = [];

/** Whether what mentions a declaration may have to wait for a resource or module because of it. */
function canBring({ kind }: DeclaredSymbol): boolean {
  return kind === "resource" || kind === "module" || kind === "variable";
}

/** The `dependsOn` member of a resource or module. */
export function emitDependencies(env: Env, targets: readonly Target[]): Value[] {
  const { session, settings } = env.file;
  return targets.map((target): Value => {
    const isWholeCollection = target.index === undefined && loopOf(env.file, target.symbol) !== undefined;
    if (isWholeCollection) {
      return escapeText(symbolicName(target.symbol));
    }
    return valueOfExpression(settings.symbolicNames ? symbolText(env, target) : idOf(env, target), session.budget);
  });
}

/** Goes through one declaration. */
class Collector {
  readonly #file: FileContext;
  readonly #symbol: Declared | VariableSymbol;
  readonly #loop: ForExpression | undefined;
  readonly #collect: (symbol: Declared | VariableSymbol) => readonly Target[];
  readonly #targets: Target[] = [];
  readonly #seen = new Map<Declared, Set<Expression | undefined>>();
  readonly #visitStrongly = (node: Expression) => this.#visit(node, false);
  readonly #visitWeakly = (node: Expression) => this.#visit(node, true);

  constructor(
    file: FileContext,
    symbol: Declared | VariableSymbol,
    collect: (symbol: Declared | VariableSymbol) => readonly Target[],
  ) {
    this.#file = file;
    this.#symbol = symbol;
    this.#loop = symbol.kind === "variable" ? undefined : infoOf(file, symbol).loop;
    this.#collect = collect;
  }

  run(): readonly Target[] {
    const symbol = this.#symbol;
    if (symbol.kind === "variable") {
      this.#visit(symbol.declaration.value, false);
      return this.#targets;
    }
    const parent = symbol.kind === "resource" ? this.#file.model.resourceOf(symbol).parent : undefined;
    if (parent !== undefined) {
      this.#refer(parent.symbol, parent.index, true);
    }
    const { body, condition, loop } = infoOf(this.#file, symbol);
    for (const outside of [loop?.source, condition]) {
      if (outside !== undefined) {
        this.#visit(outside, false);
      }
    }
    for (const element of body?.elements ?? []) {
      if (element.kind === "ObjectProperty") {
        const name = plainKey(element.key);
        this.#visit(element.value, name === "parent" || name === "scope");
        if (name === undefined && element.key.kind === "StringExpression") {
          this.#visit(element.key, false);
        }
      }
    }
    return this.#targets;
  }

  /** `weak`: only what is known about a resource before it is deployed is used. */
  #visit(node: Expression, weak: boolean): void {
    switch (node.kind) {
      case "VariableAccess":
      case "ResourceAccess": {
        const symbol = this.#file.model.symbolOf(node);
        if (symbol?.kind === "variable") {
          for (const target of this.#collect(symbol)) {
            this.#add(target.symbol, target.index);
          }
        } else if (symbol?.kind === "resource" || symbol?.kind === "module") {
          this.#refer(symbol, undefined, weak);
        }
        break;
      }
      case "ArrayAccess": {
        const collection = this.#collectionOf(node.target);
        if (collection === undefined) {
          this.#visit(node.target, weak);
        } else {
          this.#refer(collection, node.index, weak);
        }
        this.#visit(node.index, false);
        break;
      }
      case "PropertyAccess":
      case "InstanceFunctionCall":
        this.#visit(node.target, weak || this.#isConstantUse(node));
        if (node.kind === "InstanceFunctionCall") {
          for (const argument of node.args) {
            this.#visit(argument.expression, false);
          }
        }
        break;
      case "NonNullAssertion":
      case "ParenthesizedExpression":
        this.#visit(node.kind === "NonNullAssertion" ? node.target : node.expression, weak);
        break;
      default:
        forEachSubexpression(node, weak ? this.#visitWeakly : this.#visitStrongly);
    }
  }

  #isConstantUse(node: PropertyAccess | InstanceFunctionCall): boolean {
    if (node.kind === "InstanceFunctionCall") {
      return true;
    }
    const resource = this.#resourceOf(node.target);
    const isAzure = resource !== undefined && this.#file.model.resourceOf(resource).isAzure;
    return isAzure && constantProperties.has(node.name.name);
  }

  #resourceOf(node: Expression): ResourceSymbol | undefined {
    switch (node.kind) {
      case "NonNullAssertion":
      case "ArrayAccess":
        return this.#resourceOf(node.target);
      case "ParenthesizedExpression":
        return this.#resourceOf(node.expression);
      case "VariableAccess":
      case "ResourceAccess": {
        const symbol = this.#file.model.symbolOf(node);
        return symbol?.kind === "resource" ? symbol : undefined;
      }
      default:
        return undefined;
    }
  }

  #collectionOf(node: Expression): Declared | undefined {
    if (node.kind !== "VariableAccess" && node.kind !== "ResourceAccess") {
      return undefined;
    }
    const symbol = this.#file.model.symbolOf(node);
    const isDeclared = symbol?.kind === "resource" || symbol?.kind === "module";
    return isDeclared && loopOf(this.#file, symbol) !== undefined ? symbol : undefined;
  }

  /** Existing resources are not deployed, so mostly it is what they depend on that counts. */
  #refer(symbol: Declared, index: Expression | undefined, weak: boolean): void {
    const isExisting = symbol.kind === "resource" && this.#file.model.resourceOf(symbol).existing;
    const isMember =
      this.#file.settings.symbolicNames && !(isExisting && this.#file.inlining.isInlinedResource(symbol));
    if (!isExisting || (isMember && !weak)) {
      this.#add(symbol, index);
      return;
    }
    for (const target of this.#collect(symbol)) {
      this.#add(target.symbol, target.index);
    }
  }

  #add(symbol: Declared, wanted: Expression | undefined): void {
    // An index that uses variables of another loop means nothing where `dependsOn` stands.
    const index = wanted === undefined || this.#usesOtherLoops(wanted) ? undefined : wanted;
    let indexes = this.#seen.get(symbol);
    if (indexes === undefined) {
      indexes = new Set();
      this.#seen.set(symbol, indexes);
    }
    if (!indexes.has(index)) {
      indexes.add(index);
      this.#targets.push({ symbol, index });
    }
  }

  #usesOtherLoops(index: Expression): boolean {
    let found = false;
    walk(index, (node) => {
      const symbol = node.kind === "VariableAccess" ? this.#file.model.symbolOf(node) : undefined;
      found ||= symbol?.kind === "local" && symbol.owner !== this.#loop && !isWithin(symbol.owner, index);
    });
    return found;
  }
}

const constantProperties: ReadonlySet<string> = new Set(["id", "name", "type", "apiVersion"]);

function isWithin(inner: Node, outer: Node): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}
