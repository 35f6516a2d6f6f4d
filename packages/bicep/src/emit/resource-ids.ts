import type { ModuleSymbol, ResourceSymbol } from "../semantics/index.ts";
import { call, index, integer, memberOf, text } from "./arm-expression.ts";
import type { ArmExpression } from "./arm-expression.ts";
import type { Env } from "./env.ts";
import { emitScope, idInScope } from "./scopes.ts";
import type { EmitScope } from "./scopes.ts";
import { infoOf } from "./targets.ts";
import type { Target } from "./targets.ts";

export const moduleType = "Microsoft.Resources/deployments";
export const moduleApiVersion = "2025-04-01";

/** The place where a resource's or module's own expressions hold, given one where it is referred to. */
export function placeOf(env: Env, target: Target): Env {
  const { loop } = infoOf(env.file, target.symbol);
  return loop === undefined || target.index === undefined ? env : env.withTurn(loop, env.convert(target.index));
}

/** The name as its author wrote it, without those of its parents. */
export function nameOf(env: Env, symbol: ResourceSymbol): ArmExpression {
  const { name } = env.file.model.resourceOf(symbol);
  return name === undefined ? text("") : env.convert(name);
}

/** The name with those of its parents in front. */
export function qualifiedName(env: Env, symbol: ResourceSymbol): ArmExpression {
  if (env.file.model.resourceOf(symbol).parent === undefined) {
    return nameOf(env, symbol);
  }
  const segments = nameSegments(env, symbol);
  return call("format", text(segments.map((_, position) => `{${position}}`).join("/")), ...segments);
}

/** The id of a resource; `env` is a place where its own expressions hold. */
export function resourceId(env: Env, symbol: ResourceSymbol): ArmExpression {
  const info = env.file.model.resourceOf(symbol);
  return idInScope(scopeOfResource(env, symbol), info.reference?.type ?? "", nameSegments(env, symbol));
}

export function moduleId(env: Env, symbol: ModuleSymbol): ArmExpression {
  return idInScope(scopeOfModule(env, symbol), moduleType, [moduleName(env, symbol)]);
}

/** A child is deployed where its outermost parent is. */
export function scopeOfResource(env: Env, symbol: ResourceSymbol): EmitScope {
  const [root] = ancestorsOf(env, symbol);
  return scopeAt(root?.env ?? env, root?.symbol ?? symbol);
}

export function scopeOfModule(env: Env, symbol: ModuleSymbol): EmitScope {
  return scopeAt(env, symbol);
}

function scopeAt(env: Env, symbol: ResourceSymbol | ModuleSymbol): EmitScope {
  const scope = env.file.scopes.of(symbol);
  const place = scope.resource === undefined ? env : placeOf(env, { symbol: scope.resource, index: scope.index });
  return emitScope(place, scope, resourceId);
}

const maxModuleName = 64;
/** What `uniqueString` gives, and the longest number of a copy. */
const uniqueLength = 13;
const copyIndexLength = 3;

/** Modules may leave their name to us: one that differs between deployments and between the turns of a loop. */
export function moduleName(env: Env, symbol: ModuleSymbol): ArmExpression {
  const info = env.file.model.moduleOf(symbol);
  if (info.name !== undefined) {
    return env.convert(info.name);
  }
  const unique = call("uniqueString", text(symbol.name), memberOf("deployment", "name"));
  if (info.loop === undefined) {
    const prefix = symbol.name.slice(0, maxModuleName - uniqueLength - 1);
    return call("format", text(`${prefix}-{0}`), unique);
  }
  const prefix = symbol.name.slice(0, maxModuleName - uniqueLength - copyIndexLength - 2);
  return call("format", text(`${prefix}-{0}-{1}`), env.turnOf(info.loop), unique);
}

interface Ancestor {
  readonly symbol: ResourceSymbol;
  /** A place where the ancestor's expressions hold. */
  readonly env: Env;
}

/** The parents of a resource, the outermost first. */
function ancestorsOf(env: Env, symbol: ResourceSymbol): Ancestor[] {
  const ancestors: Ancestor[] = [];
  const seen = new Set<ResourceSymbol>();
  let place = env;
  for (
    let parent = env.file.model.resourceOf(symbol).parent;
    parent !== undefined && !seen.has(parent.symbol);
    parent = env.file.model.resourceOf(parent.symbol).parent
  ) {
    seen.add(parent.symbol);
    place = placeOf(place, { symbol: parent.symbol, index: parent.index });
    ancestors.unshift({ symbol: parent.symbol, env: place });
  }
  return ancestors;
}

/** One expression for each segment of the type. A name that covers several segments is taken apart. */
function nameSegments(env: Env, symbol: ResourceSymbol): ArmExpression[] {
  const segmentCount = (env.file.model.resourceOf(symbol).reference?.segments.length ?? 2) - 1;
  const ancestors = ancestorsOf(env, symbol);
  const names = [...ancestors.map((ancestor) => nameOf(ancestor.env, ancestor.symbol)), nameOf(env, symbol)];
  const [first, ...others] = names;
  const firstCount = segmentCount - others.length;
  if (first === undefined || firstCount <= 1) {
    return names;
  }
  const parts = call("split", first, text("/"));
  return [...Array.from({ length: firstCount }, (_, part) => index(parts, integer(BigInt(part)))), ...others];
}
