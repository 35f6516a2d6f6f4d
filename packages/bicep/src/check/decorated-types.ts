import type { ResolvedDecorator } from "../semantics/index.ts";
import type { Decorator, Node, UnionType, UnionTypeMember } from "../syntax/index.ts";
import {
  arrayOf,
  intOf,
  membersOf,
  PropertyFlags,
  silentError,
  stringOf,
  TypeFlags,
  unionOf,
  withFlags,
  withObject,
} from "../types/index.ts";
import type { Type, TypeSource } from "../types/index.ts";
import type { Checker } from "./checker.ts";
import { mapSource } from "./deferred.ts";

/** The decorators that make a type narrower than what is written. */
const refinements: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "minValue",
  "maxValue",
  "secure",
  "sealed",
]);

/** The type of a decorated declaration, property or item. */
export function refinedSource(checker: Checker, node: Node, source: TypeSource): TypeSource {
  const decorators = checker.decoratorsOf(node).filter((decorator) => refinements.has(decorator.definition.name));
  return decorators.length === 0 ? source : mapSource(source, (type) => refine(checker, type, decorators));
}

/** The text of `@description`, or of the member of `@metadata` that stands for it. */
export function descriptionOf(checker: Checker, node: Node): string | undefined {
  for (const decorator of checker.decoratorsOf(node)) {
    const [argument] = decorator.args;
    if (argument === undefined) {
      continue;
    }
    const type = checker.typeOf(argument.expression);
    if (decorator.definition.name === "description" && type.kind === "stringLiteral") {
      return type.value;
    }
    const inMetadata = type.kind === "object" ? type.properties.get("description")?.type : undefined;
    if (decorator.definition.name === "metadata" && inMetadata?.kind === "stringLiteral") {
      return inMetadata.value;
    }
  }
  return undefined;
}

/** The `@discriminator` that stands on what the union is the type of; without a property where its arguments are wrong. */
export function discriminatorOf(checker: Checker, node: UnionType): { readonly property?: string } | undefined {
  const owner = ownerOfType(checker, node);
  if (
    owner === undefined ||
    !("decorators" in owner) ||
    !owner.decorators.some((item) => isDiscriminator(checker, item))
  ) {
    return undefined;
  }
  const decorator = checker.decoratorsOf(owner).find((item) => item.definition.name === "discriminator");
  const argument = decorator?.args[0];
  const type = argument === undefined ? undefined : checker.typeOf(argument.expression);
  return type?.kind === "stringLiteral" ? { property: type.value } : {};
}

function isDiscriminator(checker: Checker, { expression }: Decorator): boolean {
  const symbol = checker.symbolOf(expression);
  return symbol?.kind === "builtInFunction" && symbol.name === "discriminator";
}

/** The declaration, property or item whose type a part of a union is, but for parentheses, `?` and unions around it. */
export function ownerOfType(checker: Checker, node: UnionType | UnionTypeMember): Node | undefined {
  let owner = checker.parentOf(node);
  while (owner !== undefined && isTransparentType(owner)) {
    owner = checker.parentOf(owner);
  }
  return owner;
}

/** Parts of a type expression that are about the same value as what they enclose. */
export function isTransparentType(node: Node): boolean {
  switch (node.kind) {
    case "ParenthesizedType":
    case "NullableType":
    case "NonNullableType":
    case "UnionType":
    case "UnionTypeMember":
      return true;
    default:
      return false;
  }
}

/** The integer that a decorator is given. */
export function integerArgument(checker: Checker, decorator: ResolvedDecorator | undefined): bigint | undefined {
  const argument = decorator?.args[0];
  const type = argument === undefined ? undefined : checker.typeOf(argument.expression);
  return type?.kind === "intLiteral" ? type.value : undefined;
}

function refine(checker: Checker, type: Type, decorators: readonly ResolvedDecorator[]): Type {
  const named = (name: string): ResolvedDecorator | undefined =>
    decorators.find((decorator) => decorator.definition.name === name);
  const minLength = lengthOf(integerArgument(checker, named("minLength")));
  const maxLength = lengthOf(integerArgument(checker, named("maxLength")));
  const minValue = integerArgument(checker, named("minValue"));
  const maxValue = integerArgument(checker, named("maxValue"));
  if (
    (minLength !== undefined && maxLength !== undefined && minLength > maxLength) ||
    (minValue !== undefined && maxValue !== undefined && minValue > maxValue)
  ) {
    return silentError;
  }
  const isSecure = named("secure") !== undefined;
  const isSealed = named("sealed") !== undefined;
  const refined = membersOf(type).map((member): Type => {
    const flags = member.flags | (isSecure ? TypeFlags.Secure : 0);
    switch (member.kind) {
      case "string":
        return stringOf(
          {
            minLength: minLength ?? member.minLength,
            maxLength: maxLength ?? member.maxLength,
            pattern: member.pattern,
          },
          flags,
        );
      case "int":
        return intOf(minValue ?? member.min, maxValue ?? member.max, member.flags);
      case "array":
        return arrayOf(
          member.item,
          { minLength: minLength ?? member.minLength, maxLength: maxLength ?? member.maxLength },
          member.flags,
        );
      case "object": {
        const isOpen = (member.additional?.flags ?? 0) & PropertyFlags.Fallback;
        return withObject(member, { flags, additional: isSealed && isOpen !== 0 ? undefined : member.additional });
      }
      default:
        return isSecure ? withFlags(member, flags) : member;
    }
  });
  return unionOf(refined);
}

function lengthOf(value: bigint | undefined): number | undefined {
  return value === undefined || value < 0n ? undefined : Number(value);
}
