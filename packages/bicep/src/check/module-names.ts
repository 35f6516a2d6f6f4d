import type { ModuleInfo } from "../semantics/index.ts";
import { nodeText } from "../syntax/index.ts";
import type { Expression } from "../syntax/index.ts";
import type { Checker } from "./checker.ts";
import { checks } from "./diagnostics.ts";

/** Two modules of one name in one scope would overwrite each other's deployment. */
export function checkModuleNames(checker: Checker): void {
  const groups = new Map<string, { readonly value: Expression; readonly name: string }[]>();
  for (const symbol of checker.declarations.modules) {
    const info = checker.moduleOf(symbol);
    const value = info.name;
    if (value === undefined || info.template === undefined || !isSurelyDeployed(checker, info)) {
      continue;
    }
    const type = checker.typeOf(value);
    if (type.kind !== "stringLiteral") {
      continue;
    }
    const key = `${scopeKey(checker, info.scope)}\n${type.value.toLowerCase()}`;
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [{ value, name: type.value }]);
    } else {
      group.push({ value, name: type.value });
    }
  }
  for (const group of groups.values()) {
    if (group.length > 1) {
      for (const { value, name } of group) {
        checker.report(checks.duplicateModuleName(value, name));
      }
    }
  }
}

/** A condition that may turn a module off lets another have its name. */
function isSurelyDeployed(checker: Checker, info: ModuleInfo): boolean {
  const type = info.condition === undefined ? undefined : checker.typeOf(info.condition);
  return type === undefined || (type.kind === "boolLiteral" && type.value);
}

/** Equal for scopes that are surely the same. */
function scopeKey(checker: Checker, scope: Expression | undefined): string {
  if (scope === undefined) {
    return "";
  }
  const type = checker.typeOf(scope);
  const value = type.kind === "object" ? type.scope : undefined;
  if (value?.scope === checker.targetScope && value.arguments.length === 0) {
    return "";
  }
  return nodeText(checker.file.syntax, scope);
}
