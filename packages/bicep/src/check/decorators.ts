import type { ResolvedDecorator } from "../semantics/index.ts";
import type {
  DanglingDecorators,
  Decorated,
  Decorator,
  Node,
  ObjectTypeAdditionalProperties,
  ObjectTypeProperty,
  TupleTypeItem,
  TypeExpression,
} from "../syntax/index.ts";
import { anyType, DecoratorTargets, isLiteral, membersOf, nullType, tupleOf, withoutNull } from "../types/index.ts";
import type { DecoratorCheck, Type } from "../types/index.ts";
import type { Checker } from "./checker.ts";
import { integerArgument } from "./decorated-types.ts";
import { checks } from "./diagnostics.ts";
import { aliasOf } from "./type-expressions.ts";

/** The decorators of a node that mean something; what is wrong with the others is reported. */
export function resolveDecorators(checker: Checker, node: Node): readonly ResolvedDecorator[] {
  if (!("decorators" in node)) {
    return [];
  }
  const resolved: ResolvedDecorator[] = [];
  for (const decorator of node.decorators) {
    const found = resolveDecorator(checker, decorator);
    if (found !== undefined) {
      resolved.push(found);
    }
  }
  return resolved;
}

function resolveDecorator(checker: Checker, node: Decorator): ResolvedDecorator | undefined {
  const { expression } = node;
  if (checker.typeOf(expression).kind === "error") {
    return undefined;
  }
  if (expression.kind !== "FunctionCall" && expression.kind !== "InstanceFunctionCall") {
    checker.report(checks.notADecorator(expression));
    return undefined;
  }
  const symbol = checker.symbolOf(expression);
  const overload = checker.callOf(expression)?.overload;
  if (symbol?.kind !== "builtInFunction" || symbol.decorator === undefined || overload === undefined) {
    return undefined;
  }
  return { node, definition: symbol.decorator, namespace: symbol.namespace, overload, args: expression.args };
}

/** What decorators stand on: the type that they say something about, and how that is written. */
export interface DecoratorTarget {
  readonly type: Type | undefined;
  readonly written: TypeExpression | undefined;
  readonly isTopLevel: boolean;
  readonly isLoop: boolean;
  readonly isExisting: boolean;
  /** Names of what is reachable but cannot be exported. */
  readonly notExportable: () => readonly string[];
}

/** Checks that the decorators fit what they stand on. */
export function checkDecorators(checker: Checker, node: Node & Decorated, found: DecoratorTarget): void {
  if (node.decorators.length === 0) {
    return;
  }
  const decorators = checker.decoratorsOf(node);
  reportDuplicates(checker, decorators);
  const target = found.type?.kind === "error" ? { ...found, type: knownShape(checker, found.written) } : found;
  if (found.type?.kind === "error" && target.type === undefined) {
    return;
  }
  for (const decorator of decorators) {
    const { definition } = decorator;
    if (target.type !== undefined && definition.attachesTo?.(target.type) === false) {
      checker.report(checks.decoratorTargetType(decorator.node, definition.name, target.type));
      if (!definition.checks.includes("taggedUnion")) {
        continue;
      }
    }
    for (const check of definition.checks) {
      if (!passes(checker, check, decorator, decorators, target)) {
        break;
      }
    }
  }
}

/** A tuple is one whatever its items are, so that errors in these say nothing about its decorators. */
function knownShape(checker: Checker, written: TypeExpression | undefined): Type | undefined {
  switch (written?.kind) {
    case "TupleType":
      return checker.hasParseErrors(written) ? undefined : tupleOf(written.elements.map(() => anyType));
    case "NullableType":
    case "NonNullableType":
      return knownShape(checker, written.base);
    case "ParenthesizedType":
      return knownShape(checker, written.type);
    default:
      return undefined;
  }
}

