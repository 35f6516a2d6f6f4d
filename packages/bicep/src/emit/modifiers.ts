import { isObject } from "@rad/templates";
import type { Value } from "@rad/templates";
import type { ResolvedDecorator } from "../semantics/index.ts";
import type { Node } from "../syntax/index.ts";
import type { Env } from "./env.ts";
import type { FileContext } from "./file-context.ts";
import { escapeText } from "./literals.ts";
import { normalizeDescription } from "./descriptions.ts";
import { emitValue } from "./values.ts";

/** Decorators that become members of the same name. */
const constraints = ["minLength", "maxLength", "minValue", "maxValue"] as const;

/** Adds what the decorators of a typed declaration say about its values, in the order that templates have. */
export function addModifiers(env: Env, declaration: Node, node: Map<string, Value>): void {
  const { model } = env.file;
  if (model.decoratorsOf(declaration).length === 0) {
    return;
  }
  if (model.decoratorOf(declaration, "secure") !== undefined) {
    makeSecure(node);
  }
  if (model.decoratorOf(declaration, "sealed") !== undefined) {
    node.set("additionalProperties", false);
  }
  if (model.decoratorOf(declaration, "export") !== undefined && env.file.names.marksExports(env.file)) {
    addMetadata(node, new Map([["__bicep_export!", true]]));
  }
  const metadata = argumentValue(env, model.decoratorOf(declaration, "metadata"), 0);
  if (metadata !== undefined && isObject(metadata)) {
    addMetadata(node, metadata);
  }
  for (const name of constraints) {
    const value = argumentValue(env, model.decoratorOf(declaration, name), 0);
    if (value !== undefined) {
      node.set(name, value);
    }
  }
  const validate = model.decoratorOf(declaration, "validate");
  if (validate !== undefined) {
    node.set("validate", argumentValues(env, validate));
  }
  addDescription(env.file, declaration, node);
}

/** Puts `@description` into `metadata`, beside what is there. */
export function addDescription(file: FileContext, declaration: Node, node: Map<string, Value>): void {
  const description = descriptionOf(file, declaration);
  if (description !== undefined) {
    addMetadata(node, new Map([["description", description]]));
  }
}

export function descriptionOf(file: FileContext, declaration: Node): string | undefined {
  const description = argumentText(file, file.model.decoratorOf(declaration, "description"), 0);
  return description === undefined ? undefined : escapeText(normalizeDescription(description));
}

export function addMetadata(node: Map<string, Value>, metadata: ReadonlyMap<string, Value>): void {
  const present = node.get("metadata");
  const merged = new Map(present !== undefined && isObject(present) ? present : []);
  for (const [name, value] of metadata) {
    merged.set(name, value);
  }
  node.set("metadata", merged);
}

/** The text of a decorator's argument, which is a constant. */
export function argumentText(
  file: FileContext,
  decorator: ResolvedDecorator | undefined,
  position: number,
): string | undefined {
  const argument = decorator?.args[position];
  const type = argument === undefined ? undefined : file.model.typeOf(argument.expression);
  return type?.kind === "stringLiteral" ? type.value : undefined;
}

export function argumentValue(env: Env, decorator: ResolvedDecorator | undefined, position: number): Value | undefined {
  const argument = decorator?.args[position];
  return argument === undefined ? undefined : emitValue(env, argument.expression);
}

export function argumentValues(env: Env, decorator: ResolvedDecorator): Value[] {
  return decorator.args.map((argument) => emitValue(env, argument.expression));
}

function makeSecure(node: Map<string, Value>): void {
  switch (node.get("type")) {
    case "string":
      node.set("type", "securestring");
      break;
    case "object":
      node.set("type", "secureObject");
      break;
    default:
  }
}
