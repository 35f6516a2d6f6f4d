import type { Span } from "../diagnostic.ts";
import { nameDiagnostics } from "../semantics/index.ts";
import type { TemplateSource } from "../semantics/index.ts";
import type { ImportDeclaration, ImportList } from "../syntax/index.ts";
import type { Checker } from "./checker.ts";
import { checks } from "./diagnostics.ts";

/** Checks that what a statement imports is there. */
export function checkImport(checker: Checker, node: ImportDeclaration): void {
  const { what, from } = node;
  if (from.kind === "Skipped") {
    return;
  }
  const template = checker.templateAt(from.path, "import");
  if (template === undefined) {
    return;
  }
  if (template.hasErrors()) {
    checker.report(template.origin.kind === "arm" ? checks.armTemplateHasErrors(from) : checks.templateHasErrors(from));
    return;
  }
  if (what.kind === "ImportList") {
    checkItems(checker, what, template);
  }
}

function checkItems(checker: Checker, list: ImportList, template: TemplateSource): void {
  const byOriginal = new Map<string, Span[]>();
  for (const item of list.elements) {
    const symbol = checker.symbolOf(item);
    if (symbol?.kind !== "imported" || item.name.kind === "Skipped" || symbol.originalName === "<missing>") {
      continue;
    }
    if (item.name.kind === "StringExpression" && item.alias === undefined) {
      checker.report(nameDiagnostics.quotedImportNeedsAlias(item.name));
    }
    const { originalName } = symbol;
    const others = byOriginal.get(originalName);
    if (others === undefined) {
      byOriginal.set(originalName, [item]);
    } else {
      others.push(item);
    }
    const ambiguity = template.ambiguousExports.get(originalName);
    if (ambiguity !== undefined) {
      checker.report(checks.exportAmbiguous(item.name, originalName, ambiguity));
    } else if (!template.exports.has(originalName)) {
      checker.report(checks.exportNotFound(item.name, originalName));
    }
    for (const warning of template.exportWarnings?.get(originalName) ?? []) {
      checker.report(checks.placed(item, warning));
    }
  }
  for (const items of byOriginal.values()) {
    if (items.length > 1) {
      for (const item of items) {
        checker.report(nameDiagnostics.importedTwice(item, []));
      }
    }
  }
}
