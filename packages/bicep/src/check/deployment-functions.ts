import type { SemanticModel, TemplateExport, TemplateSource } from "../semantics/index.ts";
import type { Node } from "../syntax/index.ts";
import { walk } from "../syntax/index.ts";

/** The functions that only a deployment can answer among what an export reaches; a parameters file has no deployment. */
export function deploymentFunctionsOf(source: TemplateSource, exported: TemplateExport): readonly string[] {
  const names = new Set<string>();
  const seen = new Set<Node>();
  const pending: { readonly model: SemanticModel; readonly node: Node }[] = [];
  const follow = (from: TemplateSource | undefined, found: TemplateExport | undefined): void => {
    if (from?.origin.kind === "bicep" && found?.symbol !== undefined) {
      pending.push({ model: from.origin.model, node: found.symbol.declaration });
    }
  };
  const use = (model: SemanticModel, node: Node): void => {
    const symbol = model.symbolOf(node);
    switch (symbol?.kind) {
      case "variable":
      case "function":
        pending.push({ model, node: symbol.declaration });
        break;
      case "imported": {
        const imported = model.importOf(symbol);
        follow(imported?.source, imported?.exported);
        break;
      }
      case "builtInFunction":
        if (symbol.namespace.name === "az") {
          names.add(symbol.name);
        }
        break;
      default:
    }
    if (node.kind === "PropertyAccess" || node.kind === "InstanceFunctionCall") {
      const target = model.symbolOf(node.target);
      const wildcard = target?.kind === "wildcard" ? model.wildcardOf(target) : undefined;
      follow(wildcard, wildcard?.exports.get(node.name.name));
    }
  };
  follow(source, exported);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { model, node } = next;
    if (!seen.has(node)) {
      seen.add(node);
      walk(node, (child) => {
        if (isNameOf(model, child)) {
          return false;
        }
        if (child !== node) {
          use(model, child);
        }
        return true;
      });
    }
  }
  return Array.from(names).sort();
}

/** `nameof` takes the name of its argument and leaves the value alone. */
function isNameOf(model: SemanticModel, node: Node): boolean {
  const symbol =
    node.kind === "FunctionCall" || node.kind === "InstanceFunctionCall" ? model.symbolOf(node) : undefined;
  return symbol?.kind === "builtInFunction" && symbol.name === "nameof";
}
