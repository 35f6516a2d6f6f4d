import type { BicepSymbol, SemanticModel } from "../../semantics/index.ts";
import { walk } from "../../syntax/index.ts";
import type { Node } from "../../syntax/index.ts";
import { hasFlag, TypeFlags } from "../../types/index.ts";
import type { Rule } from "../rule.ts";

export const secureParamsInParametersFile: Rule = {
  name: "secure-params-in-parameters-file",
  category: "Security",
  start: ({ model, report }) => {
    const { parameterAssignments } = model.declarations;
    const secrets = createSecrets(model);
    for (const symbol of parameterAssignments) {
      if (!isSecureParameter(model, symbol.name) && secrets.isReachedFrom(symbol.declaration.value)) {
        report(symbol.declaration.value, `The parameter "${symbol.name}" is not secure and is given a secure value.`);
      }
    }
  },
};

function isSecureParameter(model: SemanticModel, name: string): boolean {
  const parameter = model.usingTemplate?.parameters.get(name);
  return parameter !== undefined && hasFlag(parameter.type, TypeFlags.Secure);
}

/** Follows variables and other assignments, each once. */
function createSecrets(model: SemanticModel): { isReachedFrom(node: Node): boolean } {
  const known = new Map<BicepSymbol, boolean>();

  function isReachedFrom(node: Node): boolean {
    let found = false;
    walk(node, (part) => {
      const symbol = part.kind === "VariableAccess" ? model.symbolOf(part) : undefined;
      found ||= symbol !== undefined && isSecret(symbol);
      return !found;
    });
    return found;
  }

  function isSecret(symbol: BicepSymbol): boolean {
    const before = known.get(symbol);
    if (before !== undefined) {
      return before;
    }
    known.set(symbol, false); // where a cycle ends
    const isValue = symbol.kind === "variable" || symbol.kind === "parameterAssignment";
    const isSecure = symbol.kind === "parameterAssignment" && isSecureParameter(model, symbol.name);
    const result = isSecure || (isValue && isReachedFrom(symbol.declaration.value));
    known.set(symbol, result);
    return result;
  }

  return { isReachedFrom };
}
