import type { ModuleSymbol } from "../semantics/index.ts";
import type { ArrayAccess, Expression, PropertyAccess } from "../syntax/index.ts";
import { withoutNull } from "../types/index.ts";
import { call, index, property, text } from "./arm-expression.ts";
import type { ArmExpression } from "./arm-expression.ts";
import type { Env } from "./env.ts";
import {
  moduleNameOf,
  moduleReference,
  resourceProperty,
  safeResourceProperty,
  secureOutputs,
  unlessDisabled,
  wholeReference,
} from "./references.ts";
import { resourceValueProperty } from "./resource-values.ts";
import { isResource, literalIndex, targetOf } from "./targets.ts";
import type { Target } from "./targets.ts";

/** What comes after the target of an access. */
type Key =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly at: Expression; readonly fromEnd: boolean };

/** `target.name`, `target[index]` and their safe forms. */
export function convertAccess(env: Env, node: PropertyAccess | ArrayAccess): ArmExpression {
  const whole = targetOf(env.file, node);
  if (whole !== undefined) {
    return wholeReference(env, whole);
  }
  const key = keyOf(node);
  const isSafe = node.safe !== undefined;
  const target = targetOf(env.file, node.target);
  if (target !== undefined && key.kind === "name") {
    return isResource(target)
      ? (isSafe ? safeResourceProperty : resourceProperty)(env, target, key.name)
      : moduleProperty(env, target as Target<ModuleSymbol>, key.name, isSafe);
  }
  const special =
    outputAccess(env, node, key) ??
    (key.kind === "name" ? resourceValueProperty(env, node.target, key.name, isSafe) : undefined);
  if (special !== undefined) {
    return special;
  }
  const base = env.convert(node.target);
  if (isSafe) {
    return safeAccess(env, base, key);
  }
  return isInSafeChain(node.target) ? continueChain(env, base, key) : plainAccess(env, base, key);
}

function plainAccess(env: Env, base: ArmExpression, key: Key): ArmExpression {
  if (key.kind === "name") {
    return property(base, key.name);
  }
  const at = env.convert(key.at);
  return key.fromEnd ? call("indexFromEnd", base, at) : index(base, at);
}

function safeAccess(env: Env, base: ArmExpression, key: Key): ArmExpression {
  if (key.kind === "name") {
    return call("tryGet", base, text(key.name));
  }
  return call(key.fromEnd ? "tryIndexFromEnd" : "tryGet", base, env.convert(key.at));
}

/** Once one access of a chain may find nothing, those that follow it become arguments of the call that copes with it. */
function continueChain(env: Env, base: ArmExpression, key: Key): ArmExpression {
  if (base.kind !== "call" || !safeFunctions.has(base.name)) {
    return plainAccess(env, base, key);
  }
  return { ...base, args: [...base.args, chainArgument(env, key)] };
}

const safeFunctions: ReadonlySet<string> = new Set(["tryGet", "tryIndexFromEnd"]);

function chainArgument(env: Env, key: Key): ArmExpression {
  if (key.kind === "name") {
    return text(key.name);
  }
  const at = env.convert(key.at);
  return key.fromEnd ? call("createObject", text("value"), at, text("fromEnd"), call("true")) : at;
}

/** Parentheses and `!` end a chain. */
function isInSafeChain(node: Expression): boolean {
  for (let at = node; at.kind === "PropertyAccess" || at.kind === "ArrayAccess"; at = at.target) {
    if (at.safe !== undefined) {
      return true;
    }
  }
  return false;
}

function keyOf(node: PropertyAccess | ArrayAccess): Key {
  if (node.kind === "PropertyAccess") {
    return { kind: "name", name: node.name.name };
  }
  const name = literalIndex(node);
  return name === undefined
    ? { kind: "index", at: node.index, fromEnd: node.fromEnd !== undefined }
    : { kind: "name", name };
}

function moduleProperty(env: Env, target: Target<ModuleSymbol>, name: string, isSafe: boolean): ArmExpression {
  if (name === "name") {
    const value = moduleNameOf(env, target);
    return isSafe ? unlessDisabled(env, target, value) : value;
  }
  const reference = moduleReference(env, target);
  return isSafe ? call("tryGet", unlessDisabled(env, target, reference), text(name)) : property(reference, name);
}

/** `module.outputs.name`: the value of an output is a member of its own, and secrets are fetched apart. */
function outputAccess(env: Env, node: PropertyAccess | ArrayAccess, key: Key): ArmExpression | undefined {
  const { target: outputs } = node;
  if (outputs.kind !== "PropertyAccess" && outputs.kind !== "ArrayAccess") {
    return undefined;
  }
  const outputsKey = keyOf(outputs);
  if (outputsKey.kind !== "name" || outputsKey.name !== "outputs" || !isModule(env, outputs.target)) {
    return undefined;
  }
  const target = targetOf(env.file, outputs.target) as Target<ModuleSymbol> | undefined;
  const isSecure = target !== undefined && key.kind === "name" && hasSecureOutput(env, target.symbol, key.name);
  const base = isSecure ? secureOutputs(env, target) : env.convert(outputs);
  if (node.safe !== undefined) {
    const output = safeAccess(env, base, key);
    return isSecure ? output : call("tryGet", output, text("value"));
  }
  const output = outputs.safe === undefined ? plainAccess(env, base, key) : continueChain(env, base, key);
  if (isSecure) {
    return output;
  }
  return outputs.safe === undefined
    ? property(output, "value")
    : continueChain(env, output, { kind: "name", name: "value" });
}

/** Whether an expression gives a module, be it by its name or by way of a value that holds it. */
function isModule(env: Env, node: Expression): boolean {
  const type = env.file.model.typeOf(node);
  return (withoutNull(type) ?? type).kind === "module";
}

function hasSecureOutput(env: Env, module: ModuleSymbol, name: string): boolean {
  return env.file.model.moduleOf(module).template?.outputs.get(name)?.secure === true;
}
