import type { Value } from "@rad/templates";
import type { ObjectType, TupleTypeItem, TypeExpression } from "../syntax/index.ts";
import { literalText } from "../syntax/index.ts";
import { membersOf } from "../types/index.ts";
import type { LiteralValue, Type } from "../types/index.ts";
import { Place } from "./convert.ts";
import type { FileContext } from "./file-context.ts";
import { valueOfLiteral } from "./literals.ts";
import { pointerOf, typeKey } from "./type-pointers.ts";
import { addModifiers, argumentText } from "./modifiers.ts";
import { note } from "./values.ts";

export type TypeNode = Map<string, Value>;
type Decorated = Parameters<FileContext["model"]["decoratorOf"]>[0];

/** The node for the type of a declaration, without what its decorators add. */
export function declaredTypeNode(file: FileContext, declaration: Decorated, type: TypeExpression): TypeNode {
  const discriminator = argumentText(file, file.model.decoratorOf(declaration, "discriminator"), 0);
  return discriminator === undefined ? typeNode(file, type) : taggedNode(file, type, discriminator);
}

/** The node for the type of a member or of a tuple's item, with what its decorators add. */
function memberNode(file: FileContext, member: Decorated & { readonly type: TypeExpression }): TypeNode {
  const node = declaredTypeNode(file, member, member.type);
  addModifiers(new Place(file), member, node);
  return node;
}

export function typeNode(file: FileContext, type: TypeExpression): TypeNode {
  const pointer = pointerOf(file, type);
  if (pointer?.kind === "definition") {
    return new Map([["$ref", pointer.pointer]]);
  }
  if (pointer?.kind === "resource") {
    const derived = new Map<string, Value>([["source", pointer.source]]);
    if (pointer.isOutput) {
      derived.set("output", true);
    }
    const node = kindNode(file.model.typeOfTypeExpression(type));
    return node.set("metadata", new Map([["__bicep_resource_derived_type!", derived]]));
  }
  switch (type.kind) {
    case "ParenthesizedType":
      return typeNode(file, type.type);
    case "NullableType":
      return typeNode(file, type.base).set("nullable", true);
    case "NonNullableType":
      return typeNode(file, type.base).set("nullable", false);
    case "ArrayType":
      return arrayNode(file, type.item);
    case "TupleType":
      return tupleNode(file, type.elements.filter(isTupleItem));
    case "ObjectType":
      return objectNode(file, type);
    case "ResourceType":
      return resourceNode(type.type?.kind === "StringExpression" ? literalText(type.type) : undefined);
    case "UnionType":
    case "StringTypeLiteral":
    case "IntegerTypeLiteral":
    case "BooleanTypeLiteral":
    case "NullTypeLiteral":
    case "UnaryTypeOperation":
      return literalsNode(file, type);
    default:
      return kindNode(file.model.typeOfTypeExpression(type));
  }
}

/** A type that only says of which kind values are. */
function kindNode(type: Type): TypeNode {
  const kind = kindOf(type);
  return kind === undefined ? new Map() : new Map([["type", kind]]);
}

function kindOf(type: Type): string | undefined {
  switch (type.kind) {
    case "string":
    case "stringLiteral":
      return "string";
    case "int":
    case "intLiteral":
      return "int";
    case "bool":
    case "boolLiteral":
      return "bool";
    case "array":
    case "tuple":
      return "array";
    case "object":
    case "discriminated":
      return "object";
    default:
      return undefined;
  }
}

function literalsNode(file: FileContext, type: TypeExpression): TypeNode {
  const members = literalsOf(file, type);
  const kinds = new Set(members.filter((member) => member.kind !== "null").map(kindOf));
  const [kind] = kinds;
  const node: TypeNode = new Map();
  if (kind !== undefined && kinds.size === 1) {
    node.set("type", kind);
  }
  node.set("allowedValues", allowedValues(file, members));
  if (members.some((member) => member.kind === "null")) {
    node.set("nullable", true);
  }
  return node;
}

/** The members of a type made of literals; unions keep them in the order of their texts. */
function literalsOf(file: FileContext, type: TypeExpression): readonly Type[] {
  return membersOf(file.model.typeOfTypeExpression(type));
}

function allowedValues(file: FileContext, members: readonly Type[]): Value {
  return members.map((member) => valueOfLiteral(literalOf(member), file.session.budget));
}

