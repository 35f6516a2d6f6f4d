import type { DiagnosticSink, Span } from "../diagnostic.ts";
import { nameDiagnostics } from "./diagnostics.ts";
import type { Declarations } from "./model.ts";
import type { DeclaredSymbol, LocalSymbol, ResourceSymbol } from "./symbols.ts";

interface NamedSymbol {
  readonly name: string;
  readonly nameNode: Span & { readonly kind: string };
}

/** Reports duplicates, names that differ only in letter case, and reserved names among the declarations of a file. */
export function checkDeclaredNames(
  declarations: Declarations,
  reserved: ReadonlySet<string>,
  sink: DiagnosticSink,
): void {
  const shared = declarations.all.filter(canBeReferenced);
  reportDuplicates(shared, nameDiagnostics.declaredTwice, sink);
  reportDuplicates(declarations.outputs, nameDiagnostics.outputDeclaredTwice, sink);
  reportDuplicates(declarations.metadata, nameDiagnostics.metadataDeclaredTwice, sink);
  for (const resource of declarations.allResources) {
    reportDuplicates(resource.nested, nameDiagnostics.declaredTwice, sink);
  }
  reportCase(declarations, sink);
  for (const symbol of [...shared, ...nestedResources(declarations)]) {
    if (symbol.kind !== "extension" && isNamed(symbol) && reserved.has(symbol.name)) {
      sink.report(nameDiagnostics.reservedNamespace(symbol.nameNode, symbol.name));
    }
  }
  reportReserved(declarations, sink);
}

/** The same for the variables of one loop, lambda or function. */
export function checkLocalNames(
  locals: readonly LocalSymbol[],
  reserved: ReadonlySet<string>,
  sink: DiagnosticSink,
): void {
  if (locals.length > 1) {
    reportDuplicates(locals, nameDiagnostics.declaredTwice, sink);
  }
  for (const symbol of locals) {
    if (isNamed(symbol) && reserved.has(symbol.name)) {
      sink.report(nameDiagnostics.reservedNamespace(symbol.nameNode, symbol.name));
    }
  }
}

/** Outputs and metadata have names of their own; expressions cannot mention them. */
export function canBeReferenced(symbol: DeclaredSymbol): boolean {
  return symbol.kind !== "output" && symbol.kind !== "metadata" && symbol.kind !== "extensionConfiguration";
}

/** Whether there is a name at all: a missing one takes part in nothing. */
function isNamed(symbol: NamedSymbol): boolean {
  return symbol.nameNode.kind !== "Skipped" && symbol.name !== "<missing>" && symbol.name !== "<error>";
}

function reportDuplicates(
  symbols: readonly NamedSymbol[],
  diagnostic: typeof nameDiagnostics.declaredTwice,
  sink: DiagnosticSink,
): void {
  if (!hasRepeatedName(symbols, (symbol) => symbol.name)) {
    return;
  }
  for (const [name, group] of groupBy(symbols, (symbol) => symbol.name)) {
    if (group.length > 1) {
      for (const symbol of group) {
        sink.report(diagnostic(symbol.nameNode, name));
      }
    }
  }
}

function reportCase(declarations: Declarations, sink: DiagnosticSink): void {
  const groups: readonly (readonly NamedSymbol[])[] = [
    declarations.parameters,
    [...declarations.variables, ...declarations.imports],
    declarations.outputs,
    declarations.types,
    declarations.asserts,
    declarations.functions,
  ];
  for (const symbols of groups) {
    if (!hasRepeatedName(symbols, (symbol) => symbol.name.toLowerCase())) {
      continue;
    }
    for (const group of groupBy(symbols, (symbol) => symbol.name.toLowerCase()).values()) {
      const names = new Set(group.map((symbol) => symbol.name));
      if (names.size > 1 && names.size === group.length) {
        for (const symbol of group) {
          sink.report(nameDiagnostics.differsInCase(symbol.nameNode, Array.from(names)));
        }
      }
    }
  }
}

function reportReserved(declarations: Declarations, sink: DiagnosticSink): void {
  const copy = declarations.variables.find((symbol) => symbol.name.toLowerCase() === "copy");
  if (copy !== undefined) {
    sink.report(nameDiagnostics.reservedVariable(copy.nameNode, copy.name));
  }
  for (const symbol of declarations.types) {
    if (symbol.name === "resource") {
      sink.report(nameDiagnostics.reservedTypeName(symbol.nameNode, symbol.name));
    }
  }
  for (const symbol of declarations.metadata) {
    if (symbol.name.startsWith("_")) {
      sink.report(nameDiagnostics.reservedMetadata(symbol.nameNode, symbol.name));
    }
  }
}

function* nestedResources(declarations: Declarations): Iterable<ResourceSymbol> {
  for (const resource of declarations.allResources) {
    if (resource.container !== undefined) {
      yield resource;
    }
  }
}

/** The usual case is that nothing repeats, so this comes before any grouping. */
function hasRepeatedName(symbols: readonly NamedSymbol[], keyOf: (symbol: NamedSymbol) => string): boolean {
  const seen = new Set<string>();
  for (const symbol of symbols) {
    if (isNamed(symbol)) {
      const key = keyOf(symbol);
      if (seen.has(key)) {
        return true;
      }
      seen.add(key);
    }
  }
  return false;
}

function groupBy(
  symbols: readonly NamedSymbol[],
  keyOf: (symbol: NamedSymbol) => string,
): ReadonlyMap<string, NamedSymbol[]> {
  const groups = new Map<string, NamedSymbol[]>();
  for (const symbol of symbols) {
    if (!isNamed(symbol)) {
      continue;
    }
    const key = keyOf(symbol);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [symbol]);
    } else {
      group.push(symbol);
    }
  }
  return groups;
}
