import { accessedName, partsOfIds, resourceValueOf } from "../semantics/index.ts";
import type { DeclaredSymbol, ResourceSymbol, SemanticModel, VariableSymbol } from "../semantics/index.ts";
import { literalText } from "../syntax/index.ts";
import type { ArrayAccess, Expression, PropertyAccess } from "../syntax/index.ts";
import { FunctionFlags, withoutNull } from "../types/index.ts";
import { forEachSubexpression } from "./subexpressions.ts";

/**
 * Variables of a template are evaluated before anything is deployed. One that needs a run-time value is therefore
 * emitted at each place that uses it, and an existing resource whose name needs one cannot be a member of the template.
 */
export class Inlining {
  readonly #model: SemanticModel;
  readonly #variables = new Map<VariableSymbol, boolean>();
  readonly #existing = new Map<ResourceSymbol, boolean>();

  constructor(model: SemanticModel) {
    this.#model = model;
  }

  isInlined(variable: VariableSymbol): boolean {
    let result = this.#variables.get(variable);
    if (result === undefined) {
      this.#variables.set(variable, false); // cuts cycles, which are errors elsewhere
      result = this.#mayNeedRunTime(variable) && this.#needsRunTime(variable.declaration.value);
      this.#variables.set(variable, result);
    }
    return result;
  }

  /** What the names in it tell, which for most variables is enough. */
  #mayNeedRunTime(variable: VariableSymbol): boolean {
    return (
      this.#model.callsAtRunTime(variable) ||
      this.#model.mentionsOf(variable).some((symbol) => this.#mayBringRunTime(symbol))
    );
  }

  #mayBringRunTime(symbol: DeclaredSymbol): boolean {
    switch (symbol.kind) {
      case "function":
        return false;
      case "variable":
        return this.isInlined(symbol);
      case "parameter": {
        const type = this.#model.typeOfSymbol(symbol);
        return (withoutNull(type) ?? type).kind === "resource";
      }
      default:
        return true;
    }
  }

  /** Whether references to a resource must spell out its id, because it is existing and its identity is not constant. */
  isInlinedResource(resource: ResourceSymbol): boolean {
    let result = this.#existing.get(resource);
    if (result === undefined) {
      this.#existing.set(resource, false);
      result = this.#hasRunTimeIdentity(resource);
      this.#existing.set(resource, result);
    }
    return result;
  }

  #hasRunTimeIdentity(resource: ResourceSymbol): boolean {
    const info = this.#model.resourceOf(resource);
    if (!info.existing || !info.isAzure) {
      return false;
    }
    if (info.parent !== undefined && this.isInlinedResource(info.parent.symbol)) {
      return true;
    }
    const identity = [info.name, info.parent?.index, this.#scopeIdentity(info.scope)];
    return identity.some((node) => node !== undefined && this.#needsRunTime(node));
  }

  /** A resource as the scope counts for its own identity; any other expression for what it contains. */
  #scopeIdentity(scope: Expression | undefined): Expression | undefined {
    const base = scope?.kind === "ArrayAccess" ? scope.target : scope;
    const symbol = base === undefined ? undefined : this.#model.symbolOf(base);
    if (symbol?.kind !== "resource") {
      return scope;
    }
    if (this.isInlinedResource(symbol)) {
      return base; // a whole resource always needs run time
    }
    return scope?.kind === "ArrayAccess" ? scope.index : undefined;
  }

  #needsRunTime(node: Expression): boolean {
    switch (node.kind) {
      case "VariableAccess":
      case "ResourceAccess": {
        const symbol = this.#model.symbolOf(node);
        if (symbol?.kind === "variable") {
          return this.isInlined(symbol);
        }
        return symbol?.kind === "resource" || symbol?.kind === "module";
      }
      case "PropertyAccess":
        return this.#looksUpValue(node) || this.#accessNeedsRunTime(node, node.name.name);
      case "ArrayAccess":
        return this.#looksUpValue(node) || this.#anyChild(node);
      case "FunctionCall":
      case "InstanceFunctionCall": {
        if (node.name.name === "nameof" && this.#model.callOf(node)?.namespace?.name === "sys") {
          return false;
        }
        const flags = this.#model.callOf(node)?.overload.flags ?? 0;
        return (flags & FunctionFlags.RequiresInlining) !== 0 || this.#anyChild(node);
      }
      default:
        return this.#anyChild(node);
    }
  }

  /** Whether it reads more of a resource that the file was handed than its id tells. */
  #looksUpValue(node: PropertyAccess | ArrayAccess): boolean {
    return resourceValueOf(this.#model, node.target) !== undefined && !partsOfIds.has(accessedName(node) ?? "");
  }

  #accessNeedsRunTime(node: PropertyAccess, name: string): boolean {
    const { target } = node;
    const base = isItemAccess(target) ? target.target : target;
    const symbol =
      base.kind === "VariableAccess" || base.kind === "ResourceAccess" ? this.#model.symbolOf(base) : undefined;
    const index = isItemAccess(target) ? target.index : undefined;
    if (
      index !== undefined &&
      (symbol?.kind === "resource" || symbol?.kind === "module") &&
      this.#needsRunTime(index)
    ) {
      return true;
    }
    if (symbol?.kind === "module") {
      return name !== "name";
    }
    if (symbol?.kind !== "resource") {
      return this.#needsRunTime(target);
    }
    if (!this.#model.resourceOf(symbol).isAzure) {
      return true;
    }
    switch (name) {
      case "id":
      case "name":
        return this.isInlinedResource(symbol);
      case "type":
      case "apiVersion":
        return false;
      default:
        return true;
    }
  }

  #anyChild(node: Parameters<typeof forEachSubexpression>[0]): boolean {
    let found = false;
    forEachSubexpression(node, (child) => {
      found ||= this.#needsRunTime(child);
    });
    return found;
  }
}

function isItemAccess(node: Expression): node is ArrayAccess {
  return (
    node.kind === "ArrayAccess" && (node.index.kind !== "StringExpression" || literalText(node.index) === undefined)
  );
}
