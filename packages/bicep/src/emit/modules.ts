import type { Value } from "@rad/templates";
import type { ModuleSymbol, ResourceSymbol } from "../semantics/index.ts";
import type { Expression, InstanceFunctionCall, ObjectExpression, ObjectProperty } from "../syntax/index.ts";
import { ScopeFlags } from "../types/index.ts";
import { call, memberOf, text } from "./arm-expression.ts";
import type { ArmExpression } from "./arm-expression.ts";
import type { Dependencies } from "./dependencies.ts";
import type { Env } from "./env.ts";
import { valueOfExpression } from "./literals.ts";
import { addDescription } from "./modifiers.ts";
import { idOf } from "./references.ts";
import { moduleApiVersion, moduleName, moduleType, scopeOfModule } from "./resource-ids.ts";
import { emitDependsOn, emitLoopAndCondition } from "./resources.ts";
import { scopeMembers } from "./scopes.ts";
import { isResource, targetOf } from "./targets.ts";
import type { Target } from "./targets.ts";
import { emitLoop, emitValue, isProperty, note, plainKey, propertyValue, withoutWrappers } from "./values.ts";

/** A module as a nested deployment; `template` is the member that says what it deploys. */
export function emitModule(
  env: Env,
  symbol: ModuleSymbol,
  dependencies: Dependencies,
  template: readonly [name: "template" | "templateLink", value: Value],
): Map<string, Value> {
  const { file } = env;
  const { budget } = file.session;
  const info = file.model.moduleOf(symbol);
  const result = new Map<string, Value>();
  emitLoopAndCondition(env, symbol, result);
  result.set("type", moduleType).set("apiVersion", moduleApiVersion);
  note(env, result, "type", info.pathNode);
  const identity = propertyValue(info.body, "identity");
  if (identity !== undefined) {
    result.set("identity", emitValue(env, identity));
    note(env, result, "identity", identity);
  }
  result.set("name", valueOfExpression(moduleName(env, symbol), budget));
  note(env, result, "name", info.name ?? symbol.declaration.name);
  emitPlace(env, symbol, result);
  result.set("properties", emitProperties(env, symbol, info.body, template));
  note(env, result, "properties", info.body);
  emitDependsOn(env, symbol, dependencies, result);
  addDescription(file, symbol.declaration, result);
  return result;
}

/** Deployments outside of a resource group also need a location for their own record. */
function emitPlace(env: Env, symbol: ModuleSymbol, into: Map<string, Value>): void {
  const { targetScope } = env.file.model;
  const { budget } = env.file.session;
  const scope = scopeOfModule(env, symbol);
  for (const [name, value] of scopeMembers(scope, targetScope)) {
    into.set(name, valueOfExpression(value, budget));
    note(env, into, name, env.file.model.moduleOf(symbol).scope);
  }
  if (scope.kind !== "resourceGroup") {
    const owner = targetScope === ScopeFlags.ResourceGroup ? "resourceGroup" : "deployment";
    into.set("location", valueOfExpression(memberOf(owner, "location"), budget));
  }
}

function emitProperties(
  env: Env,
  symbol: ModuleSymbol,
  body: ObjectExpression | undefined,
  template: readonly [name: string, value: Value],
): Value {
  const properties = new Map<string, Value>([
    ["expressionEvaluationOptions", new Map([["scope", "inner"]])],
    ["mode", "Incremental"],
  ]);
  const params = propertyValue(body, "params");
  if (params?.kind === "ObjectExpression") {
    const parameters = new Map<string, Value>();
    for (const property of params.elements.filter(isProperty)) {
      const name = plainKey(property.key) ?? "";
      parameters.set(
        name,
        isResourceParameter(env, symbol, name)
          ? emitResourceArgument(env, property.value)
          : emitArgument(env, property.value, "reference"),
      );
      note(env, parameters, name, property);
    }
    properties.set("parameters", parameters);
    note(env, properties, "parameters", params);
  }
  const configurations = propertyValue(body, "extensionConfigs");
  if (configurations?.kind === "ObjectExpression") {
    properties.set("extensionConfigs", emitConfigurations(env, configurations));
    note(env, properties, "extensionConfigs", configurations);
  }
  return properties.set(...template);
}

/** An extension's configuration is given whole by another one, or value by value. */
function emitConfigurations(env: Env, configurations: ObjectExpression): Value {
  const result = new Map<string, Value>();
  for (const property of configurations.elements.filter(isProperty)) {
    result.set(plainKey(property.key) ?? "", emitConfiguration(env, property));
  }
  return result;
}

