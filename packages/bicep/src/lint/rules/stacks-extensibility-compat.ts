import { propertiesOf, propertyName } from "../../limits/index.ts";
import type { SemanticModel } from "../../semantics/index.ts";
import type { Expression, ObjectExpression, Skipped, WithClause } from "../../syntax/index.ts";
import { hasFlag, TypeFlags } from "../../types/index.ts";
import type { Rule, RuleContext } from "../rule.ts";

export const stacksExtensibilityCompat: Rule = {
  name: "stacks-extensibility-compat",
  category: "DeploymentStackIncompatibility",
  start: (context) => {
    const { model } = context;
    if (model.file.features["moduleExtensionConfigs"] !== true) {
      return;
    }
    const { extensions, extensionConfigurations, modules } = model.declarations;
    for (const { declaration } of [...extensions, ...extensionConfigurations]) {
      checkConfiguration(context, configurationOf(declaration.configuration));
    }
    for (const symbol of modules) {
      for (const property of propertiesOf(model.moduleOf(symbol).body)) {
        if (propertyName(property) === "extensionConfigs" && property.value.kind === "ObjectExpression") {
          for (const { value } of propertiesOf(property.value)) {
            checkConfiguration(context, value.kind === "ObjectExpression" ? value : undefined);
          }
        }
      }
    }
  },
};

function configurationOf(clause: WithClause | Skipped | undefined): ObjectExpression | undefined {
  const configuration = clause?.kind === "WithClause" ? clause.configuration : undefined;
  return configuration?.kind === "ObjectExpression" ? configuration : undefined;
}

function checkConfiguration({ model, report }: RuleContext, configuration: ObjectExpression | undefined): void {
  for (const property of propertiesOf(configuration)) {
    const declared = model.declaredPropertyOf(property);
    if (declared === undefined) {
      continue;
    }
    const isSecret = hasFlag(declared.type, TypeFlags.Secure);
    const isReference = isKeyVaultReference(property.value);
    if (isSecret && !isReference && !isInheritedSecret(model, property.value)) {
      report(property.value, `A deployment stack takes "${declared.name}" only as a reference to a key vault.`);
    } else if (!isSecret && isReference) {
      report(property.value, `A deployment stack does not take "${declared.name}" as a reference to a key vault.`);
    }
  }
}

function isKeyVaultReference(value: Expression): boolean {
  return (value.kind === "FunctionCall" || value.kind === "InstanceFunctionCall") && value.name.name === "getSecret";
}

/** `alias.config.property` */
function isInheritedSecret(model: SemanticModel, value: Expression): boolean {
  if (value.kind !== "PropertyAccess" || value.target.kind !== "PropertyAccess") {
    return false;
  }
  const { target, name } = value.target;
  const symbol = name.name === "config" ? model.symbolOf(target) : undefined;
  const configuration = symbol?.kind === "extension" ? model.extensionOf(symbol)?.configuration : undefined;
  const property = configuration?.kind === "object" ? configuration.properties.get(value.name.name) : undefined;
  return property !== undefined && hasFlag(property.type, TypeFlags.Secure);
}
