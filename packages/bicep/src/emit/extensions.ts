import type { Value } from "@rad/templates";
import type { ExtensionSymbol } from "../semantics/index.ts";
import { ScopeFlags } from "../types/index.ts";
import type { Env } from "./env.ts";
import { hasExtensionsMember } from "./resources.ts";
import { emitObject, emitValue, isProperty, note, plainKey } from "./values.ts";

/** What stands for the engine itself in a file that is deployed where it is compiled. */
const localExtension = "az0synthesized";

/** The extensions that a file declares, by the names that it gives them. */
export function emitExtensions(env: Env): Map<string, Value> {
  const result = new Map<string, Value>();
  const nameMember = hasExtensionsMember(env.file) ? "name" : "provider";
  for (const symbol of env.file.model.declarations.extensions) {
    const namespace = env.file.model.extensionOf(symbol);
    const extension = new Map<string, Value>([
      [nameMember, namespace?.provider ?? symbol.name],
      ["version", namespace?.version ?? ""],
    ]);
    const config = nameMember === "name" ? emitDefaults(env, symbol) : emitConfig(env, symbol);
    if (config !== undefined) {
      extension.set("config", config);
    }
    result.set(symbol.name, extension);
    note(env, result, symbol.name, symbol.declaration);
  }
  if (env.file.model.targetScope === ScopeFlags.Local) {
    result.set(localExtension, new Map([[nameMember, "LocalNested"]]).set("version", "0.0.0"));
  }
  return result;
}

function emitConfig(env: Env, symbol: ExtensionSymbol): Value | undefined {
  const configuration = configurationOf(symbol);
  return configuration && emitObject(env, configuration);
}

/** Later versions let deployments override each value. */
function emitDefaults(env: Env, symbol: ExtensionSymbol): Value | undefined {
  const configuration = configurationOf(symbol);
  if (configuration === undefined) {
    return undefined;
  }
  const defaults = new Map<string, Value>();
  for (const property of configuration.elements.filter(isProperty)) {
    const value = new Map<string, Value>([["defaultValue", emitValue(env, property.value)]]);
    defaults.set(plainKey(property.key) ?? "", value);
  }
  return defaults;
}

function configurationOf({ declaration }: ExtensionSymbol) {
  const clause = declaration.configuration;
  return clause?.kind === "WithClause" && clause.configuration.kind === "ObjectExpression"
    ? clause.configuration
    : undefined;
}