/** Checks the decorators of properties and items inside of a type. */
export function checkTypeDecorators(checker: Checker, node: TypeExpression): void {
  switch (node.kind) {
    case "ObjectType":
    case "TupleType":
      for (const element of node.elements) {
        if (element.kind !== "Skipped") {
          checkElementDecorators(checker, element);
        }
      }
      break;
    case "ArrayType":
      checkTypeDecorators(checker, node.item);
      break;
    case "NullableType":
    case "NonNullableType":
      checkTypeDecorators(checker, node.base);
      break;
    case "ParenthesizedType":
      checkTypeDecorators(checker, node.type);
      break;
    case "UnionType":
      for (const member of node.members) {
        checkTypeDecorators(checker, member.type);
      }
      break;
    default:
      break; // names and literals have nothing inside
  }
}

function checkElementDecorators(
  checker: Checker,
  node: ObjectTypeProperty | ObjectTypeAdditionalProperties | TupleTypeItem,
): void {
  if (node.decorators.length > 0) {
    checkDecorators(checker, node, {
      type: checker.typeOfTypeExpression(node.type),
      written: node.type,
      isTopLevel: false,
      isLoop: false,
      isExisting: false,
      notExportable: () => [],
    });
  }
  checkTypeDecorators(checker, node.type);
}

/** Decorators that nothing follows. */
export function checkDanglingDecorators(checker: Checker, node: DanglingDecorators): void {
  checker.decoratorsOf(node);
  const last = node.decorators.at(-1);
  if (last === undefined || checker.hasParseErrors(node)) {
    return;
  }
  const { expression } = last;
  const symbol = checker.symbolOf(expression);
  const targets = symbol?.kind === "builtInFunction" ? symbol.decorator?.targets : undefined;
  const expected = (targets === undefined ? undefined : expectations.get(targets)) ?? anyDeclaration;
  checker.report(checks.danglingDecorator(last, expected.code, expected.text));
}

const { Parameter, Type: TypeTarget, Variable, Resource, Module, Output, Metadata } = DecoratorTargets;

const anyDeclaration = { code: "BCP132", text: "A declaration" };

const expectations: ReadonlyMap<number, { readonly code: string; readonly text: string }> = new Map([
  [Parameter, { code: "BCP147", text: "A parameter" }],
  [Variable, { code: "BCP148", text: "A variable" }],
  [Resource, { code: "BCP149", text: "A resource" }],
  [Module, { code: "BCP150", text: "A module" }],
  [Output, { code: "BCP151", text: "An output" }],
  [Resource | Module, { code: "BCP153", text: "A resource or module" }],
  [Metadata, { code: "BCP267", text: "Metadata" }],
  [Parameter | TypeTarget, { code: "BCP290", text: "A parameter or type" }],
  [Parameter | TypeTarget | Output, { code: "BCP292", text: "A parameter, output or type" }],
]);

function reportDuplicates(checker: Checker, decorators: readonly ResolvedDecorator[]): void {
  if (decorators.length < 2) {
    return;
  }
  const groups = new Map<string, ResolvedDecorator[]>();
  for (const decorator of decorators) {
    const key = `${decorator.namespace.name}.${decorator.definition.name}`;
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [decorator]);
    } else {
      group.push(decorator);
    }
  }
  for (const group of groups.values()) {
    if (group.length > 1) {
      for (const decorator of group) {
        checker.report(checks.duplicateDecorator(decorator.node, decorator.definition.name));
      }
    }
  }
}

