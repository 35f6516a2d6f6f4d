import { error, warning } from "../diagnostic.ts";
import type { Span } from "../diagnostic.ts";

/** What a template cannot express although every name and type is right. */
export const limitDiagnostics = {
  // Values that must be known when the deployment starts. `value` says what is not, and how it was reached.
  notKnownForProperty: (span: Span, value: string, property: string) =>
    error(
      "BCP120",
      span,
      `The property "${property}" needs a value that is known when the deployment starts. ${value}`,
    ),
  notKnownForCondition: (span: Span, value: string) =>
    error("BCP177", span, `A condition needs a value that is known when the deployment starts. ${value}`),
  notKnownForLoop: (span: Span, value: string) =>
    error("BCP178", span, `A loop needs a list that is known when the deployment starts. ${value}`),
  notKnownForFunction: (span: Span, value: string, name: string) =>
    error("BCP181", span, `The function "${name}" needs arguments that are known when the deployment starts. ${value}`),
  notKnownForVariableLoop: (span: Span, value: string, name: string) =>
    error("BCP182", span, `The loop of the variable "${name}" needs values known when the deployment starts. ${value}`),
  notKnownForFunctionBody: (span: Span, value: string, name: string) =>
    error("BCP341", span, `The function "${name}" needs values that are known when the deployment starts. ${value}`),
  notKnownForArgument: (span: Span, value: string, parameter: string, name: string) =>
    error(
      "BCP432",
      span,
      `The argument "${parameter}" of "${name}" needs a value that is known when the deployment starts. ${value}`,
    ),
  notKnownForExtension: (span: Span, value: string) =>
    error("BCP444", span, `An extension's configuration needs values known when the deployment starts. ${value}`),

  // Existing resources whose identity only the run shows.
  unknownIdentityRead: (span: Span, resource: string, property: string) =>
    error(
      "BCP307",
      span,
      `"${property}" cannot be read, because what identifies "${resource}" is not known when the deployment starts.`,
    ),
  unknownIdentityDepends: (span: Span, resource: string) =>
    error(
      "BCP433",
      span,
      `"${resource}" cannot have "dependsOn", because what identifies it is not known when the deployment starts.`,
    ),
  unknownIdentityDependedOn: (span: Span, resource: string) =>
    error(
      "BCP434",
      span,
      `Nothing can depend on "${resource}", because what identifies it is not known when the deployment starts.`,
    ),

  resourceOutputMember: (span: Span) =>
    error(
      "BCP320",
      span,
      "Of a resource that is an output of a module only the identity can be read. Pass it to a module as a parameter.",
    ),
  integerTooLarge: (span: Span) => error("BCP010", span, "This integer does not fit into 64 bits with a sign."),
  secureOutputIndirect: (span: Span, name: string) =>
    error("BCP426", span, `The secret output "${name}" can only be read from the module's own name.`),

  // Loops
  loopNotAllowed: (span: Span) =>
    error(
      "BCP138",
      span,
      "A loop is only possible as the value of a resource, module, variable or output, or of a property in a resource or module.",
    ),
  nestedPropertyLoop: (span: Span) =>
    error("BCP142", span, "A loop over a property cannot stand inside of another property's loop."),
  loopWithInterpolatedKey: (span: Span) =>
    error("BCP143", span, "A property that is a loop needs a plain name, without interpolation."),
  nestedResourceInLoop: (span: Span) =>
    error("BCP160", span, "A resource that is a loop cannot contain other resources."),
  loopWithoutVariation: (span: Span, variables: readonly string[], properties: readonly string[]) =>
    warning(
      "BCP179",
      span,
      `Every round of the loop makes the same thing: use ${either(variables)} in ${either(properties)}.`,
    ),
  collectionWithoutIndex: (span: Span, kind: string, name: string) =>
    error("BCP144", span, `"${name}" is a collection of ${kind}s and needs an index here.`),
  safeCollectionIndex: (span: Span) =>
    error("BCP323", span, `"[?]" cannot be used with a collection of resources or modules.`),
  lambdaNotAllowed: (span: Span) => error("BCP242", span, "A lambda can only be an argument of a function."),
  lambdaVariableInIndex: (span: Span, name: string) =>
    error(
      "BCP247",
      span,
      `The lambda's variable "${name}" cannot be used to index a collection of resources or modules.`,
    ),
  lambdaVariableInCall: (span: Span, name: string, called: string) =>
    error("BCP248", span, `The lambda's variable "${name}" cannot be used in the arguments of "${called}".`),

  // Resources
  nameSlashes: (span: Span, expected: number) => error("BCP169", span, slashesText(expected)),
  nameWithSlash: (span: Span) =>
    error("BCP170", span, `The name of a child resource cannot contain "/", because its parent's name is added to it.`),
  sameResource: (span: Span, names: readonly string[]) =>
    error("BCP121", span, `The resources ${list(names)} have the same type, name and scope.`),
  sameModule: (span: Span, names: readonly string[]) =>
    error("BCP122", span, `The modules ${list(names)} have the same name and scope.`),
  parentNotDirect: (span: Span) => error("BCP240", span, `"parent" must name a resource directly.`),
  scopeOnChild: (span: Span) =>
    error("BCP164", span, "A child resource has the scope of its parent and cannot set one of its own."),
  childOfOtherScope: (span: Span, ancestor: string) =>
    error(
      "BCP165",
      span,
      `The ancestor "${ancestor}" has another scope than the file; deploy this from a module there.`,
    ),
  resourceParameterAsPlace: (span: Span) =>
    error("BCP229", span, "A parameter that is a resource cannot be a parent or a scope."),
  readOnlyType: (span: Span, type: string) =>
    warning("BCP245", span, `Resources of the type "${type}" can only be read: mark this one as "existing".`),
  writeOnlyType: (span: Span, type: string) =>
    error("BCP441", span, `Resources of the type "${type}" cannot be looked up, so this one cannot be "existing".`),
  readOnlyTypeHere: (span: Span, type: string, scope: string) =>
    warning("BCP246", span, `Resources of the type "${type}" can only be read at the scope ${scope}.`),
  assertsDisabled: (span: Span) => error("BCP349", span, `"asserts" needs the experimental feature "assertions".`),
  spreadInBody: (span: Span) => error("BCP401", span, `"..." cannot be used here.`),
  spreadBesideLoop: (span: Span) =>
    error("BCP417", span, `"..." cannot be used in an object that has a loop for one of its properties.`),

  // Scopes
  moduleFromTenant: (span: Span) =>
    error(
      "BCP113",
      span,
      scopeText("tenant", "the tenant, a named management group, a named subscription or its groups"),
    ),
  moduleFromManagementGroup: (span: Span) =>
    error(
      "BCP114",
      span,
      scopeText("management group", "management groups, the tenant, a named subscription or its groups"),
    ),
  moduleFromSubscription: (span: Span) =>
    error("BCP115", span, scopeText("subscription", "subscriptions, their resource groups or the tenant")),
  moduleFromResourceGroup: (span: Span) =>
    error("BCP116", span, scopeText("resource group", "resource groups, subscriptions or the tenant")),
  moduleScope: (span: Span, given: string, supported: string) =>
    error("BCP134", span, `The module cannot be deployed to the scope ${given}; it supports ${supported}.`),
  localModule: (span: Span) =>
    error("BCP134", span, `Files with the scope "local" cannot have modules: nothing here deploys them.`),
  resourceScope: (span: Span, given: string, supported: string) =>
    error("BCP135", span, `The resource type cannot be deployed to the scope ${given}; it supports ${supported}.`),
  otherScope: (span: Span) =>
    error("BCP139", span, "A resource is deployed to the scope of its file; use a module for another one."),
  severalScopes: (span: Span) => error("BCP420", span, "The scope must be one kind of scope, whatever the values are."),
};

function scopeText(file: string, allowed: string): string {
  return `From a file whose scope is ${file}, a module can be deployed to: ${allowed}.`;
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

function either(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(" or ");
}

function slashesText(expected: number): string {
  if (expected === 0) {
    return `The name of this resource cannot contain "/": its type has no parent.`;
  }
  const segments = expected === 1 ? "1 child segment" : `${expected} child segments`;
  const example = ["parent", ...Array.from({ length: expected }, () => "child")].join("/");
  return `The type has ${segments}, so the name needs ${expected} "/", as in '${example}'. Or set "parent".`;
}
