import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core";

/** `any` where the template does not say. */
export type ParameterType = "string" | "int" | "bool" | "array" | "object" | "any";

/** What a template says about one of its parameters, as far as whoever sets it needs to know. */
export interface DeclaredParameter {
  /** In the template's spelling. */
  readonly name: string;
  readonly type: ParameterType;
  readonly secure: boolean;
  readonly nullable: boolean;
  /** Neither a default value nor null will do. */
  readonly required: boolean;
}

/** By lower-case name: letter case does not count. */
export type DeclaredParameters = ReadonlyMap<string, DeclaredParameter>;

export function declaredParameters(template: JsonObject): DeclaredParameters {
  const declared = new Map<string, DeclaredParameter>();
  for (const [name, node] of Object.entries(objectMember(template, "parameters"))) {
    const { type, secure, nullable } = typeOf(template, node);
    const hasDefault = isJsonObject(node) && node["defaultValue"] !== undefined;
    declared.set(name.toLowerCase(), { name, type, secure, nullable, required: !hasDefault && !nullable });
  }
  return declared;
}

const maxReferences = 100;

/** What a type node says; of what it refers to counts only what it does not say itself. */
function typeOf(
  template: JsonObject,
  node: JsonValue | undefined,
): Pick<DeclaredParameter, "type" | "secure" | "nullable"> {
  let type: JsonValue | undefined;
  let nullable: JsonValue | undefined;
  let next = node;
  for (let count = 0; count <= maxReferences && isJsonObject(next); count += 1) {
    type ??= next["type"];
    nullable ??= next["nullable"];
    next = typeof next["$ref"] === "string" ? pointedAt(template, next["$ref"]) : undefined;
  }
  return { ...typeNamed(type), nullable: nullable === true };
}

/** The value at a JSON pointer within the template, `#/definitions/name/…`. */
function pointedAt(template: JsonObject, reference: string): JsonValue | undefined {
  const [root, ...segments] = reference.split("/");
  if (root !== "#") {
    return undefined;
  }
  let value: JsonValue | undefined = template;
  for (const segment of segments) {
    const key = decodeSegment(segment).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) {
      value = value[Number(key)];
    } else {
      value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    }
  }
  return value;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // a percent sign that is part of the name
  }
}

function typeNamed(type: JsonValue | undefined): { readonly type: ParameterType; readonly secure: boolean } {
  switch (typeof type === "string" ? type.toLowerCase() : "") {
    case "string":
      return { type: "string", secure: false };
    case "securestring":
      return { type: "string", secure: true };
    case "int":
      return { type: "int", secure: false };
    case "bool":
      return { type: "bool", secure: false };
    case "array":
      return { type: "array", secure: false };
    case "object":
      return { type: "object", secure: false };
    case "secureobject":
      return { type: "object", secure: true };
    default:
      return { type: "any", secure: false };
  }
}
