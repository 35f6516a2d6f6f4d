import { propertyName } from "../../limits/index.ts";
import type { SemanticModel } from "../../semantics/index.ts";
import { literalText, walk } from "../../syntax/index.ts";
import type { Expression, ObjectProperty } from "../../syntax/index.ts";
import { membersOf } from "../../types/index.ts";
import { unwrapped } from "../calls.ts";
import type { Rule } from "../rule.ts";

export const useResourceIdFunctions: Rule = {
  name: "use-resource-id-functions",
  category: "PotentialCodeIssues",
  level: "off",
  start: ({ model, report }) => ({
    ObjectProperty: (node) => {
      const name = propertyName(node);
      if (name === undefined || !isIdName(name) || !isBelowProperties(model, node)) {
        return;
      }
      const isText = membersOf(model.typeOf(node.value)).every(
        ({ kind }) => kind === "string" || kind === "stringLiteral",
      );
      if (isText && !isAllowed(model, node.value)) {
        report(node.key, `The id of a resource should come from the resource itself or from "resourceId" and its kin.`);
      }
    },
  }),
};

function isIdName(name: string): boolean {
  return name.toLowerCase().endsWith("id") && !name.endsWith("uid") && !name.endsWith("UID");
}

function isBelowProperties(model: SemanticModel, node: ObjectProperty): boolean {
  let top: ObjectProperty | undefined;
  for (let at = model.parentOf(node); at !== undefined; at = model.parentOf(at)) {
    if (at.kind === "ObjectProperty") {
      top = at;
    } else if (at.kind === "ResourceDeclaration") {
      return top !== undefined && propertyName(top) === "properties";
    }
  }
  return false;
}

function isAllowed(model: SemanticModel, expression: Expression): boolean {
  const value = unwrapped(expression);
  switch (value.kind) {
    case "TernaryOperation":
      return true;
    case "FunctionCall":
    case "InstanceFunctionCall":
      return idFunctions.has(value.name.name);
    case "StringExpression":
      return literalText(value)?.includes("/") === false || mentionsDeployed(model, value);
    case "VariableAccess": {
      const symbol = model.symbolOf(value);
      if (symbol?.kind === "variable" && model.cycleOf(symbol) === undefined) {
        return isAllowed(model, symbol.declaration.value);
      }
      return true;
    }
    case "PropertyAccess":
    case "ArrayAccess":
      return true;
    default:
      return mentionsDeployed(model, value);
  }
}

function mentionsDeployed(model: SemanticModel, value: Expression): boolean {
  let found = false;
  walk(value, (node) => {
    const symbol = node.kind === "VariableAccess" ? model.symbolOf(node) : undefined;
    found ||= symbol?.kind === "resource" || symbol?.kind === "module";
    return !found;
  });
  return found;
}

const idFunctions: ReadonlySet<string> = new Set([
  "extensionResourceId",
  "guid",
  "if",
  "managementGroupResourceId",
  "reference",
  "resourceId",
  "subscription",
  "subscriptionResourceId",
  "tenantResourceId",
]);
