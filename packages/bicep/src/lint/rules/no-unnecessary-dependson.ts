import { propertiesOf, propertyName } from "../../limits/index.ts";
import type { BicepSymbol, ModuleSymbol, ResourceSymbol, SemanticModel } from "../../semantics/index.ts";
import { walk } from "../../syntax/index.ts";
import type { ArrayExpression, Node, ObjectExpression } from "../../syntax/index.ts";
import type { Rule } from "../rule.ts";

type Deployed = ResourceSymbol | ModuleSymbol;

export const noUnnecessaryDependsOn: Rule = {
  name: "no-unnecessary-dependson",
  category: "BestPractice",
  start: ({ model, report }) => {
    const implied = createDependencies(model);
    for (const symbol of [...model.declarations.allResources, ...model.declarations.modules]) {
      const list = dependsOnOf(bodyOf(model, symbol));
      if (list === undefined) {
        continue;
      }
      const listed = new Set<Deployed>();
      const reached = implied.from(symbol);
      for (const element of list.elements) {
        const target = element.kind === "ArrayItem" ? model.symbolOf(element.value) : undefined;
        if (!isDeployed(target) || target.declaration.body.kind === "ForExpression") {
          continue;
        }
        if (listed.has(target) || reached.has(target)) {
          report(element, `"${target.name}" comes first anyway: leave it out of "dependsOn".`);
        }
        listed.add(target);
      }
    }
  },
};

/** What a declaration needs without saying so: what it mentions, what that mentions, and so on. */
function createDependencies(model: SemanticModel): { from(symbol: Deployed): ReadonlySet<BicepSymbol> } {
  const known = new Map<BicepSymbol, ReadonlySet<BicepSymbol>>();

  function mentionedIn(symbol: BicepSymbol): ReadonlySet<BicepSymbol> {
    let found = known.get(symbol);
    if (found === undefined) {
      found = isDeployed(symbol) ? mentions(model, symbol) : variableMentions(model, symbol);
      known.set(symbol, found);
    }
    return found;
  }

  return {
    from(symbol) {
      const reached = new Set<BicepSymbol>(mentionedIn(symbol));
      for (const next of reached) {
        if (reached.size > mostReached) {
          break;
        }
        for (const further of mentionedIn(next)) {
          reached.add(further);
        }
      }
      reached.delete(symbol);
      return reached;
    },
  };
}

// Keeps the cost of a file with one long chain of resources linear; nobody sees further by hand either.
const mostReached = 250;

function mentions(model: SemanticModel, symbol: Deployed): ReadonlySet<BicepSymbol> {
  const found = new Set<BicepSymbol>();
  const body = bodyOf(model, symbol);
  const explicit = dependsOnOf(body);
  walk(symbol.declaration.body, (node) => {
    if (node === explicit || node.kind === "ResourceDeclaration") {
      return false;
    }
    collect(model, node, found);
    return true;
  });
  const parent = symbol.kind === "resource" ? model.resourceOf(symbol).parent?.symbol : undefined;
  if (parent !== undefined) {
    found.add(parent);
  }
  return found;
}

function variableMentions(model: SemanticModel, symbol: BicepSymbol): ReadonlySet<BicepSymbol> {
  const found = new Set<BicepSymbol>();
  if (symbol.kind === "variable") {
    walk(symbol.declaration.value, (node) => collect(model, node, found));
  }
  return found;
}

function collect(model: SemanticModel, node: Node, found: Set<BicepSymbol>): void {
  if (node.kind === "VariableAccess" || node.kind === "ResourceAccess") {
    const symbol = model.symbolOf(node);
    if (symbol !== undefined && (isDeployed(symbol) || symbol.kind === "variable")) {
      found.add(symbol);
    }
  }
}

function bodyOf(model: SemanticModel, symbol: Deployed): ObjectExpression | undefined {
  return symbol.kind === "resource" ? model.resourceOf(symbol).body : model.moduleOf(symbol).body;
}

function dependsOnOf(body: ObjectExpression | undefined): ArrayExpression | undefined {
  for (const property of propertiesOf(body)) {
    if (propertyName(property) === "dependsOn") {
      return property.value.kind === "ArrayExpression" ? property.value : undefined;
    }
  }
  return undefined;
}

function isDeployed(symbol: BicepSymbol | undefined): symbol is Deployed {
  return symbol?.kind === "resource" || symbol?.kind === "module";
}
