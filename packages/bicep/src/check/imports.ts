import type { Span } from "../diagnostic.ts";
import { nameDiagnostics } from "../semantics/index.ts";
import type { ImportedSymbol, TemplateSource } from "../semantics/index.ts";
import { literalText, walk } from "../syntax/index.ts";
import type { Expression, ImportDeclaration, ImportFrom, ImportList, Node } from "../syntax/index.ts";
import type { Checker } from "./checker.ts";
import { deploymentFunctionsOf } from "./deployment-functions.ts";
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
    const hasErrors = template.origin.kind === "arm" ? checks.armTemplateHasErrors : checks.templateHasErrors;
    checker.report(hasErrors(from, writtenPath(from.path)));
    return;
  }
  if (what.kind === "ImportList") {
    checkItems(checker, what, template);
  } else if (what.kind === "WildcardImport" && template.ambiguousExports.size > 0) {
    checker.report(checks.wildcardAmbiguous(what, Array.from(template.ambiguousExports.keys()).sort()));
  }
}

function writtenPath(path: ImportFrom["path"]): string {
  return (path.kind === "StringExpression" ? literalText(path) : undefined) ?? "";
}

/**
 * The default of a parameter cannot use variables, imported ones included. The binder tells it of the others: what an
 * import is shows only when the other file is read.
 */
export function checkDefaultImports(checker: Checker, value: Expression): void {
  const { imports, wildcards } = checker.declarations;
  if (imports.length + wildcards.length === 0) {
    return;
  }
  walk(value, (node) => {
    const name = importedVariableAt(checker, node);
    if (name !== undefined) {
      checker.report(nameDiagnostics.onlyParameters(node, name));
    }
  });
}

function importedVariableAt(checker: Checker, node: Node): string | undefined {
  if (node.kind === "VariableAccess") {
    const symbol = checker.symbolOf(node);
    const imported = symbol?.kind === "imported" ? checker.importOf(symbol) : undefined;
    return imported?.exported.kind === "variable" ? node.name.name : undefined;
  }
  if (node.kind === "PropertyAccess") {
    const symbol = checker.symbolOf(node.target);
    const exports = symbol?.kind === "wildcard" ? checker.wildcardOf(symbol)?.exports : undefined;
    return exports?.get(node.name.name)?.kind === "variable" ? node.name.name : undefined;
  }
  return undefined;
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
    } else if (checker.file.syntax.kind === "params") {
      checkForParametersFile(checker, symbol, item.name);
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

/** A parameters file has no deployment that its expressions could ask. */
function checkForParametersFile(checker: Checker, symbol: ImportedSymbol, name: Span): void {
  const imported = checker.importOf(symbol);
  const functions = imported === undefined ? [] : deploymentFunctionsOf(imported.source, imported.exported);
  if (functions.length > 0) {
    checker.report(checks.importNeedsDeployment(name, symbol.originalName, functions));
  }
}
