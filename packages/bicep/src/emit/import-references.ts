import type {
  FunctionSymbol,
  SemanticModel,
  TemplateSource,
  TypeSymbol,
  VariableSymbol,
  WildcardSymbol,
} from "../semantics/index.ts";
import { walk } from "../syntax/index.ts";
import type { Node } from "../syntax/index.ts";
import type { ImportTarget } from "./import-names.ts";
import type { AnyCall } from "./loaded-files.ts";

/** What a declaration needs of its own file and of others. */
export interface DeclarationReferences {
  readonly symbols: readonly (VariableSymbol | TypeSymbol | FunctionSymbol)[];
  readonly imports: readonly ImportTarget[];
  readonly calls: readonly AnyCall[];
}

/** Everything below a node that could have to come along when it is imported somewhere. */
export function referencesBelow(model: SemanticModel, root: Node): DeclarationReferences {
  const symbols: (VariableSymbol | TypeSymbol | FunctionSymbol)[] = [];
  const imports: ImportTarget[] = [];
  const calls: AnyCall[] = [];

  const addSymbolOf = (node: Node): void => {
    const symbol = model.symbolOf(node);
    switch (symbol?.kind) {
      case "variable":
      case "type":
      case "function":
        symbols.push(symbol);
        break;
      case "imported": {
        const target = model.importOf(symbol);
        if (target !== undefined) {
          imports.push(target);
        }
        break;
      }
      default:
    }
  };

  const addMember = (target: Node, name: string): void => {
    const symbol =
      target.kind === "VariableAccess" || target.kind === "TypeReference" ? model.symbolOf(target) : undefined;
    const found = symbol?.kind === "wildcard" ? wildcardMember(model, symbol, name) : undefined;
    if (found !== undefined) {
      imports.push(found);
    }
  };

  walk(root, (node) => {
    switch (node.kind) {
      case "VariableAccess":
      case "TypeReference":
        addSymbolOf(node);
        break;
      case "PropertyAccess":
      case "TypePropertyAccess":
        addMember(node.target, node.name.name);
        break;
      case "FunctionCall": {
        calls.push(node);
        const symbol = model.callOf(node)?.symbol;
        if (symbol?.kind === "function") {
          symbols.push(symbol);
        } else if (symbol?.kind === "imported") {
          const target = model.importOf(symbol);
          if (target !== undefined) {
            imports.push(target);
          }
        }
        break;
      }
      case "InstanceFunctionCall":
        calls.push(node);
        addMember(node.target, node.name.name);
        break;
      default:
    }
  });
  return { symbols, imports, calls };
}

function wildcardMember(model: SemanticModel, symbol: WildcardSymbol, name: string): ImportTarget | undefined {
  const source: TemplateSource | undefined = model.wildcardOf(symbol);
  const exported = source?.exports.get(name);
  return source === undefined || exported === undefined ? undefined : { source, exported };
}
