import type { ModuleSymbol, ResourceSymbol, SemanticModel } from "../semantics/index.ts";
import { walk } from "../syntax/index.ts";
import type { Node } from "../syntax/index.ts";
import { TypeFlags } from "../types/index.ts";

export interface EmitSettings {
  /** Resources are members of an object, called by their symbolic names, rather than items of an array. */
  readonly symbolicNames: boolean;
  readonly languageVersion: string | undefined;
  /** How the template describes the experimental features that shape it; none in ordinary templates. */
  readonly experimentalFeatures: readonly string[] | undefined;
}

/** Features that need the experimental language version, with the words that templates carry for them. */
const experimentalFeatures: readonly (readonly [feature: string, description: string])[] = [
  ["resourceInfoCodegen", "Resource info code generation"],
  ["assertions", "Asserts"],
  ["waitUntil", "Enable waitUntil decorator"],
  ["localDeploy", "Enable local deploy"],
  ["moduleExtensionConfigs", "Enable defining extension configs for modules"],
  ["userDefinedConstraints", "Enable @validate() decorator"],
  ["deployCommands", "Enable deploy commands"],
  ["runtimeValuesInTagsAndSku", "Enable runtime values in tags and sku"],
  ["azExtensionConfig", "Enable configuration of the az extension"],
];

export function settingsOf(model: SemanticModel): EmitSettings {
  const { features } = model.file;
  const enabled = experimentalFeatures.filter(([name]) => features[name] === true);
  const experimental = enabled.length > 0 || usesExperimentalLanguage(model);
  if (experimental) {
    return {
      symbolicNames: true,
      languageVersion: features["moduleExtensionConfigs"] === true ? "2.2-experimental" : "2.1-experimental",
      experimentalFeatures: enabled.map(([, description]) => description),
    };
  }
  const symbolicNames = features["symbolicNameCodegen"] === true || needsSymbolicNames(model);
  return {
    symbolicNames,
    languageVersion: symbolicNames ? "2.0" : undefined,
    experimentalFeatures: undefined,
  };
}

function usesExperimentalLanguage(model: SemanticModel): boolean {
  return (
    model.declarations.allResources.some(
      (resource) => model.decoratorOf(resource.declaration, "nullIfNotFound") !== undefined,
    ) || callsThis(model)
  );
}

/** Whether `this.exists()` or its kin are called. Most files do not contain the word, and are not searched further. */
function callsThis(model: SemanticModel): boolean {
  if (!model.file.syntax.text.includes("this.")) {
    return false;
  }
  let found = false;
  walk(model.file.syntax.program, (node) => {
    found ||= node.kind === "InstanceFunctionCall" && model.callOf(node)?.namespace?.name === "this";
    return !found;
  });
  return found;
}

function needsSymbolicNames(model: SemanticModel): boolean {
  const { declarations } = model;
  return (
    declarations.types.length > 0 ||
    declarations.functions.length > 0 ||
    declarations.imports.length > 0 ||
    declarations.wildcards.length > 0 ||
    declarations.extensions.length > 0 ||
    declarations.variables.some((variable) => variable.declaration.type !== undefined) ||
    hasSecureOutputs(model) ||
    hasStructuredTypes(model) ||
    declarations.allResources.some((resource) => resourceNeedsSymbolicNames(model, resource)) ||
    declarations.modules.some((module) => model.moduleOf(module).name === undefined) ||
    usesWholeCollections(model)
  );
}

function hasSecureOutputs(model: SemanticModel): boolean {
  const isSecure = model.declarations.outputs.some(
    (output) =>
      model.decoratorOf(output.declaration, "secure") !== undefined ||
      (model.typeOfSymbol(output).flags & TypeFlags.Secure) !== 0,
  );
  return isSecure || model.declarations.modules.some((module) => givesSecureOutputs(model, module));
}

function givesSecureOutputs(model: SemanticModel, module: ModuleSymbol): boolean {
  for (const output of model.moduleOf(module).template?.outputs.values() ?? []) {
    if (output.secure) {
      return true;
    }
  }
  return false;
}

function resourceNeedsSymbolicNames(model: SemanticModel, symbol: ResourceSymbol): boolean {
  const info = model.resourceOf(symbol);
  const dependsExplicitly = info.body?.elements.some(
    (element) =>
      element.kind === "ObjectProperty" && element.key.kind === "Identifier" && element.key.name === "dependsOn",
  );
  return (
    !info.isAzure ||
    (info.existing && dependsExplicitly === true) ||
    model.decoratorOf(symbol.declaration, "onlyIfNotExists") !== undefined ||
    model.decoratorOf(symbol.declaration, "retryOn") !== undefined
  );
}

const structuredTypes: ReadonlySet<Node["kind"]> = new Set<Node["kind"]>([
  "ObjectType",
  "TupleType",
  "ArrayType",
  "UnionType",
  "NullableType",
  "TypeInstantiation",
  "InstanceTypeInstantiation",
]);

/** Types beyond plain names appear only below parameters and outputs once there are no functions and types. */
function hasStructuredTypes(model: SemanticModel): boolean {
  const { parameters, outputs } = model.declarations;
  let found = false;
  for (const { declaration } of [...parameters, ...outputs]) {
    walk(declaration.type, (node) => {
      found ||= structuredTypes.has(node.kind);
      return !found;
    });
  }
  return found;
}

/** A whole collection as a value can only be had with `references()`, which takes symbolic names. */
function usesWholeCollections(model: SemanticModel): boolean {
  const { allResources, modules } = model.declarations;
  const collections = [
    ...allResources.filter((symbol) => model.resourceOf(symbol).loop !== undefined),
    ...modules.filter((symbol) => model.moduleOf(symbol).loop !== undefined),
  ];
  return collections.some((symbol) => model.referencesTo(symbol).some((node) => isWholeValue(model, node)));
}

function isWholeValue(model: SemanticModel, reference: Node): boolean {
  const parent = model.parentOf(reference);
  if (parent?.kind === "ArrayAccess" && parent.target === reference) {
    return false;
  }
  let node = parent;
  while (node?.kind === "ArrayItem" || node?.kind === "ArrayExpression" || node?.kind === "FunctionArgument") {
    node = model.parentOf(node);
  }
  switch (node?.kind) {
    case "FunctionCall":
      return node.name.name !== "nameof";
    case "ObjectProperty":
      return !(node.key.kind === "Identifier" && node.key.name === "dependsOn");
    default:
      return true;
  }
}