function emitConfiguration(env: Env, { value }: ObjectProperty): Value {
  if (value.kind !== "ObjectExpression") {
    return emitValue(env, value);
  }
  const members = new Map<string, Value>();
  for (const member of value.elements.filter(isProperty)) {
    const isPassedOn = isConfiguration(env, member.value);
    members.set(
      plainKey(member.key) ?? "",
      isPassedOn ? emitValue(env, member.value) : emitArgument(env, member.value, "keyVaultReference"),
    );
  }
  return members;
}

/** Whether a value is taken from the configuration of an extension, where it is wrapped as an argument already. */
function isConfiguration(env: Env, node: Expression): boolean {
  let at = node;
  while (at.kind === "PropertyAccess") {
    at = at.target;
  }
  return at !== node && at.kind === "VariableAccess" && env.file.model.symbolOf(at)?.kind === "extension";
}

/** How a member that points to a secret is called. */
type SecretMember = "reference" | "keyVaultReference";

/** The value of a parameter, or where the deployment finds it. */
function emitArgument(env: Env, node: Expression, secretMember: SecretMember): Value {
  const { budget } = env.file.session;
  if (node.kind === "ForExpression") {
    return new Map([["copy", [emitLoop(env, node, { name: "value", asExpression: true })]]]);
  }
  const inner = withoutWrappers(env, node);
  const secret = secretCall(env, inner);
  if (secret !== undefined) {
    const members = secretMembers(env, secret).map(([name, value]): [string, Value] => [
      name,
      valueOfExpression(value, budget),
    ]);
    const [[, id] = ["", ""], ...others] = members;
    const reference = new Map<string, Value>([["keyVault", new Map([["id", id]])], ...others]);
    return new Map([[secretMember, reference]]);
  }
  if (inner.kind === "TernaryOperation") {
    return valueOfExpression(wrappedArgument(env, inner, secretMember), budget);
  }
  const argument = new Map([["value", emitValue(env, node)]]);
  note(env, argument, "value", node);
  return argument;
}

function isResourceParameter(env: Env, symbol: ModuleSymbol, name: string): boolean {
  return env.file.model.moduleOf(symbol).template?.parameters.get(name)?.type.kind === "resource";
}

/** A resource is handed over by its id. */
function emitResourceArgument(env: Env, node: Expression): Value {
  const target = targetOf(env.file, node);
  const id = target === undefined ? env.convert(node) : idOf(env, target);
  return new Map([["value", valueOfExpression(id, env.file.session.budget)]]);
}

/** Each branch of a choice may be a value or a reference to a secret, so the choice is between whole arguments. */
function wrappedArgument(env: Env, node: Expression, secretMember: SecretMember): ArmExpression {
  const inner = withoutWrappers(env, node);
  if (inner.kind === "TernaryOperation") {
    return call(
      "if",
      env.convert(inner.condition),
      wrappedArgument(env, inner.whenTrue, secretMember),
      wrappedArgument(env, inner.whenFalse, secretMember),
    );
  }
  if (isConfiguration(env, inner)) {
    return env.convert(inner);
  }
  const secret = secretCall(env, inner);
  if (secret === undefined) {
    return call("createObject", text("value"), env.convert(inner));
  }
  const [[, id] = ["", text("")], ...others] = secretMembers(env, secret);
  const reference = call(
    "createObject",
    text("keyVault"),
    call("createObject", text("id"), id),
    ...others.flatMap(([name, value]) => [text(name), value]),
  );
  return call("createObject", text(secretMember), reference);
}

interface SecretCall {
  readonly vault: Target<ResourceSymbol>;
  readonly call: InstanceFunctionCall;
}

function secretCall(env: Env, node: Expression): SecretCall | undefined {
  if (node.kind !== "InstanceFunctionCall" || node.name.name !== "getSecret") {
    return undefined;
  }
  const vault = targetOf(env.file, node.target);
  return vault !== undefined && isResource(vault) ? { vault, call: node } : undefined;
}

function secretMembers(env: Env, secret: SecretCall): [name: string, value: ArmExpression][] {
  const [name, version] = secret.call.args.map((argument) => env.convert(argument.expression));
  const members: [string, ArmExpression][] = [
    ["id", idOf(env, secret.vault)],
    ["secretName", name ?? text("")],
  ];
  return version === undefined ? members : [...members, ["secretVersion", version]];
}
