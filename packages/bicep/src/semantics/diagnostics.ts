import { error } from "../diagnostic.ts";
import type { Span } from "../diagnostic.ts";
import { suggestSpelling } from "../types/index.ts";

/** What can be wrong with names. */
export const nameDiagnostics = {
  declaredTwice: (span: Span, name: string) =>
    error("BCP028", span, `"${name}" is declared more than once. Remove or rename the duplicates.`),
  outputDeclaredTwice: (span: Span, name: string) =>
    error("BCP145", span, `"${name}" is declared more than once as an output. Remove or rename the duplicates.`),
  metadataDeclaredTwice: (span: Span, name: string) =>
    error("BCP145", span, `"${name}" is declared more than once as metadata. Remove or rename the duplicates.`),
  differsInCase: (span: Span, others: readonly string[]) =>
    error("BCP353", span, `${list(others)} differ only in letter case, and the template does not tell them apart.`),
  reservedNamespace: (span: Span, name: string) =>
    error("BCP084", span, `"${name}" is the name of a namespace and cannot be declared.`),
  reservedVariable: (span: Span, name: string) =>
    error("BCP239", span, `"${name}" has a meaning of its own in templates and cannot be the name of a variable.`),
  reservedTypeName: (span: Span, name: string) =>
    error("BCP301", span, `"${name}" is reserved and cannot be the name of a type.`),
  reservedMetadata: (span: Span, name: string) =>
    error("BCP268", span, `Metadata names that start with "_" are reserved; rename "${name}".`),
  scopeDeclaredTwice: (span: Span) => error("BCP112", span, `"targetScope" can be set only once in a file.`),
  usingTwice: (span: Span) => error("BCP262", span, `A parameters file has only one "using".`),
  usingMissing: (span: Span) => error("BCP261", span, `A parameters file needs a "using" that names its template.`),
  extendsTwice: (span: Span) => error("BCP405", span, `A parameters file can extend only one other file.`),
  singletonExtension: (span: Span, name: string) =>
    error("BCP207", span, `The extension "${name}" can be declared only once in a file.`),
  importedTwice: (span: Span, names: readonly string[]) =>
    error("BCP362", span, `The same symbol is imported several times, as ${list(names)}.`),
  quotedImportNeedsAlias: (span: Span) => error("BCP375", span, `An import in quotes needs a name: add "as".`),

  unknownName: (span: Span, name: string, advice = "") =>
    error("BCP057", span, `Nothing named "${name}" is in scope here.${advice}`),
  unknownNameMeant: (span: Span, name: string, suggestion: string) =>
    error("BCP082", span, `Nothing named "${name}" is in scope here. Did you mean "${suggestion}"?`),
  unknownType: (span: Span, name: string, known: readonly string[]) => {
    const meant = suggestSpelling(name, known);
    const advice = meant === undefined ? `Known types: ${list(known)}.` : `Did you mean "${meant}"?`;
    return error("BCP302", span, `"${name}" is not a type. ${advice}`);
  },
  namespaceAsType: (span: Span, name: string) =>
    error("BCP306", span, `"${name}" is a namespace and cannot be used as a type.`),
  valueAsType: (span: Span, name: string) => error("BCP287", span, `"${name}" is a value but is used as a type here.`),
  typeAsValue: (span: Span, name: string) => error("BCP288", span, `"${name}" is a type but is used as a value here.`),
  notAValue: (span: Span, name: string) =>
    error("BCP063", span, `"${name}" is not a parameter, variable, resource or module.`),
  notAFunction: (span: Span, name: string) => error("BCP059", span, `"${name}" is not a function.`),
  notAFunctionButBuiltIn: (span: Span, name: string, qualified: string) =>
    error("BCP265", span, `"${name}" is not a function here. Did you mean "${qualified}"?`),
  ambiguous: (span: Span, name: string, namespaces: readonly string[]) =>
    error("BCP056", span, `"${name}" exists in several namespaces (${list(namespaces)}). Qualify it with one of them.`),
  unknownMember: (span: Span, namespace: string, name: string) =>
    error("BCP107", span, `The namespace "${namespace}" has no function "${name}".`),
  unknownMemberMeant: (span: Span, namespace: string, name: string, suggestion: string) =>
    error("BCP108", span, `The namespace "${namespace}" has no function "${name}". Did you mean "${suggestion}"?`),
  notAResource: (span: Span, kind: string) =>
    error("BCP158", span, `Only resources have nested resources; this is a ${kind}.`),
  noNestedResource: (span: Span, resource: string, name: string, known: readonly string[]) =>
    error("BCP159", span, `The resource "${resource}" contains no resource "${name}". It has: ${list(known)}.`),
  baseRedeclared: (span: Span) => error("BCP438", span, `"base" is reserved and cannot be declared.`),
  baseWithoutExtends: (span: Span) => error("BCP437", span, `"base" can only be used in a file that extends another.`),
  onlyParameters: (span: Span, name: string) =>
    error("BCP072", span, `The default value of a parameter can only use other parameters, and "${name}" is none.`),
  onlyInParameterDefault: (span: Span, name: string) =>
    error("BCP065", span, `"${name}" can only be called in the default value of a parameter.`),
  onlyAtRunTime: (span: Span, name: string) =>
    error("BCP066", span, `"${name}" can only be called in the body of a resource, module, variable or output.`),
  notADecorator: (span: Span, name: string) => error("BCP152", span, `"${name}" is not a decorator.`),
  wrongDecoratorTarget: (span: Span, code: string, name: string, target: string) =>
    error(code, span, `"${name}" cannot decorate a ${target}.`),

  operatorInstead: (span: Span, name: string) =>
    error("BCP069", span, `The function "${name}" is not available here. Use the operator instead.`),
  noVariablesFunction: (span: Span) =>
    error("BCP060", span, `The function "variables" is not available. Use the variable's name.`),
  noParametersFunction: (span: Span) =>
    error("BCP061", span, `The function "parameters" is not available. Use the parameter's name.`),
  noIfFunction: (span: Span) => error("BCP100", span, `The function "if" is not available. Use "? :" instead.`),
  noCreateArray: (span: Span) =>
    error("BCP101", span, `The function "createArray" is not available. Use "[ ]" instead.`),
  noCreateObject: (span: Span) =>
    error("BCP102", span, `The function "createObject" is not available. Use "{ }" instead.`),
};

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
