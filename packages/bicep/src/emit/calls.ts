import type { ImportTarget } from "./import-names.ts";
import { qualifiedFunction } from "./import-names.ts";
import type { InstanceFunctionCall } from "../syntax/index.ts";
import { FunctionFlags, valueOfLiteral } from "../types/index.ts";
import { call, callWith, text, userCall } from "./arm-expression.ts";
import type { ArmExpression } from "./arm-expression.ts";
import type { Env } from "./env.ts";
import { expressionOfLiteral } from "./literals.ts";
import type { AnyCall } from "./loaded-files.ts";
import { resourceMethod } from "./references.ts";
import { resourceValueMethod } from "./resource-values.ts";
import { isResource, targetOf } from "./targets.ts";

export function convertCall(env: Env, node: AnyCall): ArmExpression {
  const { file } = env;
  if (file.loaded.isLoad(node)) {
    const variable = file.loaded.variableOf(node);
    return variable === undefined
      ? expressionOfLiteral(file.loaded.valueOf(node))
      : call("variables", text(file.names.ofLoadedFile(file.model, variable)));
  }
  const target = node.kind === "InstanceFunctionCall" ? targetOf(file, node.target) : undefined;
  if (target !== undefined && isResource(target)) {
    return resourceMethod(env, target, node.name.name, convertArguments(env, node));
  }
  const onValue =
    node.kind === "InstanceFunctionCall"
      ? resourceValueMethod(env, node.target, node.name.name, convertArguments(env, node))
      : undefined;
  if (onValue !== undefined) {
    return onValue;
  }
  const userFunction = userFunctionOf(env, node);
  return userFunction === undefined
    ? builtInCall(env, node)
    : userCall(qualifiedFunction(userFunction), convertArguments(env, node));
}

/** Whether a call names a scope that is not the deployment's own. As a value such a scope is an empty object. */
export function isScopeCall(env: Env, node: AnyCall): boolean {
  return node.args.length > 0 && scopeFunctions.has(node.name.name) && namespaceOf(env, node) === "az";
}

/** Whether a call is there for the type system only and stands for its argument. */
export function isTypeErasure(env: Env, node: AnyCall): boolean {
  return node.name.name === "any" && node.args.length === 1 && namespaceOf(env, node) === "sys";
}

const scopeFunctions: ReadonlySet<string> = new Set(["managementGroup", "resourceGroup", "subscription"]);

/** The template's name of the function, when it is one that a file declares. */
function userFunctionOf(env: Env, node: AnyCall): string | undefined {
  const { model, names } = env.file;
  const symbol = model.callOf(node)?.symbol;
  if (symbol?.kind === "function") {
    return names.ofSymbol(symbol);
  }
  const imported = symbol?.kind === "imported" ? model.importOf(symbol) : wildcardFunction(env, node);
  return imported === undefined ? undefined : names.ofTarget(imported);
}

function wildcardFunction(env: Env, node: AnyCall): ImportTarget | undefined {
  const wildcard = node.kind === "InstanceFunctionCall" ? wildcardSource(env, node) : undefined;
  const exported = wildcard?.exports.get(node.name.name);
  return wildcard === undefined || exported === undefined ? undefined : { source: wildcard, exported };
}

function wildcardSource(env: Env, node: InstanceFunctionCall) {
  const symbol = env.file.model.symbolOf(node.target);
  return symbol?.kind === "wildcard" ? env.file.model.wildcardOf(symbol) : undefined;
}

function builtInCall(env: Env, node: AnyCall): ArmExpression {
  const name = node.name.name;
  const first = node.args[0]; // destructuring makes an iterator for each call
  const namespace = namespaceOf(env, node);
  if (namespace === "this") {
    return thisCall(name);
  }
  if (isTypeErasure(env, node) && first !== undefined) {
    return env.convert(first.expression);
  }
  if (isScopeCall(env, node)) {
    return call("createObject");
  }
  if (namespace === "sys" && compileTimeFunctions.has(name)) {
    const value = valueOfLiteral(env.file.model.typeOf(node));
    return value === undefined && node.args[1] !== undefined
      ? env.convert(node.args[1].expression)
      : expressionOfLiteral(value ?? null);
  }
  const flags = env.file.model.callOf(node)?.overload.flags ?? 0;
  if ((flags & FunctionFlags.ExternalInput) !== 0 && env.file.externalInputs !== undefined) {
    return call("externalInputs", text(env.file.externalInputs.keyOf(node)));
  }
  return callWith(name, convertArguments(env, node));
}

/** Functions whose value the checker has found. */
const compileTimeFunctions: ReadonlySet<string> = new Set(["nameof", "readEnvironmentVariable"]);

function thisCall(name: string): ArmExpression {
  const full = call("target", text("full"));
  return name === "exists" ? call("not", call("empty", full)) : full;
}

function convertArguments(env: Env, node: AnyCall): ArmExpression[] {
  return node.args.map((argument) => env.convert(argument.expression));
}

function namespaceOf(env: Env, node: AnyCall): string | undefined {
  return env.file.model.callOf(node)?.namespace?.name;
}
