import type { Value } from "@rad/templates";
import type { ExtensionSymbol, ModuleSymbol, ResourceInfo, ResourceSymbol } from "../semantics/index.ts";
import type { ForExpression, ObjectProperty } from "../syntax/index.ts";
import type { ArmExpression } from "./arm-expression.ts";
import { conditionOf } from "./conditions.ts";
import { emitDependencies } from "./dependencies.ts";
import type { Dependencies } from "./dependencies.ts";
import type { Env } from "./env.ts";
import type { FileContext } from "./file-context.ts";
import { valueOfExpression } from "./literals.ts";
import { addDescription, argumentValue, argumentValues } from "./modifiers.ts";
import { qualifiedName, scopeOfResource } from "./resource-ids.ts";
import { scopeMembers } from "./scopes.ts";
import { infoOf, symbolicName } from "./targets.ts";
import { emitCount, emitMembers, isProperty, note, plainKey } from "./values.ts";

/** The resources that a template has, in its order: nested ones before all others, inner ones first. */
export function emittedResources(file: FileContext): ResourceSymbol[] {
  const nested: ResourceSymbol[] = [];
  const addNested = (symbol: ResourceSymbol): void => {
    for (const child of symbol.nested) {
      addNested(child);
    }
    nested.push(...symbol.nested);
  };
  const { resources } = file.model.declarations;
  resources.forEach(addNested);
  return [...nested, ...resources].filter((symbol) => isEmitted(file, symbol));
}

function isEmitted(file: FileContext, symbol: ResourceSymbol): boolean {
  return (
    !file.model.resourceOf(symbol).existing || (file.settings.symbolicNames && !file.inlining.isInlinedResource(symbol))
  );
}

export function emitResource(env: Env, symbol: ResourceSymbol, dependencies: Dependencies): Map<string, Value> {
  const { file } = env;
  const info = file.model.resourceOf(symbol);
  const result = new Map<string, Value>();
  emitLoopAndCondition(env, symbol, result);
  if (info.existing) {
    result.set("existing", true);
  }
  emitExtension(file, info, result);
  emitOptions(env, symbol, result);
  if (file.model.decoratorOf(symbol.declaration, "patch") !== undefined) {
    result.set("method", "PATCH");
  }
  emitIdentity(env, info, result);
  emitDependsOn(env, symbol, dependencies, result);
  addDescription(file, symbol.declaration, result);
  return result;
}

/** The members `copy` and `condition` of a resource or module. */
export function emitLoopAndCondition(env: Env, symbol: ResourceSymbol | ModuleSymbol, into: Map<string, Value>): void {
  const { loop, condition: node } = infoOf(env.file, symbol);
  const looped = loop === undefined ? containerLoop(env.file, symbol) : { loop, symbol };
  if (looped !== undefined) {
    into.set("copy", emitCopy(env, looped.symbol, looped.loop));
    note(env, into, "copy", looped.loop);
  }
  const condition = conditionOf(env, symbol);
  if (condition !== undefined) {
    into.set("condition", conditionValue(condition) ?? valueOfExpression(condition, env.file.session.budget));
    note(env, into, "condition", node);
  }
}

/** A condition that is a literal stays one. */
function conditionValue(condition: ArmExpression): boolean | undefined {
  const isLiteral = condition.kind === "call" && condition.args.length === 0;
  return isLiteral && (condition.name === "true" || condition.name === "false") ? condition.name === "true" : undefined;
}

export function emitDependsOn(
  env: Env,
  symbol: ResourceSymbol | ModuleSymbol,
  dependencies: Dependencies,
  into: Map<string, Value>,
): void {
  const targets = emitDependencies(env, dependencies.of(symbol));
  if (targets.length > 0) {
    into.set("dependsOn", targets);
  }
}

