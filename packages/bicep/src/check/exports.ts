import { isDeclared } from "../semantics/index.ts";
import type { BicepSymbol } from "../semantics/index.ts";
import type { Node } from "../syntax/index.ts";
import { walk } from "../syntax/index.ts";
import type { Checker } from "./checker.ts";

/** The names of what an exported declaration reaches although it cannot leave its file. */
export function notExportable(checker: Checker, node: Node): readonly string[] {
  const names = new Set<string>();
  const seen = new Set<BicepSymbol>();
  const pending: Node[] = [node];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    walk(at, (child) => {
      const symbol = isUse(child) ? checker.symbolOf(child) : undefined;
      if (symbol === undefined || seen.has(symbol)) {
        return;
      }
      seen.add(symbol);
      if (!isDeclared(symbol)) {
        return;
      }
      switch (symbol.kind) {
        case "variable":
        case "type":
        case "function":
          pending.push(symbol.declaration);
          break;
        case "imported":
        case "wildcard":
        case "extension":
          break;
        default:
          names.add(symbol.name);
      }
    });
  }
  return Array.from(names).sort();
}

function isUse(node: Node): boolean {
  return node.kind === "VariableAccess" || node.kind === "FunctionCall" || node.kind === "TypeReference";
}
