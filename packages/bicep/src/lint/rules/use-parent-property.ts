import type { ResourceInfo, SemanticModel } from "../../semantics/index.ts";
import { nodeText } from "../../syntax/index.ts";
import type { Expression, StringExpression } from "../../syntax/index.ts";
import { isParentTypeOf, parentTypeOf } from "../../types/index.ts";
import type { Rule } from "../rule.ts";

export const useParentProperty: Rule = {
  name: "use-parent-property",
  category: "Style",
  start: ({ model, report }) => {
    const resources = model.declarations.allResources.map((symbol) => model.resourceOf(symbol));
    const byName = new Map<string, ResourceInfo>();
    for (const info of resources) {
      if (info.isAzure && info.reference !== undefined && info.name !== undefined && info.parent === undefined) {
        byName.set(nameKey(info.reference.type, partsOf(model, info.name)), info);
      }
    }
    for (const info of resources) {
      const { name, reference } = info;
      if (!info.isAzure || info.parent !== undefined || name?.kind !== "StringExpression" || reference === undefined) {
        continue;
      }
      const parentType = parentTypeOf(reference);
      const prefix = parentType === undefined ? undefined : prefixOf(partsOf(model, name));
      if (parentType === undefined || prefix === undefined) {
        continue;
      }
      const parent = parentByReference(model, info, name) ?? byName.get(nameKey(parentType, prefix));
      if (parent !== undefined && parent !== info && haveSameScope(model, parent, info)) {
        report(name, `Set "parent" to "${parent.symbol.name}" instead of repeating its name.`);
      }
    }
  },
};

/** Text and holes of a name in turns; holes are their source text. */
interface NamePart {
  readonly kind: "text" | "hole";
  readonly text: string;
}

function partsOf(model: SemanticModel, name: Expression): readonly NamePart[] {
  if (name.kind !== "StringExpression") {
    return [{ kind: "hole", text: nodeText(model.file.syntax, name) }];
  }
  const parts: NamePart[] = [];
  name.segments.forEach((text, index) => {
    const hole = name.expressions[index];
    if (text !== "") {
      parts.push({ kind: "text", text });
    }
    if (hole !== undefined) {
      parts.push({ kind: "hole", text: nodeText(model.file.syntax, hole) });
    }
  });
  return parts;
}

/** Everything before the last slash. */
function prefixOf(parts: readonly NamePart[]): readonly NamePart[] | undefined {
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts[index];
    const slash = part?.kind === "text" ? part.text.lastIndexOf("/") : -1;
    if (part !== undefined && slash >= 0) {
      const before = part.text.slice(0, slash);
      return before === "" ? parts.slice(0, index) : [...parts.slice(0, index), { kind: "text", text: before }];
    }
  }
  return undefined;
}

function nameKey(type: string, parts: readonly NamePart[]): string {
  return JSON.stringify([type.toLowerCase(), parts]);
}

/** `'${parent.name}/…'` */
function parentByReference(
  model: SemanticModel,
  child: ResourceInfo,
  name: StringExpression,
): ResourceInfo | undefined {
  const [hole] = name.expressions;
  const isPrefix = name.segments[0] === "" && name.segments[1]?.startsWith("/") === true;
  if (!isPrefix || hole?.kind !== "PropertyAccess" || hole.name.name !== "name") {
    return undefined;
  }
  const symbol = model.symbolOf(hole.target);
  const parent = symbol?.kind === "resource" ? model.resourceOf(symbol) : undefined;
  const isParent =
    parent?.reference !== undefined &&
    child.reference !== undefined &&
    isParentTypeOf(parent.reference, child.reference);
  return isParent ? parent : undefined;
}

function haveSameScope(model: SemanticModel, parent: ResourceInfo, child: ResourceInfo): boolean {
  const text = ({ scope }: ResourceInfo) => (scope === undefined ? "" : nodeText(model.file.syntax, scope));
  return text(parent) === text(child);
}