/** Runs one check; the rest is pointless when it fails. */
function passes(
  checker: Checker,
  check: DecoratorCheck,
  decorator: ResolvedDecorator,
  all: readonly ResolvedDecorator[],
  target: DecoratorTarget,
): boolean {
  const { node } = decorator;
  const { name } = decorator.definition;
  const report = (diagnostic: Parameters<Checker["report"]>[0]): boolean => {
    checker.report(diagnostic);
    return false;
  };
  switch (check) {
    case "notOnAlias":
      return (
        target.written === undefined ||
        aliasOf(checker, target.written) === undefined ||
        report(checks.decoratorOnAlias(node, name))
      );
    case "notOnLiteral":
      return target.type === undefined || !isFixed(target.type) || report(checks.decoratorOnLiteral(node, name));
    case "oneKind":
      return target.type === undefined || hasOneKind(target.type) || report(checks.secureKind(node));
    case "closable":
      return isClosable(checker, decorator, target);
    case "taggedUnion":
      return isTaggedUnion(checker, decorator, target);
    case "loop":
      return target.isLoop || report(checks.notOnLoop(node, name));
    case "existing":
      return target.isExisting || report(checks.notOnDeployed(node, name));
    case "topLevel":
      return target.isTopLevel || report(checks.exportMisplaced(node));
    case "exportable": {
      const names = target.notExportable();
      return names.length === 0 || report(checks.exportClosure(node, names));
    }
    case "allowedItems":
      return true; // compared with the parameter's type where that is worked out
    case "lowerBound":
      return boundsAgree(checker, decorator, all);
    case "upperBound":
      return true; // reported on the lower one
    default:
      return check satisfies never;
  }
}

function isFixed(type: Type): boolean {
  const inner = withoutNull(type) ?? type;
  return inner.kind === "union" || (isLiteral(inner) && inner.kind !== "object" && inner.kind !== "tuple");
}

function hasOneKind(type: Type): boolean {
  const kinds = new Set(membersOf(type).flatMap((member) => (member === nullType ? [] : [member.kind])));
  return kinds.size <= 1;
}

function isClosable(checker: Checker, decorator: ResolvedDecorator, target: DecoratorTarget): boolean {
  if (target.written !== undefined && isDerived(target.written)) {
    checker.report(checks.sealedDerived(decorator.node));
    return false;
  }
  const hasAdditional =
    target.written?.kind === "ObjectType" &&
    target.written.elements.some((element) => element.kind === "ObjectTypeAdditionalProperties");
  if (hasAdditional) {
    checker.report(checks.sealedOpen(decorator.node));
    return false;
  }
  return true;
}

/** Whether the type is that of a resource, or a member of it. */
function isDerived(node: TypeExpression): boolean {
  switch (node.kind) {
    case "TypeInstantiation":
    case "InstanceTypeInstantiation":
      return true;
    case "TypePropertyAccess":
    case "TypeAdditionalPropertiesAccess":
    case "TypeArrayAccess":
    case "TypeItemsAccess":
      return isDerived(node.target);
    case "NullableType":
    case "NonNullableType":
      return isDerived(node.base);
    case "ParenthesizedType":
      return isDerived(node.type);
    default:
      return false;
  }
}

function isTaggedUnion(checker: Checker, decorator: ResolvedDecorator, target: DecoratorTarget): boolean {
  const type = target.type === undefined ? undefined : (withoutNull(target.type) ?? target.type);
  if (type?.kind !== "discriminated") {
    checker.report(checks.notTaggedUnion(decorator.node));
    return false;
  }
  const [argument] = decorator.args;
  const given = argument === undefined ? undefined : checker.typeOf(argument.expression);
  if (given?.kind === "stringLiteral" && given.value !== type.discriminator) {
    checker.report(checks.otherDiscriminator(decorator.node, type.discriminator));
    return false;
  }
  return true;
}

/** A lower bound above the upper one leaves no value. */
function boundsAgree(checker: Checker, decorator: ResolvedDecorator, all: readonly ResolvedDecorator[]): boolean {
  const { name } = decorator.definition;
  const upperName = name.replace("min", "max");
  const upper = all.find((other) => other.definition.name === upperName);
  const low = integerArgument(checker, decorator);
  const high = integerArgument(checker, upper);
  if (low !== undefined && high !== undefined && low > high) {
    checker.report(checks.boundsCrossed(decorator.node, name, upperName));
    return false;
  }
  return true;
}
