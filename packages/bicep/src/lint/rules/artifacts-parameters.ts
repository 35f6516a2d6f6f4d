import type { ModuleSymbol, ParameterSymbol, SemanticModel } from "../../semantics/index.ts";
import type { Expression } from "../../syntax/index.ts";
import { isCallOf } from "../calls.ts";
import { propertyAt, textOf } from "../objects.ts";
import type { Rule, RuleContext } from "../rule.ts";

const locationName = "_artifactsLocation";
const tokenName = "_artifactsLocationSasToken";

/** The two parameters by which templates say where their other files are. */
export const artifactsParameters: Rule = {
  name: "artifacts-parameters",
  category: "BestPractice",
  start: (context) => {
    const { model } = context;
    const location = find(model, locationName);
    const token = find(model, tokenName);
    if (location !== undefined) {
      checkLocation(context, location, token);
    }
    if (token !== undefined) {
      checkToken(context, token, location);
    }
    for (const module of model.declarations.modules) {
      checkModule(context, module);
    }
  },
};

function find(model: SemanticModel, name: string): ParameterSymbol | undefined {
  return model.declarations.parameters.find((symbol) => symbol.name.toLowerCase() === name.toLowerCase());
}

function checkLocation(
  { model, report }: RuleContext,
  symbol: ParameterSymbol,
  token: ParameterSymbol | undefined,
): void {
  const { type, modifier } = symbol.declaration;
  if (token === undefined) {
    report(symbol.nameNode, `"${symbol.name}" goes together with "${tokenName}".`);
  }
  if (model.typeOfTypeExpression(type).kind !== "string") {
    report(type, `"${symbol.name}" must be a string.`);
  }
  if (modifier?.kind === "ParameterDefault" && !isUsualLocation(model, modifier.value)) {
    report(modifier, `The default of "${symbol.name}" should be where the template itself came from.`);
  }
}

function checkToken(
  { model, report }: RuleContext,
  symbol: ParameterSymbol,
  location: ParameterSymbol | undefined,
): void {
  const { type, modifier } = symbol.declaration;
  if (location === undefined) {
    report(symbol.nameNode, `"${symbol.name}" goes together with "${locationName}".`);
  }
  const isSecure = model.decoratorOf(symbol.declaration, "secure") !== undefined;
  if (!isSecure || model.typeOfTypeExpression(type).kind !== "string") {
    report(type, `"${symbol.name}" must be a secure string.`);
  }
  if (modifier?.kind === "ParameterDefault" && textOf(modifier.value) !== "") {
    report(modifier, `The default of "${symbol.name}" can only be empty.`);
  }
}

/** `deployment().properties.templateLink.uri`, or the address of a raw file. */
function isUsualLocation(model: SemanticModel, value: Expression): boolean {
  const text = textOf(value);
  if (text !== undefined) {
    return text === "" || text.toLowerCase().startsWith("https://raw.githubusercontent.com/");
  }
  let at = value;
  for (const name of ["uri", "templateLink", "properties"]) {
    if (at.kind !== "PropertyAccess" || at.name.name !== name) {
      return false;
    }
    at = at.target;
  }
  return isCallOf(model, at, "az", "deployment");
}

function checkModule({ model, report }: RuleContext, module: ModuleSymbol): void {
  const { template, params } = model.moduleOf(module);
  for (const name of template?.parameters.keys() ?? []) {
    const isArtifact = [locationName, tokenName].some((known) => known.toLowerCase() === name.toLowerCase());
    if (isArtifact && propertyAt(params, name) === undefined) {
      report(module.nameNode, `The module needs a value for "${name}".`);
    }
  }
}
