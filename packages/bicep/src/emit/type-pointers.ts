import type { ObjectTypeProperty, TypeExpression } from "../syntax/index.ts";
import { literalText } from "../syntax/index.ts";
import type { FileContext } from "./file-context.ts";
import type { ImportTarget } from "./import-names.ts";

/** Where the definition of a type stands in the template. */
export interface TypePointer {
  readonly kind: "definition";
  /** `#/definitions/…` */
  readonly pointer: string;
  /** The file and node that define it; none for types that come from JSON templates. */
  readonly file: FileContext;
  readonly node: TypeExpression | undefined;
}

/** A part of the definition of a resource type, which templates refer to by the name of that type. */
export interface ResourceTypePointer {
  readonly kind: "resource";
  /** `Ns.Name/type@version#path` */
  readonly source: string;
  readonly isOutput: boolean;
}

/** What a type expression refers to; nothing when it defines a type itself. */
export function pointerOf(file: FileContext, node: TypeExpression): TypePointer | ResourceTypePointer | undefined {
  switch (node.kind) {
    case "ParenthesizedType":
      return pointerOf(file, node.type);
    case "TypeReference":
      return namedType(file, node);
    case "TypeInstantiation":
    case "InstanceTypeInstantiation":
      return resourceType(node);
    case "TypePropertyAccess":
      return (
        wildcardType(file, node.target, node.name.name) ?? memberOf(file, node.target, ["properties", node.name.name])
      );
    case "TypeAdditionalPropertiesAccess":
      return memberOf(file, node.target, ["additionalProperties"]);
    case "TypeItemsAccess":
      return memberOf(file, node.target, ["items"]);
    case "TypeArrayAccess": {
      const position = node.index.kind === "IntegerLiteral" ? node.index.value.toString() : "0";
      return memberOf(file, node.target, ["prefixItems", position]);
    }
    default:
      return undefined;
  }
}

function namedType(file: FileContext, node: TypeExpression): TypePointer | undefined {
  const symbol = file.model.symbolOf(node);
  if (symbol?.kind === "type") {
    return definition(file.names.ofSymbol(symbol), file, symbol.declaration.value);
  }
  const target = symbol?.kind === "imported" ? file.model.importOf(symbol) : undefined;
  return target && importedType(file, target);
}

function wildcardType(file: FileContext, target: TypeExpression, name: string): TypePointer | undefined {
  const symbol = target.kind === "TypeReference" ? file.model.symbolOf(target) : undefined;
  const source = symbol?.kind === "wildcard" ? file.model.wildcardOf(symbol) : undefined;
  const exported = source?.exports.get(name);
  return source === undefined || exported === undefined ? undefined : importedType(file, { source, exported });
}

function importedType(file: FileContext, target: ImportTarget): TypePointer {
  const { exported } = target;
  const node = exported.kind === "type" ? exported.symbol?.declaration.value : undefined;
  return definition(file.names.ofTarget(target), file.names.fileOf(target) ?? file, node);
}

function definition(name: string, file: FileContext, node: TypeExpression | undefined): TypePointer {
  return { kind: "definition", pointer: `#/definitions/${escapeSegment(name)}`, file, node };
}

/** A member of what another type expression stands for; aliases on the way are followed to where the member is. */
function memberOf(
  file: FileContext,
  target: TypeExpression,
  path: readonly string[],
): TypePointer | ResourceTypePointer | undefined {
  let base = pointerOf(file, target);
  while (base?.kind === "definition" && base.node !== undefined) {
    const next = pointerOf(base.file, withoutNullability(base.node));
    if (next === undefined) {
      break;
    }
    base = next;
  }
  if (base === undefined) {
    return undefined;
  }
  const suffix = path.map(escapeSegment).join("/");
  if (base.kind === "resource") {
    return { ...base, source: `${base.source}${base.source.includes("#") ? "/" : "#"}${suffix}` };
  }
  const node = base.node === undefined ? undefined : memberNode(withoutNullability(base.node), path);
  return { kind: "definition", pointer: `${base.pointer}/${suffix}`, file: base.file, node };
}

function memberNode(node: TypeExpression, [kind, name]: readonly string[]): TypeExpression | undefined {
  switch (node.kind) {
    case "ObjectType":
      for (const element of node.elements) {
        const isMatch =
          kind === "properties"
            ? element.kind === "ObjectTypeProperty" && typeKey(element.key) === name
            : element.kind === "ObjectTypeAdditionalProperties";
        if (isMatch && element.kind !== "Skipped") {
          return element.type;
        }
      }
      return undefined;
    case "TupleType": {
      const item = node.elements[Number(name)];
      return item?.kind === "TupleTypeItem" ? item.type : undefined;
    }
    case "ArrayType":
      return node.item;
    default:
      return undefined;
  }
}

function resourceType(
  node: Extract<TypeExpression, { kind: "TypeInstantiation" | "InstanceTypeInstantiation" }>,
): ResourceTypePointer | undefined {
  const [argument] = node.args;
  const reference = argument?.type.kind === "StringTypeLiteral" ? literalText(argument.type.value) : undefined;
  if (reference === undefined) {
    return undefined;
  }
  const source = reference.slice(reference.indexOf(":") + 1); // the name of an extension may stand in front
  return { kind: "resource", source, isOutput: node.name.name === "resourceOutput" };
}

/** The name of a member of an object type. */
export function typeKey(key: ObjectTypeProperty["key"]): string | undefined {
  switch (key.kind) {
    case "Identifier":
      return key.name;
    case "StringExpression":
      return literalText(key);
    default:
      return undefined;
  }
}

function withoutNullability(node: TypeExpression): TypeExpression {
  switch (node.kind) {
    case "ParenthesizedType":
      return withoutNullability(node.type);
    case "NullableType":
    case "NonNullableType":
      return withoutNullability(node.base);
    default:
      return node;
  }
}

function escapeSegment(segment: string): string {
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}
