import { isObject, printJson } from "@rad/templates";
import type { Value } from "@rad/templates";
import { renameArm } from "./arm-imports.ts";
import type { ArmDeclaration, Rename } from "./arm-imports.ts";
import type { ImportClosure, ImportedItem } from "./import-closure.ts";
import { valueOfLiteral } from "./literals.ts";
import { addMetadata } from "./modifiers.ts";
import type { SizeBudget } from "./size-budget.ts";

/** A variable of a template: a value, or a loop that makes one. */
export type EmittedVariable =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "loop"; readonly loop: Map<string, Value> };

type Document = ReadonlyMap<string, unknown>;

/** A type or function of a JSON template, under the names of the template that imports it. */
export function importedArmNode(
  closure: ImportClosure,
  document: Document,
  declared: Value,
  budget: SizeBudget,
): Map<string, Value> {
  const renamed = renameArm(declared, renameIn(closure, document), budget);
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

/** A variable of a JSON template, or the content of a file that an imported function loads. */
export function importedVariable(
  closure: ImportClosure,
  { name, content }: ImportedItem,
  budget: SizeBudget,
): EmittedVariable | undefined {
  switch (content.kind) {
    case "loaded":
      return { kind: "value", value: valueOfLiteral(content.file.loaded.valueOf(content.call), budget) };
    case "arm":
      return armVariable(name, content.declaration, renameIn(closure, content.document), budget);
    default:
      return undefined;
  }
}

function armVariable(
  name: string,
  declaration: ArmDeclaration,
  rename: Rename,
  budget: SizeBudget,
): EmittedVariable | undefined {
  switch (declaration.kind) {
    case "variable":
      return { kind: "value", value: renameArm(declaration.value, rename, budget) };
    case "loop": {
      const loop = new Map<string, Value>([
        ["name", name],
        ["count", loopCount(renameArm(declaration.count, rename, budget))],
        ["input", renameArm(declaration.input, rename, budget)],
      ]);
      return { kind: "loop", loop };
    }
    default:
      return undefined;
  }
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

function renameIn(closure: ImportClosure, document: Document): Rename {
  return (name) => closure.ofArm(document, name);
}
