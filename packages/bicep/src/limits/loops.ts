import type { DiagnosticSink, Span } from "../diagnostic.ts";
import type { ModuleSymbol, ResourceSymbol, SemanticModel } from "../semantics/index.ts";
import type { ForExpression, LocalVariable, Node, ObjectExpression, ObjectProperty } from "../syntax/index.ts";
import { PropertyFlags } from "../types/index.ts";
import { limitDiagnostics } from "./diagnostics.ts";
import { propertiesOf, propertyName } from "./properties.ts";
import { bodiesOf } from "./targets.ts";

/** Judges the place of one loop (BCP138, 142, 143), and of `...` above it (BCP417). */
export function checkLoopPlace(model: SemanticModel, loop: ForExpression, sink: DiagnosticSink): void {
  const place = placeOf(model, loop);
  if (place.kind === "declaration") {
    return;
  }
  if (place.kind === "none") {
    sink.report(limitDiagnostics.loopNotAllowed(loop.forKeyword));
    return;
  }
  if (place.insidePropertyLoop) {
    sink.report(limitDiagnostics.nestedPropertyLoop(loop.forKeyword));
  }
  const { key } = place.property;
  if (key.kind === "StringExpression" && key.expressions.length > 0) {
    sink.report(limitDiagnostics.loopWithInterpolatedKey(key));
  }
  for (const object of place.objects) {
    for (const element of object.elements) {
      if (element.kind === "Spread") {
        sink.report(limitDiagnostics.spreadBesideLoop(element));
      }
    }
  }
}

/** A resource that stands somewhere in a looped one (BCP160). */
export function checkNestedInLoop(symbol: ResourceSymbol, sink: DiagnosticSink): void {
  for (let at = symbol.container; at !== undefined; at = at.container) {
    if (at.declaration.body.kind === "ForExpression") {
      sink.report(limitDiagnostics.nestedResourceInLoop(symbol.declaration));
      return;
    }
  }
}

/** Warns about a loop that makes the same resource again and again (BCP179). */
export function checkLoopVariation(
  model: SemanticModel,
  symbol: ResourceSymbol | ModuleSymbol,
  sink: DiagnosticSink,
): void {
  const info = symbol.kind === "resource" ? model.resourceOf(symbol) : model.moduleOf(symbol);
  const { loop, body } = info;
  if (loop === undefined || body === undefined || ("existing" in info && info.existing)) {
    return;
  }
  const variables = variablesOf(loop);
  const [type] = bodiesOf(model, symbol);
  if (variables.length === 0 || type === undefined) {
    return;
  }
  const expected: string[] = [];
  let isComplete = symbol.kind === "module";
  let varies = false;
  for (const property of propertiesOf(body)) {
    const name = propertyName(property);
    const flags = name === undefined ? 0 : (type.properties.get(name)?.flags ?? 0);
    if (name === undefined || (flags & PropertyFlags.LoopVariant) === 0) {
      continue;
    }
    expected.push(name);
    isComplete ||= (flags & PropertyFlags.Required) !== 0;
    varies ||= mentions(model, property.value, variables);
  }
  const isNamed = symbol.kind === "resource" || expected.includes("name");
  if (isComplete && isNamed && expected.length > 0 && !varies) {
    const names = variables.map((variable) => variable.name.name);
    sink.report(limitDiagnostics.loopWithoutVariation(symbol.nameNode, names, expected));
  }
}

type Place =
  /** The whole value of a declaration. */
  | { readonly kind: "declaration" }
  /** The value of a property in a resource or module; `objects` are the literals around it, the body left out. */
  | {
      readonly kind: "property";
      readonly property: ObjectProperty;
      readonly insidePropertyLoop: boolean;
      readonly objects: readonly ObjectExpression[];
    }
  | { readonly kind: "none" };

const nowhere: Place = { kind: "none" };

function placeOf(model: SemanticModel, loop: ForExpression): Place {
  const parent = model.parentOf(loop);
  switch (parent?.kind) {
    case "ResourceDeclaration":
    case "ModuleDeclaration":
    case "VariableDeclaration":
    case "OutputDeclaration":
    case "ParameterAssignment":
      return { kind: "declaration" };
    case "ObjectProperty":
      return propertyPlace(model, parent);
    default:
      return nowhere;
  }
}

function propertyPlace(model: SemanticModel, property: ObjectProperty): Place {
  const objects: ObjectExpression[] = [];
  let below: Node = property;
  let insidePropertyLoop = false;
  for (let at = model.parentOf(property); at !== undefined; at = model.parentOf(at)) {
    switch (at.kind) {
      case "ObjectExpression":
        objects.push(at);
        break;
      case "ObjectProperty":
        insidePropertyLoop ||= below.kind === "ForExpression";
        break;
      case "ForExpression":
        if (at.body !== below) {
          return nowhere;
        }
        break;
      case "ArrayExpression":
      case "ArrayItem":
      case "IfCondition":
        break;
      case "ResourceDeclaration":
      case "ModuleDeclaration":
        return { kind: "property", property, insidePropertyLoop, objects: objects.slice(0, -1) };
      default:
        return nowhere;
    }
    below = at;
  }
  return nowhere;
}

function variablesOf(loop: ForExpression): readonly LocalVariable[] {
  switch (loop.variables.kind) {
    case "LocalVariable":
      return [loop.variables];
    case "ForVariableBlock":
      return loop.variables.variables;
    case "Skipped":
      return [];
    default:
      return loop.variables satisfies never;
  }
}

function mentions(model: SemanticModel, node: Span, variables: readonly LocalVariable[]): boolean {
  return variables.some((variable) => {
    const symbol = model.symbolOf(variable);
    const references = symbol === undefined ? [] : model.referencesTo(symbol);
    return references.some((reference) => node.start <= reference.start && reference.end <= node.end);
  });
}
