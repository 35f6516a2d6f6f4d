import { isObject, printJson } from "@rad/templates";
import type { Value } from "@rad/templates";
import { armFunction, armType, armVariable, renameArm } from "./arm-imports.ts";
import type { Rename } from "./arm-imports.ts";
import type { ImportClosure, ImportedItem } from "./import-closure.ts";
import { valueOfLiteral } from "./literals.ts";
import { addMetadata } from "./modifiers.ts";
import type { SizeBudget } from "./size-budget.ts";

/** A variable of a template: a value, or a loop that makes one. */
export type EmittedVariable =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "loop"; readonly loop: Map<string, Value> };

const noDocument: ReadonlyMap<string, unknown> = new Map();

/** A type or function of a JSON template, under the names of the template that imports it. */
export function importedArmNode(closure: ImportClosure, item: ImportedItem, budget: SizeBudget): Map<string, Value> {
  const document = item.content.kind === "arm" ? item.content.document : noDocument;
  const found = (item.kind === "type" ? armType : armFunction)(document, item.originalName);
  const renamed = renameArm(found ?? null, renameIn(closure, item), budget);
  const node = new Map(isObject(renamed) ? renamed : []);
  const metadata = node.get("metadata");
  if (metadata !== undefined && isObject(metadata)) {
    const kept = new Map(metadata);
    kept.delete("__bicep_export!");
    node.delete("metadata");
    addMetadata(node, kept);
  }
  return node;
}

export function importedArmVariable(
  closure: ImportClosure,
  item: ImportedItem,
  budget: SizeBudget,
): EmittedVariable | undefined {
  if (item.content.kind === "loaded") {
    const { call, file } = item.content;
    return { kind: "value", value: valueOfLiteral(file.loaded.valueOf(call), budget) };
  }
  if (item.kind !== "variable" || item.content.kind !== "arm") {
    return undefined;
  }
  const variable = armVariable(item.content.document, item.originalName);
  const rename = renameIn(closure, item);
  if (variable?.kind !== "loop") {
    return { kind: "value", value: renameArm(variable?.value ?? null, rename, budget) };
  }
  const loop = new Map<string, Value>([
    ["name", item.name],
    ["count", loopCount(renameArm(variable.count, rename, budget))],
    ["input", renameArm(variable.input, rename, budget)],
  ]);
  return { kind: "loop", loop };
}

/** Says where an imported type or function comes from. */
export function addOrigin(node: Map<string, Value>, item: ImportedItem): void {
  const origin = new Map<string, Value>([["sourceTemplate", item.sourceTemplate]]);
  if (item.name !== item.originalName && !item.name.endsWith(`.${item.originalName}`)) {
    origin.set("originalIdentifier", item.originalName);
  }
  addMetadata(node, new Map([["__bicep_imported_from!", origin]]));
}

/** Loops of JSON templates have a count; ours run over an array. */
function loopCount(count: Value): Value {
  const inner = typeof count === "string" && count.startsWith("[") ? count.slice(1, -1) : printJson(count);
  return `[length(range(0, ${inner}))]`;
}

function renameIn(closure: ImportClosure, item: ImportedItem): Rename {
  return (name) => (item.content.kind === "arm" ? closure.ofArm(item.content.document, name) : name.name);
}
