import { error, info, warning } from "../diagnostic.ts";
import type { Diagnostic, DiagnosticLevel, Span } from "../diagnostic.ts";
import { printType } from "../types/index.ts";
import type { Type } from "../types/index.ts";

interface Named {
  readonly name: string;
}

interface MissingProperty {
  readonly name: string;
  /** What it needs in turn, where it is an object. */
  readonly needs: readonly string[];
}

interface ExpectedAndActual {
  readonly expected: Type;
  readonly actual: Type;
}

/** A longer text is not read, and each of the members repeats it. */
const longestChain = 20;
const longestQuoted = 200;

/** What can be wrong with types and values. */
export const checks = {
  // names and declarations
  invalidReference: (span: Span, name: string) =>
    error("BCP062", span, `The declaration of "${name}" has errors, so it cannot be used.`),
  selfReference: (span: Span) => error("BCP079", span, "This expression refers to its own declaration."),
  cycle: (span: Span, members: readonly Named[]) =>
    error("BCP080", span, `This expression is part of a cycle: ${chain(members)}.`),
  namespaceInVariable: (span: Span, type: Type) =>
    error("BCP041", span, `A value of type ${show(type)} cannot be kept in a variable.`),
  featureNeeded: (span: Span, code: string, feature: string) =>
    error(code, span, `This needs the experimental feature "${feature}".`),
  statementNotAllowed: (span: Span, file: string) => error("BCP337", span, `This statement is not allowed in ${file}.`),
  decoratorsNotAllowed: (span: Span) => error("BCP130", span, "Decorators are not allowed here."),

  // expressions
  notConstant: (span: Span) => error("BCP032", span, "This must be a compile-time constant."),
  unaryOperator: (span: Span, operator: string, type: Type) =>
    error("BCP044", span, `The operator "${operator}" does not apply to ${show(type)}.`),
  binaryOperator: (span: Span, operator: string, left: Type, right: Type, hint = "") =>
    error("BCP045", span, `The operator "${operator}" does not apply to ${show(left)} and ${show(right)}.${hint}`),
  notBool: (span: Span, type: Type) => error("BCP046", span, `A bool is expected here, not ${show(type)}.`),
  notArray: (span: Span, type: Type) => error("BCP137", span, `A loop needs an array, not ${show(type)}.`),
  spreadType: (span: Span, expected: string, type: Type) =>
    error("BCP402", span, `Only an ${expected} can be spread here, not ${show(type)}.`),
  duplicateProperty: (span: Span, name: string) =>
    error("BCP025", span, `The property "${name}" is written more than once in this object.`),
  lambdaArity: (span: Span, expected: string, actual: number) =>
    error("BCP244", span, `A lambda with ${expected} is expected here, and this one has ${actual}.`),
  possiblyNull: (span: Span, name: string, fixes: { readonly safe: string; readonly asserted: string } | undefined) => {
    const advice = fixes && ` Use ${fixes.safe} to get null instead, or ${fixes.asserted} if it is never null.`;
    return warning("BCP318", span, `${name} may be null here, and then this fails when deployed.${advice ?? ""}`);
  },
  nullableValue: (span: Span, expected: Type, actual: Type) =>
    warning("BCP321", span, `${show(expected)} is expected here, and the value of type ${show(actual)} may be null.`),
  functionMayFail: (span: Span, name: string) =>
    warning("BCP422", span, `"${name}" may not exist when deployed, and then this call fails.`),

  // access
  indexOfAny: (level: DiagnosticLevel, span: Span, type: Type) =>
    make(level, "BCP049", span, `An index is a string or an integer, not ${show(type)}.`),
  noProperties: (span: Span, type: Type) => error("BCP054", span, `The type ${show(type)} has no properties.`),
  notAnObject: (span: Span, type: Type) => error("BCP055", span, `Values of type ${show(type)} have no properties.`),
  collectionAsObject: (span: Span, name: string, kind: string, property: string) =>
    error("BCP055", span, `"${name}" is a list of ${kind}s. Choose one of them, as in ${name}[0].${property}.`),
  arrayIndex: (level: DiagnosticLevel, span: Span, type: Type) =>
    make(level, "BCP074", span, `The index of an array is an integer, not ${show(type)}.`),
  objectIndex: (level: DiagnosticLevel, span: Span, type: Type) =>
    make(level, "BCP075", span, `The index of an object is a string, not ${show(type)}.`),
  notIndexable: (level: DiagnosticLevel, span: Span, type: Type) =>
    make(level, "BCP076", span, `Values of type ${show(type)} have no items; only arrays and objects do.`),
  negativeIndex: (span: Span) => error("BCP339", span, "An index cannot be negative. Count from the end with [^1]."),
  tupleIndex: (span: Span, type: Type, count: number) =>
    error("BCP311", span, `${show(type)} has ${count} items, so this index is out of range.`),
  fromEndOnObject: (level: DiagnosticLevel, span: Span, type: Type) =>
    make(level, "BCP414", span, `"^" counts from the end of arrays and does not apply to ${show(type)}.`),
  fromEndWithString: (level: DiagnosticLevel, span: Span, type: Type) =>
    make(level, "BCP415", span, `"^" needs an integer, not ${show(type)}.`),
  writeOnly: (span: Span, name: string, type: Type) =>
    error("BCP077", span, `The property "${name}" of ${show(type)} can be written but not read.`),
  fallbackRead: (level: DiagnosticLevel, span: Span, name: string, type: Type) =>
    make(level, "BCP187", span, `The definition of ${show(type)} does not list "${name}", which may still work.`),
  unknownProperty: (level: DiagnosticLevel, span: Span, name: string, type: Type, known: readonly string[]) =>
    make(level, "BCP053", span, `${show(type)} has no property "${name}". It has: ${list(known)}.`),
  noSuchProperty: (level: DiagnosticLevel, span: Span, name: string, type: Type) =>
    make(level, "BCP052", span, `${show(type)} has no property "${name}".`),
  misspelledProperty: (level: DiagnosticLevel, span: Span, name: string, type: Type, meant: string) =>
    make(level, "BCP083", span, `${show(type)} has no property "${name}". Did you mean "${meant}"?`),

  // calls
  noMethods: (span: Span, type: Type) => error("BCP067", span, `Values of type ${show(type)} have no functions.`),
  unknownMethod: (span: Span, name: string, type: Type) =>
    error("BCP109", span, `${show(type)} has no function "${name}".`),
  misspelledMethod: (span: Span, name: string, type: Type, meant: string) =>
    error("BCP110", span, `${show(type)} has no function "${name}". Did you mean "${meant}"?`),
  noOverload: (span: Span, expected: readonly Type[], actual: Type) =>
    error(
      "BCP048",
      span,
      `No form of this function takes ${show(actual)}; possible: ${expected.map(show).join(", ")}.`,
    ),
  argumentType: (span: Span, expected: Type, actual: Type) =>
    error("BCP070", span, `${show(expected)} is expected here, not ${show(actual)}.`),
  argumentCount: (span: Span, called: string, minimum: number, maximum: number | undefined, actual: number) =>
    error(
      "BCP071",
      span,
      `${called} takes ${count(minimum, maximum)}, and ${actual} ${actual === 1 ? "is" : "are"} given.`,
    ),
  deprecatedProviders: (span: Span) => warning("BCP241", span, `The function "providers" is no longer maintained.`),
  misplacedSecret: (span: Span, name: string) =>
    error("BCP180", span, `"${name}" can only be the whole value of a secure parameter of a module.`),
  misplacedDirect: (span: Span, name: string) =>
    error("BCP351", span, `"${name}" can only be the whole value of a parameter.`),
  // assignment
  type: (level: DiagnosticLevel, span: Span, expected: Type, actual: Type) =>
    make(level, "BCP033", span, `${show(expected)} is expected here, not ${show(actual)}.`),
  itemType: (level: DiagnosticLevel, span: Span, expected: Type, actual: Type) =>
    make(level, "BCP034", span, `Items of this array must be of type ${show(expected)}, but this is ${show(actual)}.`),
  spreadItemType: (level: DiagnosticLevel, span: Span, expected: Type, actual: Type) =>
    make(level, "BCP403", span, `Items spread here must be of type ${show(expected)}, not ${show(actual)}.`),
  missing: (level: DiagnosticLevel, span: Span, owner: string, properties: readonly MissingProperty[]) =>
    make(level, "BCP035", span, `${owner} needs ${properties.map(describeMissing).join(", ")}.`),
  propertyType: (level: DiagnosticLevel, span: Span, name: string, expected: Type, actual: Type) =>
    make(level, "BCP036", span, `"${name}" must be of type ${show(expected)}, but this is ${show(actual)}.`),
  propertyValueMeant: (level: DiagnosticLevel, span: Span, name: string, types: ExpectedAndActual, meant: string) => {
    const { expected, actual } = types;
    const text = `"${name}" must be ${printType(expected)}, not ${printType(actual)}. Did you mean ${meant}?`;
    return make(level, "BCP088", span, text);
  },
  notAllowed: (level: DiagnosticLevel, span: Span, name: string, type: Type, allowed: readonly string[]) =>
    make(level, "BCP037", span, `${show(type)} has no property "${name}".${also(allowed)}`),
  notAllowedMeant: (level: DiagnosticLevel, span: Span, name: string, type: Type, meant: string) =>
    make(level, "BCP089", span, `${show(type)} has no property "${name}". Did you mean "${meant}"?`),
  interpolatedKey: (level: DiagnosticLevel, span: Span, type: Type) =>
    make(level, "BCP040", span, `Keys of ${show(type)} must be plain text.`),
  readOnly: (level: DiagnosticLevel, span: Span, name: string) =>
    make(level, "BCP073", span, `The property "${name}" is read-only.`),
  notOnExisting: (span: Span, name: string) =>
    error("BCP173", span, `The property "${name}" cannot be set on an existing resource.`),
  fallbackWrite: (span: Span, name: string, type: Type) =>
    warning("BCP187", span, `The definition of ${show(type)} does not list "${name}", which may still work.`),
  noAny: (span: Span) => error("BCP176", span, `A value of type "any" is not allowed here.`),
  discriminatorMissing: (level: DiagnosticLevel, span: Span, name: string, expected: Type) =>
    make(level, "BCP078", span, `The property "${name}" must be set to ${show(expected)}.`),
  discriminatorUnknown: (span: Span, name: string, type: Type) =>
    warning("BCP225", span, `"${name}" decides about the other properties, and its type ${show(type)} leaves it open.`),
  tooHigh: (level: DiagnosticLevel, span: Span, value: bigint, limit: bigint) =>
    make(level, "BCP327", span, `The value is at least ${value}, above the maximum of ${limit}.`),
  tooLow: (level: DiagnosticLevel, span: Span, value: bigint, limit: bigint) =>
    make(level, "BCP328", span, `The value is at most ${value}, below the minimum of ${limit}.`),
  maybeTooLow: (span: Span, value: bigint, limit: bigint) =>
    warning("BCP329", span, `The value can be as low as ${value}, below the minimum of ${limit}.`),
  maybeTooHigh: (span: Span, value: bigint, limit: bigint) =>
    warning("BCP330", span, `The value can be as high as ${value}, above the maximum of ${limit}.`),
  tooLong: (level: DiagnosticLevel, span: Span, length: number, limit: number) =>
    make(level, "BCP332", span, `The length is at least ${length}, above the maximum of ${limit}.`),
  tooShort: (level: DiagnosticLevel, span: Span, length: number, limit: number) =>
    make(level, "BCP333", span, `The length is at most ${length}, below the minimum of ${limit}.`),
  maybeTooShort: (span: Span, length: number, limit: number) =>
    warning("BCP334", span, `The length can be as low as ${length}, below the minimum of ${limit}.`),
  maybeTooLong: (span: Span, length: number, limit: number) =>
    warning("BCP335", span, `The length can be as high as ${length}, above the maximum of ${limit}.`),
  pattern: (level: DiagnosticLevel, span: Span, pattern: string) =>
    make(level, "BCP416", span, `The text does not match the pattern ${pattern}.`),

  // resources, modules, imports, extensions
  interpolatedResourceType: (span: Span) => error("BCP047", span, "The type of a resource cannot be interpolated."),
  invalidResourceType: (span: Span, text: string) =>
    error(
      "BCP029",
      span,
      text.includes("/") && !text.includes("@") && text.length <= longestQuoted
        ? `The api-version is missing: write "${text}@<api-version>".`
        : `${quoted(text)} is not a resource type. Write it as "<provider>/<type>@<api-version>".`,
    ),
  unknownResourceType: (span: Span, type: string, advice?: string) =>
    warning(
      "BCP081",
      span,
      [`There is no definition of the type "${type}", so its properties are not checked.`, advice]
        .filter((sentence) => sentence !== undefined)
        .join(" "),
    ),
  providersInType: (span: Span) =>
    warning("BCP174", span, `Types with "/providers/" are for other resources' extensions; use "scope" instead.`),
  nestedTypeSegments: (span: Span, type: string) =>
    error("BCP156", span, `The type of a nested resource has a single segment, unlike "${type}".`),
  parentTypeInvalid: (span: Span) =>
    error("BCP157", span, "The type of this resource follows from the one around it, which has errors."),
  typeNamespaceUnknown: (span: Span, name: string, known: readonly string[]) =>
    error("BCP208", span, `There is no namespace "${name}" for resource types. Known: ${list(known)}.`),
  typeNotInNamespace: (span: Span, type: string, namespace: string) =>
    error("BCP209", span, `The namespace "${namespace}" has no type "${type}".`),
  parentInOtherNamespace: (span: Span, type: string) =>
    error("BCP210", span, `"${type}" belongs to another namespace than the resource around it.`),
  typeAmbiguous: (span: Span, type: string, namespaces: readonly string[]) =>
    error("BCP264", span, `"${type}" is in several namespaces (${list(namespaces)}). Write the namespace before it.`),
  interpolatedPath: (span: Span) => error("BCP092", span, "A path cannot be interpolated."),
  modulePathMissing: (span: Span) => error("BCP090", span, "The path of the module's file is missing."),
  testPathMissing: (span: Span) => error("BCP358", span, "The path of the file to test is expected here."),
  templateHasErrors: (span: Span, path: string) =>
    error("BCP104", span, `The file "${path}" has errors. They are reported for that file.`),
  armTemplateHasErrors: (span: Span, path: string) => error("BCP188", span, `The template "${path}" has errors.`),
  paramsNotObject: (span: Span, name: string) =>
    error("BCP183", span, `The value of "${name}" must be an object literal.`),
  exportNotFound: (span: Span, name: string) => error("BCP360", span, `The file has no export named "${name}".`),
  exportAmbiguous: (span: Span, name: string, reason: string) =>
    error("BCP373", span, `"${name}" cannot be imported: ${reason}`),
  importNeedsDeployment: (span: Span, name: string, functions: readonly string[]) =>
    error(
      "BCP452",
      span,
      `"${name}" cannot be used in a parameters file: it needs ${list(functions)} of a deployment.`,
    ),
  extensionTypeHandedOver: (span: Span, type: string) =>
    error("BCP227", span, `Only Azure's resources can be parameters and outputs, and "${type}" is an extension's.`),
  wildcardAmbiguous: (span: Span, names: readonly string[]) =>
    error("BCP374", span, `Not everything can be imported at once: ${list(names)} are exported more than once.`),
  extensionConfigurationUnknown: (span: Span, name: string) =>
    error("BCP205", span, `The extension "${name}" takes no configuration.`),
  extensionConfigurationMissing: (span: Span, name: string) =>
    error("BCP206", span, `The extension "${name}" needs a configuration.`),
  interpolatedSpecification: (span: Span) => error("BCP303", span, "The name of an extension cannot be interpolated."),
  extensionAsValue: (span: Span, name: string) =>
    error("BCP418", span, `"${name}" is an extension and cannot be used as a value.`),
  extensionConfigEntry: (span: Span) =>
    error("BCP431", span, "Write an object literal here, or the configuration of an extension of this file."),
  assertNotBool: (span: Span, type: Type) => error("BCP350", span, `An assertion is a bool, not ${show(type)}.`),

  // decorators
  notADecorator: (span: Span) => error("BCP141", span, "This is not a decorator."),
  decoratorTargetType: (span: Span, name: string, type: Type) =>
    error("BCP124", span, `"${name}" cannot decorate something of type ${show(type)}.`),
  duplicateDecorator: (span: Span, name: string) => error("BCP166", span, `"${name}" is given more than once.`),
  danglingDecorator: (span: Span, code: string, expected: string) =>
    error(code, span, `${expected} is expected after this decorator.`),
  notOnLoop: (span: Span, name: string) => error("BCP155", span, `"${name}" only applies to loops.`),
  notOnDeployed: (span: Span, name: string) => error("BCP445", span, `"${name}" only applies to existing resources.`),
  decoratorOnAlias: (span: Span, name: string) =>
    error("BCP308", span, `"${name}" cannot refine a type that is declared elsewhere.`),
  decoratorOnLiteral: (span: Span, name: string) =>
    error("BCP295", span, `"${name}" cannot refine a literal or a union of literals.`),
  boundsCrossed: (span: Span, lower: string, upper: string) =>
    error("BCP331", span, `"${lower}" is greater than "${upper}".`),
  secureKind: (span: Span) => error("BCP440", span, "Only a string or an object can be secure."),
  sealedOpen: (span: Span) => error("BCP316", span, `An object with "*:" cannot be sealed.`),
  sealedDerived: (span: Span) => error("BCP386", span, "A type that is taken from a resource cannot be sealed."),
  notTaggedUnion: (span: Span) => error("BCP363", span, "Only a union of objects has a discriminator."),
  otherDiscriminator: (span: Span, name: string) =>
    error("BCP366", span, `The discriminator of this type is "${name}".`),
  exportMisplaced: (span: Span) => error("BCP361", span, "Only statements can be exported."),
  exportClosure: (span: Span, names: readonly string[]) =>
    error("BCP372", span, `What is exported cannot use ${list(names)}: only types, variables and functions travel.`),

  // types
  nullAlone: (span: Span) => error("BCP289", span, "null alone is not a type."),
  keyNotConstant: (span: Span) => error("BCP296", span, "The name of a property must be plain text."),
  keysDifferInCase: (span: Span, names: readonly string[]) =>
    error("BCP353", span, `${list(names)} differ only in letter case, and the template does not tell them apart.`),
  twoAdditional: (span: Span) => error("BCP315", span, `An object type has at most one "*:".`),
  unionMember: (span: Span) => error("BCP293", span, "All members of a union must be literals."),
  unionMixed: (span: Span) => error("BCP294", span, "The members of a union must all be of the same kind."),
  unionKind: (span: Span, type: Type, kind: string) =>
    error("BCP286", span, `The member ${show(type)} does not fit the others, which are ${kind}.`),
  unionOfItself: (span: Span) =>
    error("BCP286", span, "The members of this union must be objects; this one leads back to the union."),
  notLiteralType: (span: Span) => error("BCP285", span, "This type cannot be worked out at compile time."),
  selfType: (span: Span) => error("BCP298", span, "This type contains itself without end."),
  cyclicType: (span: Span, members: readonly Named[]) =>
    error("BCP299", span, `This type contains itself without end: ${chain(members)}.`),
  discriminatorProperty: (span: Span, name: string) =>
    error("BCP364", span, `"${name}" must be a required property with a string literal in every member.`),
  discriminatorValue: (span: Span, name: string, value: string) =>
    error("BCP365", span, `The value ${value} of "${name}" is used by another member.`),
  accessBase: (span: Span) => error("BCP391", span, "Only a named type has members that can be taken."),
  indexNegative: (span: Span) => error("BCP387", span, "An index cannot be negative."),
  notATuple: (span: Span, type: Type) => error("BCP388", span, `${show(type)} is not a tuple.`),
  noAdditional: (span: Span, type: Type) => error("BCP389", span, `${show(type)} has no "*:" type.`),
  noItems: (span: Span, type: Type) => error("BCP390", span, `${show(type)} is not an array with a type of its items.`),
  typeArgumentsMissing: (span: Span, name: string) =>
    error("BCP384", span, `"${name}" needs a resource type between < and >.`),
  notGeneric: (span: Span, name: string) => error("BCP383", span, `"${name}" takes no type arguments.`),
  derivedWhole: (span: Span) => error("BCP394", span, "Take a property of the resource's type."),
  derivedDeprecated: (span: Span) => warning("BCP409", span, `Use "resourceInput" or "resourceOutput" instead.`),
  nullableDefault: (span: Span) => error("BCP326", span, "A nullable parameter cannot have a default value."),
  resourceTypeFeature: (span: Span) =>
    error("BCP231", span, `This needs the experimental feature "resourceTypedParamsAndOutputs".`),
  // parameters files
  parametersMissing: (span: Span, names: readonly string[]) =>
    error("BCP258", span, `Parameters without a value: ${list(names)}.`),
  parameterUnknown: (span: Span, name: string) =>
    error("BCP259", span, `The template has no parameter named "${name}".`),
  extensionConfigUnknown: (span: Span, name: string) =>
    error("BCP425", span, `The template has no extension named "${name}".`),
  extensionConfigMissing: (span: Span, names: readonly string[]) =>
    error("BCP424", span, `Extensions without the configuration they need: ${list(names)}.`),

  /** What a part outside of the checker found, at the place where the checker asked for it. */
  placed: (span: Span, problem: Omit<Diagnostic, "span">) => make(problem.level, problem.code, span, problem.message),
};