/** The value of a literal type. Object types of the source take other members too, but as literals they mean none. */
function literalOf(type: Type): LiteralValue {
  switch (type.kind) {
    case "stringLiteral":
    case "intLiteral":
    case "boolLiteral":
      return type.value;
    case "tuple":
      return type.items.map(literalOf);
    case "object":
      return new Map(Array.from(type.properties.values(), (member) => [member.name, literalOf(member.type)]));
    default:
      return null;
  }
}

/** An array whose items come from a list says so itself; its items have no node. */
function arrayNode(file: FileContext, item: TypeExpression): TypeNode {
  const node: TypeNode = new Map([["type", "array"]]);
  return isLiterals(item)
    ? node.set("allowedValues", allowedValues(file, literalsOf(file, item)))
    : node.set("items", typeNode(file, item));
}

function isLiterals(type: TypeExpression): boolean {
  switch (type.kind) {
    case "ParenthesizedType":
      return isLiterals(type.type);
    case "UnionType":
    case "StringTypeLiteral":
    case "IntegerTypeLiteral":
    case "BooleanTypeLiteral":
    case "UnaryTypeOperation":
      return true;
    default:
      return false;
  }
}

function tupleNode(file: FileContext, items: readonly TupleTypeItem[]): TypeNode {
  return new Map<string, Value>([
    ["type", "array"],
    ["prefixItems", items.map((item) => memberNode(file, item))],
    ["items", false],
  ]);
}

function objectNode(file: FileContext, type: ObjectType): TypeNode {
  const env = new Place(file);
  const properties: TypeNode = new Map();
  const node: TypeNode = new Map<string, Value>([
    ["type", "object"],
    ["properties", properties],
  ]);
  for (const element of type.elements) {
    if (element.kind === "ObjectTypeProperty") {
      const name = typeKey(element.key) ?? "";
      properties.set(name, memberNode(file, element));
      note(env, properties, name, element);
    } else if (element.kind === "ObjectTypeAdditionalProperties") {
      node.set("additionalProperties", memberNode(file, element));
    }
  }
  return node;
}

function resourceNode(reference: string | undefined): TypeNode {
  const node: TypeNode = new Map([["type", "string"]]);
  return reference === undefined ? node : node.set("metadata", new Map([["resourceType", reference]]));
}

/** A union of objects that the value of one property tells apart. */
function taggedNode(file: FileContext, type: TypeExpression, discriminator: string): TypeNode {
  switch (type.kind) {
    case "ParenthesizedType":
      return taggedNode(file, type.type, discriminator);
    case "NullableType":
      return taggedNode(file, type.base, discriminator).set("nullable", true);
    case "NonNullableType":
      return taggedNode(file, type.base, discriminator).set("nullable", false);
    case "UnionType": {
      const mapping: TypeNode = new Map();
      for (const member of type.members) {
        addTagged(file, member.type, discriminator, mapping);
      }
      return new Map<string, Value>([
        ["type", "object"],
        [
          "discriminator",
          new Map<string, Value>([
            ["propertyName", discriminator],
            ["mapping", mapping],
          ]),
        ],
      ]);
    }
    default:
      return typeNode(file, type);
  }
}

/** Unions inside of unions are opened, also behind names. */
function addTagged(file: FileContext, type: TypeExpression, discriminator: string, mapping: TypeNode): void {
  switch (type.kind) {
    case "ParenthesizedType":
      return addTagged(file, type.type, discriminator, mapping);
    case "UnionType":
      for (const member of type.members) {
        addTagged(file, member.type, discriminator, mapping);
      }
      return;
    default:
  }
  const pointer = pointerOf(file, type);
  const target = pointer?.kind === "definition" ? pointer : undefined;
  const meant = target?.node === undefined ? undefined : withoutParentheses(target.node);
  if (target !== undefined && (meant?.kind === "UnionType" || meant?.kind === "TypeReference")) {
    return addTagged(target.file, meant, discriminator, mapping);
  }
  const object = file.model.typeOfTypeExpression(type);
  const tag = object.kind === "object" ? object.properties.get(discriminator)?.type : undefined;
  if (tag?.kind === "stringLiteral") {
    mapping.set(tag.value, typeNode(file, type));
  }
}

function withoutParentheses(type: TypeExpression): TypeExpression {
  return type.kind === "ParenthesizedType" ? withoutParentheses(type.type) : type;
}

function isTupleItem(element: { readonly kind: string }): element is TupleTypeItem {
  return element.kind === "TupleTypeItem";
}
