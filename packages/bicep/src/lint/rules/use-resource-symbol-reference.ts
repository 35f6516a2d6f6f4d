import type { ResourceInfo, SemanticModel } from "../../semantics/index.ts";
import { nodeText } from "../../syntax/index.ts";
import type { Expression, FunctionCall, InstanceFunctionCall } from "../../syntax/index.ts";
import { isCallOf, isListCall, unwrapped } from "../calls.ts";
import { textOf } from "../objects.ts";
import type { Rule } from "../rule.ts";

export const useResourceSymbolReference: Rule = {
  name: "use-resource-symbol-reference",
  category: "BestPractice",
  start: ({ model, report }) => {
    const byId = resourcesById(model);
    const check = (node: FunctionCall | InstanceFunctionCall) => {
      const isReference = isCallOf(model, node, "az", "reference");
      const isList = model.symbolOf(node)?.kind === "builtInFunction" && isListCall(model, node);
      if (!isReference && !isList) {
        return;
      }
      const [id, version] = node.args;
      if (id === undefined) {
        return;
      }
      const info = resourceBehind(model, byId, id.expression);
      const given = version === undefined ? undefined : model.typeOf(version.expression);
      const isSameVersion =
        given === undefined || (given.kind === "stringLiteral" && given.value === info?.reference?.version);
      if (info !== undefined && isSameVersion) {
        report(node, `Read this from the resource "${info.symbol.name}" instead of calling "${node.name.name}".`);
      }
    };
    return { FunctionCall: check, InstanceFunctionCall: check };
  },
};

/** Declared resources by type and the source text of their names. */
function resourcesById(model: SemanticModel): ReadonlyMap<string, ResourceInfo> {
  const found = new Map<string, ResourceInfo>();
  for (const symbol of model.declarations.allResources) {
    const info = model.resourceOf(symbol);
    const names = info.isAzure && info.loop === undefined ? namesOf(model, info) : undefined;
    if (names !== undefined && info.reference !== undefined && info.scope === undefined) {
      found.set(idKey(info.reference.type, names), info);
    }
  }
  return found;
}

function namesOf(model: SemanticModel, info: ResourceInfo): readonly string[] | undefined {
  if (info.name === undefined || info.parent?.index !== undefined) {
    return undefined;
  }
  const own = nodeText(model.file.syntax, info.name);
  if (info.parent === undefined) {
    return [own];
  }
  const parent = model.resourceOf(info.parent.symbol);
  // A parent that is no level above is an error, and could lead round in a circle.
  const isAbove = (parent.reference?.segments.length ?? 0) < (info.reference?.segments.length ?? 0);
  const names = isAbove ? namesOf(model, parent) : undefined;
  return names === undefined ? undefined : [...names, own];
}

function idKey(type: string, names: readonly string[]): string {
  return JSON.stringify([type.toLowerCase(), ...names]);
}

/** The resource whose id or name an expression is: `r.id`, `r.name` or `resourceId('T', names)`. */
function resourceBehind(
  model: SemanticModel,
  byId: ReadonlyMap<string, ResourceInfo>,
  expression: Expression,
): ResourceInfo | undefined {
  const value = unwrapped(expression);
  if (value.kind === "PropertyAccess" && (value.name.name === "id" || value.name.name === "name")) {
    const symbol = model.symbolOf(value.target);
    return symbol?.kind === "resource" ? model.resourceOf(symbol) : undefined;
  }
  if (!isCallOf(model, value, "az", "resourceId")) {
    return undefined;
  }
  const [type, ...names] = value.args.map((argument) => argument.expression);
  const text = textOf(type);
  return text === undefined
    ? undefined
    : byId.get(
        idKey(
          text,
          names.map((name) => nodeText(model.file.syntax, name)),
        ),
      );
}
