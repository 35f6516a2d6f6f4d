import type {
  SemanticModel,
  TemplateExport,
  TemplateExtension,
  TemplateOutput,
  TemplateParameter,
  TemplateSource,
} from "../semantics/index.ts";
import { anyType, hasFlag, isNullable, TypeFlags } from "../types/index.ts";
import type { Type } from "../types/index.ts";
import type { Checker } from "./checker.ts";
import { descriptionOf } from "./decorated-types.ts";
import { isRequired } from "./extensions.ts";

/** A file as modules, imports and parameters files see it. Its parts are worked out when first asked for. */
export function templateOf(model: SemanticModel, checker: Checker, hasErrors: () => boolean): TemplateSource {
  let parameters: ReadonlyMap<string, TemplateParameter> | undefined;
  let outputs: ReadonlyMap<string, TemplateOutput> | undefined;
  let extensions: ReadonlyMap<string, TemplateExtension> | undefined;
  let exports: ReadonlyMap<string, TemplateExport> | undefined;
  return {
    origin: { kind: "bicep", model },
    targetScope: model.targetScope,
    get parameters() {
      return (parameters ??= byName(parametersOf(checker)));
    },
    get outputs() {
      return (outputs ??= byName(outputsOf(checker)));
    },
    get extensions() {
      extensions ??= new Map(Array.from(extensionsOf(checker), (extension) => [extension.alias, extension]));
      return extensions;
    },
    get exports() {
      return (exports ??= byName(exportsOf(checker)));
    },
    ambiguousExports: new Map(),
    hasErrors,
  };
}

function* parametersOf(checker: Checker): Iterable<TemplateParameter> {
  for (const symbol of checker.declarations.parameters) {
    const type = known(checker.typeOfSymbol(symbol));
    const required = symbol.declaration.modifier === undefined && !isNullable(type);
    yield { name: symbol.name, type, required, description: descriptionOf(checker, symbol.declaration) };
  }
  for (const symbol of checker.declarations.parameterAssignments) {
    yield { name: symbol.name, type: known(checker.typeOfSymbol(symbol)), required: false, description: undefined };
  }
  // A parameters file also hands on what it inherits; its own assignments came first, and the first of a name counts.
  yield* checker.baseTemplate?.parameters.values() ?? [];
}

function* outputsOf(checker: Checker): Iterable<TemplateOutput> {
  for (const { name, declaration } of checker.declarations.outputs) {
    const type = known(checker.refinedTypeOf(declaration, checker.typeOfTypeExpression(declaration.type)));
    yield { name, type, secure: hasFlag(type, TypeFlags.Secure), description: descriptionOf(checker, declaration) };
  }
}

function* extensionsOf(checker: Checker): Iterable<TemplateExtension> {
  for (const symbol of checker.declarations.extensions) {
    const configuration = checker.extensionOf(symbol)?.configuration;
    const isGiven = symbol.declaration.configuration?.kind === "WithClause";
    yield { alias: symbol.name, configuration, required: !isGiven && isRequired(configuration) };
  }
}

function* exportsOf(checker: Checker): Iterable<TemplateExport> {
  const { types, variables, functions } = checker.declarations;
  for (const symbol of types) {
    if (isExported(checker, symbol.declaration)) {
      const type = known(checker.typeOfSymbol(symbol));
      const description = descriptionOf(checker, symbol.declaration);
      yield { kind: "type", name: symbol.name, type, description, symbol };
    }
  }
  for (const symbol of variables) {
    if (isExported(checker, symbol.declaration)) {
      const type = checker.cycleOf(symbol) === undefined ? known(checker.typeOfSymbol(symbol)) : anyType;
      const description = descriptionOf(checker, symbol.declaration);
      yield { kind: "variable", name: symbol.name, type, description, symbol };
    }
  }
  for (const symbol of functions) {
    const overload = isExported(checker, symbol.declaration) ? checker.signatureOf(symbol) : undefined;
    if (overload !== undefined) {
      const description = descriptionOf(checker, symbol.declaration);
      yield { kind: "function", name: symbol.name, overload, description, symbol };
    }
  }
}

function isExported(checker: Checker, node: Parameters<Checker["decoratorsOf"]>[0]): boolean {
  return checker.decoratorsOf(node).some((decorator) => decorator.definition.name === "export");
}

/** What has errors there is reported there; here anything goes. */
function known(type: Type): Type {
  return type.kind === "error" ? anyType : type;
}

/** The first of each name. */
function byName<T extends { readonly name: string }>(items: Iterable<T>): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const item of items) {
    if (!map.has(item.name)) {
      map.set(item.name, item);
    }
  }
  return map;
}
