import type { ExtensionDeclaration, ObjectExpression, ObjectProperty } from "../syntax/index.ts";
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
    checker.report(checks.placed(specification, resolution.problem));
    return;
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

/** An entry of a module's `extensionConfigs`: an object, or the configuration of an extension of this file. */
export function checkConfigEntry(checker: Checker, property: ObjectProperty): void {
  const { value } = property;
  if (value.kind === "ObjectExpression" || value.kind === "Skipped") {
    return;
  }
  const isInherited =
    value.kind === "PropertyAccess" &&
    value.name.name === "config" &&
    value.target.kind === "VariableAccess" &&
    checker.symbolOf(value.target)?.kind === "extension";
  if (!isInherited) {
    checker.report(checks.extensionConfigEntry(property));
  }
}
