import type { Expression, ExtensionDeclaration, ObjectExpression } from "../syntax/index.ts";
import { literalText } from "../syntax/index.ts";
import { PropertyFlags } from "../types/index.ts";
import type { Type } from "../types/index.ts";
import type { Checker } from "./checker.ts";
import { checks } from "./diagnostics.ts";
import { narrow, plainAssignment } from "./narrow.ts";

/** The text that names an extension: an identifier or a reference in quotes. */
export function specificationText(node: ExtensionDeclaration): string | undefined {
  const { specification } = node;
  switch (specification.kind) {
    case "Identifier":
      return specification.token.kind === "Skipped" ? undefined : specification.name;
    case "StringExpression":
      return literalText(specification);
    case "Skipped":
      return undefined;
    default:
      return specification satisfies never;
  }
}

/** Checks an extension and the configuration that it is given. */
export function checkExtension(checker: Checker, node: ExtensionDeclaration): void {
  const { specification, configuration } = node;
  if (specification.kind === "StringExpression" && literalText(specification) === undefined) {
    checker.report(checks.interpolatedSpecification(specification));
    return;
  }
  const text = specificationText(node);
  const symbol = checker.symbolOf(node);
  if (text === undefined || symbol?.kind !== "extension") {
    return;
  }
  const resolution = checker.environment.extension(checker.file, text);
  if ("problem" in resolution) {
    const { problem } = resolution;
    const isNotBuiltIn = problem.code === "BCP398"; // the configuration is wrong, not the name
    checker.report(checks.placed(isNotBuiltIn ? node : specification, problem));
    return;
  }
  if (resolution.warning !== undefined) {
    checker.report(checks.placed(specification, resolution.warning));
  }
  const expected = resolution.value.configuration;
  const given = configuration?.kind === "WithClause" ? configuration.configuration : undefined;
  if (given?.kind === "ObjectExpression") {
    checkConfiguration(checker, given, expected, symbol.name);
  } else if (configuration === undefined && isRequired(expected) && !checker.feature("moduleExtensionConfigs")) {
    checker.report(checks.extensionConfigurationMissing(node, symbol.name));
  }
}

/** Compares a configuration with what the extension takes. */
export function checkConfiguration(
  checker: Checker,
  node: ObjectExpression,
  expected: Type | undefined,
  name: string,
): void {
  const type = checker.typeOf(node);
  if (expected === undefined) {
    checker.report(checks.extensionConfigurationUnknown(node, name));
  } else if (type.kind !== "error") {
    narrow(checker, node, expected, plainAssignment(checker));
  }
}

/** Whether a configuration has to be given at all. */
export function isRequired(configuration: Type | undefined): boolean {
  return (
    configuration?.kind === "object" &&
    Array.from(configuration.properties.values()).some((property) => (property.flags & PropertyFlags.Required) !== 0)
  );
}

/** Entries of a module's `extensionConfigs` are objects, or configurations of extensions of this file. */
export function checkConfigEntries(checker: Checker, configs: ObjectExpression): void {
  for (const element of configs.elements) {
    if (element.kind === "ObjectProperty" && !isConfigEntry(checker, element.value)) {
      checker.report(checks.extensionConfigEntry(element));
    }
  }
}

function isConfigEntry(checker: Checker, value: Expression): boolean {
  return value.kind === "ObjectExpression" || value.kind === "Skipped" || isPassedOn(checker, value);
}

/** `alias.config`, also as the branches of a condition. */
function isPassedOn(checker: Checker, value: Expression): boolean {
  switch (value.kind) {
    case "ParenthesizedExpression":
      return isPassedOn(checker, value.expression);
    case "TernaryOperation":
      return isPassedOn(checker, value.whenTrue) && isPassedOn(checker, value.whenFalse);
    case "PropertyAccess":
      return value.name.name === "config" && checker.symbolOf(value.target)?.kind === "extension";
    default:
      return false;
  }
}
