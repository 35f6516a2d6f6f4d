import { forEachMeaningfulChild } from "../../limits/index.ts";
import type { ParameterSymbol, SemanticModel } from "../../semantics/index.ts";
import type { Node } from "../../syntax/index.ts";
import { hasFlag, membersOf, TypeFlags } from "../../types/index.ts";
import type { Rule } from "../rule.ts";
import { isNamed } from "../symbols.ts";

export const secureSecretsInParams: Rule = {
  name: "secure-secrets-in-params",
  category: "Security",
  start: ({ model, report }) => {
    for (const symbol of model.declarations.parameters) {
      if (isNamed(symbol) && !hasFlag(model.typeOfSymbol(symbol), TypeFlags.Secure) && holdsSecret(model, symbol)) {
        report(symbol.nameNode, `The parameter "${symbol.name}" looks like a secret and is not marked as secure.`);
      }
    }
  },
};

function holdsSecret(model: SemanticModel, symbol: ParameterSymbol): boolean {
  const kinds = membersOf(model.typeOfSymbol(symbol)).map(({ kind }) => kind);
  const canBeSecure = kinds.every((kind) => kind === "string" || kind === "stringLiteral" || kind === "object");
  const { modifier } = symbol.declaration;
  return (canBeSecure && soundsSecret(symbol.name)) || (modifier !== undefined && mentionsSecret(model, modifier));
}

function soundsSecret(name: string): boolean {
  const lower = name.toLowerCase();
  return secretWords.some((word) => lower.includes(word)) && !harmlessWords.some((word) => lower.includes(word));
}

const secretWords: readonly string[] = ["password", "pwd", "secret", "accountkey", "acctkey"];
const harmlessWords: readonly string[] = ["secretpermissions", "secretversion", "secreturi", "secreturl", "secretname"];

function mentionsSecret(model: SemanticModel, root: Node): boolean {
  let found = false;
  const visit = (node: Node): void => {
    if (node.kind === "VariableAccess") {
      const symbol = model.symbolOf(node);
      found ||= symbol?.kind === "parameter" && hasFlag(model.typeOfSymbol(symbol), TypeFlags.Secure);
    } else if (!found) {
      forEachMeaningfulChild(node, visit);
    }
  };
  visit(root);
  return found;
}
