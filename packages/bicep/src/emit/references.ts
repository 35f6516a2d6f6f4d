import type { ModuleSymbol, ResourceSymbol } from "../semantics/index.ts";
import { call, property, text } from "./arm-expression.ts";
import type { ArmExpression } from "./arm-expression.ts";
import { conditionOf } from "./conditions.ts";
import type { Env } from "./env.ts";
import type { FileContext } from "./file-context.ts";
import { moduleApiVersion, moduleId, moduleName, nameOf, placeOf, resourceId } from "./resource-ids.ts";
import { isResource, loopOf, symbolicName } from "./targets.ts";
import type { Target } from "./targets.ts";

/** What reading a whole resource or module gives. */
export function wholeReference(env: Env, target: Target): ArmExpression {
  const { symbol, index } = target;
  if (index === undefined && loopOf(env.file, symbol) !== undefined) {
    const isFull = isResource(target) && env.file.model.resourceOf(target.symbol).isAzure;
    return call("references", text(symbolicName(symbol)), ...(isFull ? [text("full")] : []));
  }
  if (!isResource(target)) {
    return moduleReference(env, target as Target<ModuleSymbol>);
  }
  return env.file.model.resourceOf(target.symbol).isAzure
    ? fullReference(env, target)
    : call("reference", symbolText(env, target));
}

/** `resource.name` */
export function resourceProperty(env: Env, target: Target<ResourceSymbol>, name: string): ArmExpression {
  const info = env.file.model.resourceOf(target.symbol);
  if (!info.isAzure) {
    return property(call("reference", symbolText(env, target)), name);
  }
  const constant = constantProperty(env, target, name);
  if (constant !== undefined) {
    return constant;
  }
  if (name !== "properties") {
    return property(fullReference(env, target), name);
  }
  return usesSymbol(env.file, target.symbol)
    ? call("reference", symbolText(env, target))
    : call("reference", idOf(env, target), apiVersion(env.file, target.symbol));
}

/** `resource.?name`: null when a condition leaves the resource out. */
export function safeResourceProperty(env: Env, target: Target<ResourceSymbol>, name: string): ArmExpression {
  if (!env.file.model.resourceOf(target.symbol).isAzure) {
    return call("tryGet", call("reference", symbolText(env, target)), text(name));
  }
  const constant = constantProperty(env, target, name);
  return constant === undefined
    ? call("tryGet", unlessDisabled(env, target, fullReference(env, target)), text(name))
    : unlessDisabled(env, target, constant);
}

/** A call of a method on a resource. */
export function resourceMethod(
  env: Env,
  target: Target<ResourceSymbol>,
  name: string,
  args: readonly ArmExpression[],
): ArmExpression {
  const { file } = env;
  if (!file.model.resourceOf(target.symbol).isAzure) {
    return call("invokeResourceMethod", symbolText(env, target), text(name), call("createArray", ...args));
  }
  const resource = usesSymbol(file, target.symbol) ? symbolText(env, target) : idOf(env, target);
  return call(name, resource, ...(args.length === 0 ? [apiVersion(file, target.symbol)] : args));
}

/** The id, whatever the template calls the resource. */
export function idOf(env: Env, target: Target): ArmExpression {
  const place = placeOf(env, target);
  return isResource(target) ? resourceId(place, target.symbol) : moduleId(place, target.symbol as ModuleSymbol);
}

export function moduleReference(env: Env, target: Target<ModuleSymbol>): ArmExpression {
  return env.file.settings.symbolicNames
    ? call("reference", symbolText(env, target))
    : call("reference", idOf(env, target), text(moduleApiVersion));
}

/** What gives the secure outputs of a module; they always come with symbolic names. */
export function secureOutputs(env: Env, target: Target<ModuleSymbol>): ArmExpression {
  return call("listOutputsWithSecureValues", symbolText(env, target), text(moduleApiVersion));
}

export function moduleNameOf(env: Env, target: Target<ModuleSymbol>): ArmExpression {
  return moduleName(placeOf(env, target), target.symbol);
}

export function unlessDisabled(env: Env, target: Target, value: ArmExpression): ArmExpression {
  const condition = conditionOf(placeOf(env, target), target.symbol);
  return condition === undefined ? value : call("if", condition, value, call("null"));
}

/** What the template calls a resource or module, or one of a collection. */
export function symbolText(env: Env, target: Target): ArmExpression {
  const name = symbolicName(target.symbol);
  return target.index === undefined ? text(name) : call("format", text(`${name}[{0}]`), env.convert(target.index));
}

/** Whether the template has the resource as a member that expressions can name. */
function usesSymbol(file: FileContext, symbol: ResourceSymbol): boolean {
  return file.settings.symbolicNames && !file.inlining.isInlinedResource(symbol);
}

/** The properties that are known before anything is deployed. */
function constantProperty(env: Env, target: Target<ResourceSymbol>, name: string): ArmExpression | undefined {
  const { file } = env;
  if (file.model.file.features["resourceInfoCodegen"] === true && usesSymbol(file, target.symbol)) {
    return resourceInfo(env, target, name);
  }
  switch (name) {
    case "id":
      return idOf(env, target);
    case "name":
      return nameOf(placeOf(env, target), target.symbol);
    case "type":
      return text(file.model.resourceOf(target.symbol).reference?.type ?? "");
    case "apiVersion":
      return apiVersion(file, target.symbol);
    default:
      return undefined;
  }
}

function resourceInfo(env: Env, target: Target<ResourceSymbol>, name: string): ArmExpression | undefined {
  const info = call("resourceInfo", symbolText(env, target));
  switch (name) {
    case "id":
    case "type":
    case "apiVersion":
      return property(info, name);
    case "name": {
      const isChild = env.file.model.resourceOf(target.symbol).parent !== undefined;
      const full = property(info, name);
      return isChild ? call("last", call("split", full, text("/"))) : full;
    }
    default:
      return undefined;
  }
}

function fullReference(env: Env, target: Target<ResourceSymbol>): ArmExpression {
  const { file } = env;
  const resource = usesSymbol(file, target.symbol) ? symbolText(env, target) : idOf(env, target);
  return call("reference", resource, apiVersion(file, target.symbol), text("full"));
}

function apiVersion(file: FileContext, symbol: ResourceSymbol): ArmExpression {
  const { version = "" } = { ...file.model.resourceOf(symbol).reference };
  return text(version);
}