/** A resource inside of a looped one is deployed in each of its turns. */
function containerLoop(
  file: FileContext,
  symbol: ResourceSymbol | ModuleSymbol,
): { readonly loop: ForExpression; readonly symbol: ResourceSymbol | ModuleSymbol } | undefined {
  const container = symbol.kind === "resource" ? symbol.container : undefined;
  if (container === undefined) {
    return undefined;
  }
  const { loop } = file.model.resourceOf(container);
  return loop === undefined ? containerLoop(file, container) : { loop, symbol };
}

function emitCopy(env: Env, symbol: ResourceSymbol | ModuleSymbol, loop: ForExpression): Value {
  const copy = new Map<string, Value>([
    ["name", symbolicName(symbol)],
    ["count", emitCount(env, loop)],
  ]);
  const batchSize = argumentValue(env, env.file.model.decoratorOf(symbol.declaration, "batchSize"), 0);
  if (batchSize !== undefined) {
    copy.set("mode", "serial").set("batchSize", batchSize);
  }
  return copy;
}

/** Which extension a resource belongs to. Azure's own is named only by files that declare it. */
function emitExtension(file: FileContext, info: ResourceInfo, into: Map<string, Value>): void {
  const extension = info.extension ?? (info.isAzure ? azureExtension(file) : undefined);
  if (extension !== undefined) {
    into.set(hasExtensionsMember(file) ? "extension" : "import", extension.name);
  }
}

function azureExtension(file: FileContext): ExtensionSymbol | undefined {
  return file.model.declarations.extensions.find(
    (symbol) => file.model.extensionOf(symbol)?.provider === "AzureResourceManager",
  );
}

/** From this version on templates have `extensions` in place of `imports`. */
export function hasExtensionsMember(file: FileContext): boolean {
  return file.settings.languageVersion === "2.2-experimental";
}

const optionDecorators = ["waitUntil", "retryOn", "onlyIfNotExists", "nullIfNotFound"] as const;

function emitOptions(env: Env, symbol: ResourceSymbol, into: Map<string, Value>): void {
  const options = new Map<string, Value>();
  for (const name of optionDecorators) {
    const decorator = env.file.model.decoratorOf(symbol.declaration, name);
    if (decorator !== undefined) {
      options.set(name, argumentValues(env, decorator));
    }
  }
  if (options.size > 0) {
    into.set("@options", options);
  }
}

/** Type, place, name and body. */
function emitIdentity(env: Env, info: ResourceInfo, into: Map<string, Value>): void {
  const { budget } = env.file.session;
  const { reference, symbol, typeNode } = info;
  const properties = info.body?.elements.filter(isProperty) ?? [];
  if (!info.isAzure || reference === undefined) {
    const isSplit = hasExtensionsMember(env.file);
    into.set("type", isSplit ? (reference?.type ?? "") : (reference?.text ?? ""));
    if (isSplit && reference?.version !== undefined) {
      into.set("apiVersion", reference.version);
    }
    note(env, into, "type", typeNode);
    const body = new Map<string, Value>();
    emitMembers(env, without(properties, ["dependsOn"]), body);
    into.set("properties", body);
    note(env, into, "properties", info.body);
    return;
  }
  const { type, version = "" } = reference;
  into.set("type", type);
  note(env, into, "type", typeNode);
  into.set("apiVersion", version);
  note(env, into, "apiVersion", typeNode);
  for (const [name, value] of scopeMembers(scopeOfResource(env, symbol), env.file.model.targetScope)) {
    into.set(name, valueOfExpression(value, budget));
    note(env, into, name, info.scope);
  }
  into.set("name", valueOfExpression(qualifiedName(env, symbol), budget));
  note(env, into, "name", info.name);
  emitMembers(env, without(properties, ["name", "scope", "parent", "dependsOn"]), into);
}

function without(properties: readonly ObjectProperty[], names: readonly string[]): ObjectProperty[] {
  return properties.filter(({ key }) => !names.includes(plainKey(key) ?? ""));
}
