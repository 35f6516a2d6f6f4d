import type { DiagnosticSink } from "../diagnostic.ts";
import type { ExtensionConfigurationSymbol, ModuleSymbol, ResourceSymbol, SemanticModel } from "../semantics/index.ts";
import type { ObjectExpression } from "../syntax/index.ts";
import { limitDiagnostics } from "./diagnostics.ts";
import { propertiesOf, propertyNamed } from "./properties.ts";

/** What cannot be written directly in a resource's body (BCP349, 401). */
export function checkResourceBody(model: SemanticModel, symbol: ResourceSymbol, sink: DiagnosticSink): void {
  const { body, isAzure } = model.resourceOf(symbol);
  refuseSpreads(body, sink);
  const asserts = isAzure ? propertyNamed(body, "asserts") : undefined;
  if (asserts !== undefined && model.file.features["assertions"] !== true) {
    sink.report(limitDiagnostics.assertsDisabled(asserts.value));
  }
}

/** What cannot be written directly in a module's body or in its parameters and extension configurations (BCP401). */
export function checkModuleBody(model: SemanticModel, symbol: ModuleSymbol, sink: DiagnosticSink): void {
  const { body, params } = model.moduleOf(symbol);
  refuseSpreads(body, sink);
  refuseSpreads(params, sink);
  const configs = propertyNamed(body, "extensionConfigs")?.value;
  if (configs?.kind === "ObjectExpression") {
    refuseSpreads(configs, sink);
    for (const { value } of propertiesOf(configs)) {
      refuseSpreads(value.kind === "ObjectExpression" ? value : undefined, sink);
    }
  }
}

/** `extensionConfig alias with { … }` of a parameters file (BCP401). */
export function checkExtensionConfiguration(symbol: ExtensionConfigurationSymbol, sink: DiagnosticSink): void {
  const clause = symbol.declaration.configuration;
  const configuration = clause.kind === "WithClause" ? clause.configuration : undefined;
  refuseSpreads(configuration?.kind === "ObjectExpression" ? configuration : undefined, sink);
}

function refuseSpreads(object: ObjectExpression | undefined, sink: DiagnosticSink): void {
  for (const element of object?.elements ?? []) {
    if (element.kind === "Spread") {
      sink.report(limitDiagnostics.spreadInBody(element));
    }
  }
}
