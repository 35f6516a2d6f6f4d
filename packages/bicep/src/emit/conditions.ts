import type { ModuleSymbol, ResourceSymbol } from "../semantics/index.ts";
import { call } from "./arm-expression.ts";
import type { ArmExpression } from "./arm-expression.ts";
import type { Env } from "./env.ts";
import { infoOf } from "./targets.ts";

/** When a resource or module is deployed: its own condition and those of the resources it stands in. */
export function conditionOf(env: Env, symbol: ResourceSymbol | ModuleSymbol): ArmExpression | undefined {
  const { condition } = infoOf(env.file, symbol);
  const own = condition === undefined ? undefined : env.convert(condition);
  const outer = symbol.kind === "resource" && symbol.container ? conditionOf(env, symbol.container) : undefined;
  if (own === undefined || outer === undefined) {
    return own ?? outer;
  }
  return call("and", outer, own);
}
