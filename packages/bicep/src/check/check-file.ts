import type { Statement, TargetScope } from "../syntax/index.ts";
import { nameDiagnostics } from "../semantics/index.ts";
import type { Checker } from "./checker.ts";
import { checkParametersFile } from "./parameters-file.ts";
import { checkStatement } from "./statements.ts";

/** Checks everything in a file. */
export function checkFile(checker: Checker): void {
  const { statements } = checker.declarations;
  if (checker.file.syntax.kind === "params") {
    checkParametersFile(checker);
    return;
  }
  for (const statement of statements) {
    checkStatement(checker, statement);
  }
  reportRepeatedScope(checker, statements);
  reportSingletons(checker);
}

function reportRepeatedScope(checker: Checker, statements: readonly Statement[]): void {
  const scopes = statements.filter((statement): statement is TargetScope => statement.kind === "TargetScope");
  if (scopes.length > 1) {
    for (const statement of scopes) {
      checker.report(nameDiagnostics.scopeDeclaredTwice(statement.keyword));
    }
  }
}

function reportSingletons(checker: Checker): void {
  const byProvider = new Map<string, (typeof checker.declarations.extensions)[number][]>();
  for (const symbol of checker.declarations.extensions) {
    const namespace = checker.extensionOf(symbol);
    if (namespace?.singleton === true) {
      byProvider.set(namespace.provider, [...(byProvider.get(namespace.provider) ?? []), symbol]);
    }
  }
  for (const [provider, symbols] of byProvider) {
    if (symbols.length > 1) {
      for (const symbol of symbols) {
        checker.report(nameDiagnostics.singletonExtension(symbol.declaration.specification, provider));
      }
    }
  }
}