function make(level: DiagnosticLevel, code: string, span: Span, message: string): Diagnostic {
  switch (level) {
    case "error":
      return error(code, span, message);
    case "warning":
      return warning(code, span, message);
    case "info":
      return info(code, span, message);
    default:
      return level satisfies never;
  }
}

function show(type: Type): string {
  return `"${printType(type)}"`;
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

/** A text of the user's, unless it is too long to be read in a message. */
function quoted(text: string): string {
  return text.length <= longestQuoted ? `"${text}"` : "This";
}

function describeMissing({ name, needs }: MissingProperty): string {
  return needs.length === 0 ? `"${name}"` : `"${name}" with ${list(needs)}`;
}

function also(names: readonly string[]): string {
  return names.length === 0 ? "" : ` It has: ${list(names)}.`;
}

function chain(members: readonly Named[]): string {
  const names = members.length > longestChain ? members.slice(0, longestChain) : members;
  const left = members.length - names.length;
  const links = names.map(({ name }) => `"${name}"`);
  return [...links, ...(left > 0 ? [`${left} more`] : []), `"${members[0]?.name ?? ""}"`].join(" -> ");
}

function count(minimum: number, maximum: number | undefined): string {
  if (maximum === undefined) {
    return `at least ${minimum} argument${minimum === 1 ? "" : "s"}`;
  }
  if (minimum !== maximum) {
    return `${minimum} to ${maximum} arguments`;
  }
  return maximum === 0 ? "no arguments" : `${maximum} argument${maximum === 1 ? "" : "s"}`;
}
