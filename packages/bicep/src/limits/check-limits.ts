import { DiagnosticList } from "../diagnostic.ts";
import type { Diagnostic, DiagnosticSink } from "../diagnostic.ts";
import type { SemanticModel } from "../semantics/index.ts";
import { checkExtensionConfiguration, checkModuleBody, checkResourceBody } from "./bodies.ts";
import { checkCollections } from "./collections.ts";
import { checkDeployTimeConstants } from "./deploy-time.ts";
import { checkRunTimeIdentity } from "./identities.ts";
import { checkInteger } from "./integers.ts";
import { checkLambda } from "./lambdas.ts";
import { checkLoopPlace, checkLoopVariation, checkNestedInLoop } from "./loops.ts";
import { checkNameSlashes, checkSameModules, checkSameResources } from "./names.ts";
import { checkModulePlace, checkResourcePlace } from "./places.ts";
import { checkResourceOutput } from "./resource-outputs.ts";
import { createRunTimeValues } from "./run-time-values.ts";
import { createScopes } from "./scopes.ts";
import { checkSecureOutput } from "./secure-outputs.ts";

/**
 * What a template cannot say although the file is well-typed: values that must be known in advance, places of loops
 * and lambdas, names, parents and scopes. Runs on every file, also on those with other errors.
 */
export function checkLimits(model: SemanticModel): Diagnostic[] {
  const sink = new DiagnosticList();
  const scopes = createScopes(model);
  const values = createRunTimeValues(model);
  const { allResources, extensionConfigurations, modules } = model.declarations;

  checkNodes(model, sink);
  checkDeployTimeConstants(model, values, sink);
  checkCollections(model, sink);
  for (const symbol of allResources) {
    checkNestedInLoop(symbol, sink);
    checkLoopVariation(model, symbol, sink);
    checkResourceBody(model, symbol, sink);
    checkNameSlashes(model.resourceOf(symbol), sink);
    checkResourcePlace(model, scopes, symbol, sink);
    checkRunTimeIdentity(model, values, symbol, sink);
  }
  for (const symbol of modules) {
    checkLoopVariation(model, symbol, sink);
    checkModuleBody(model, symbol, sink);
    checkModulePlace(model, scopes, symbol, sink);
  }
  for (const symbol of extensionConfigurations) {
    checkExtensionConfiguration(symbol, sink);
  }
  checkSameResources(model, scopes, sink);
  checkSameModules(model, scopes, sink);
  return sink.items;
}

/** What can be judged wherever it stands. */
function checkNodes(model: SemanticModel, sink: DiagnosticSink): void {
  for (const loop of model.nodesOf("ForExpression")) {
    checkLoopPlace(model, loop, sink);
  }
  for (const lambda of model.nodesOf("Lambda")) {
    checkLambda(model, lambda, sink);
  }
  for (const integer of model.nodesOf("IntegerLiteral")) {
    checkInteger(model, integer, sink);
  }
  for (const integer of model.nodesOf("IntegerTypeLiteral")) {
    checkInteger(model, integer, sink);
  }
  for (const access of model.nodesOf("PropertyAccess")) {
    checkSecureOutput(model, access, sink);
    checkResourceOutput(model, access, sink);
  }
  for (const access of model.nodesOf("ArrayAccess")) {
    checkResourceOutput(model, access, sink);
  }
  for (const call of model.nodesOf("InstanceFunctionCall")) {
    checkResourceOutput(model, call, sink);
  }
}
