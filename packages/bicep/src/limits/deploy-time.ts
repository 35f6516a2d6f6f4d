import type { Diagnostic, DiagnosticSink, Span } from "../diagnostic.ts";
import { isDeclared } from "../semantics/index.ts";
import type { SemanticModel } from "../semantics/index.ts";
import type {
  ForExpression,
  FunctionCall,
  InstanceFunctionCall,
  Node,
  ObjectProperty,
  ResourceDeclaration,
  WithClause,
} from "../syntax/index.ts";
import { FunctionFlags, PropertyFlags } from "../types/index.ts";
import { forEachMeaningfulChild } from "./child-nodes.ts";
import { limitDiagnostics } from "./diagnostics.ts";
import type { RunTimeUse, RunTimeValues } from "./run-time-values.ts";
import { functionFlags } from "./targets.ts";

/** A place whose value has to be known when the deployment starts. */
interface Container {
  /** At most one container of a code is active, the outermost: more would say the same thing again. */
  readonly code: string;
  readonly complain: (span: Span, value: string) => Diagnostic;
  /** Naming a resource as such is no use of its values here. */
  readonly wholeAllowed?: boolean;
}

type Containers = readonly Container[];

/** Finds values that only the run shows where they have to be known before (BCP120, 177, 178, 181, 182, 341, 432, 444). */
export function checkDeployTimeConstants(model: SemanticModel, values: RunTimeValues, sink: DiagnosticSink): void {
  let inBody = false; // only the types of resources and modules have such properties
  let around: Containers = none; // of the node whose children are visited
  const visitChild = (child: Node): void => visit(child, around);

  function visit(node: Node, containers: Containers): void {
    switch (node.kind) {
      case "StringExpression":
        if (!isPlainText(node)) {
          visitOther(node, containers);
        }
        return;
      case "VariableAccess":
        if (containers.length > 0) {
          visitOther(node, containers);
        }
        return;
      case "Identifier":
      case "BooleanLiteral":
      case "NullLiteral":
      case "IntegerLiteral":
      case "Skipped":
        return;
      case "ResourceDeclaration":
        visitResource(node);
        return;
      case "ObjectProperty":
        visitProperty(node, containers);
        return;
      case "IfCondition":
        visit(node.condition, within(containers, condition));
        visit(node.body, containers);
        return;
      case "ForExpression":
        visitLoop(node, containers);
        return;
      case "FunctionDeclaration": {
        const { name } = node.name;
        const complain = (span: Span, value: string) => limitDiagnostics.notKnownForFunctionBody(span, value, name);
        visit(node.lambda, [{ code: "BCP341", complain }]);
        return;
      }
      case "WithClause":
        visitConfiguration(node);
        return;
      case "FunctionCall":
      case "InstanceFunctionCall":
        visitCall(node, containers);
        return;
      default:
        visitOther(node, containers);
    }
  }

  function visitOther(node: Node, containers: Containers): void {
    const judgement = containers.length === 0 ? undefined : values.judge(node);
    if (judgement === undefined) {
      const before = around;
      around = containers;
      forEachMeaningfulChild(node, visitChild);
      around = before;
      return;
    }
    complainAbout(judgement.use, containers);
    for (const part of judgement.next) {
      visit(part, containers);
    }
  }

  /** An existing resource is not deployed, so nothing has to be known about it; those inside of it may be. */
  function visitResource(node: ResourceDeclaration): void {
    for (const decorator of node.decorators) {
      visit(decorator, none);
    }
    if (node.existing === undefined) {
      visit(node.body, none);
      return;
    }
    const { body } = node;
    const inner = body.kind === "ForExpression" ? body.body : body;
    if (body.kind === "ForExpression") {
      visit(body.source, within(none, loopSource));
    }
    if (inner.kind === "IfCondition") {
      visit(inner.condition, within(none, condition));
    }
    const object = inner.kind === "IfCondition" ? inner.body : inner;
    for (const element of object.kind === "ObjectExpression" ? object.elements : []) {
      if (element.kind === "ResourceDeclaration") {
        visitResource(element);
      }
    }
  }

  function visitProperty(node: ObjectProperty, containers: Containers): void {
    if (isPlainText(node.value) && node.key.kind === "Identifier") {
      return; // most of them; whether anything has to be known about the value need not be found out
    }
    const inside = isDeployTimeConstant(node) ? within(containers, propertyContainer(node)) : containers;
    visit(node.key, inside);
    visit(node.value, inside);
  }

  function isDeployTimeConstant(node: ObjectProperty): boolean {
    const property = inBody ? model.declaredPropertyOf(node) : undefined;
    return property !== undefined && (property.flags & PropertyFlags.DeployTimeConstant) !== 0;
  }

  function visitLoop(node: ForExpression, containers: Containers): void {
    visit(node.source, within(containers, loopSource));
    const parent = model.parentOf(node);
    if (parent?.kind !== "VariableDeclaration") {
      visit(node.body, containers);
      return;
    }
    const { name } = parent.name;
    const complain = (span: Span, value: string) => limitDiagnostics.notKnownForVariableLoop(span, value, name);
    visit(node.body, within(containers, { code: "BCP182", complain }));
  }

  function visitConfiguration(node: WithClause): void {
    const { configuration } = node;
    const extension = { code: "BCP444", complain: limitDiagnostics.notKnownForExtension };
    visit(configuration, model.parentOf(node)?.kind === "ExtensionDeclaration" ? [extension] : none);
  }

  function visitCall(node: FunctionCall | InstanceFunctionCall, containers: Containers): void {
    const flags = functionFlags(model, node);
    if ((flags & FunctionFlags.ArgumentValueIndependent) !== 0) {
      node.args.forEach((argument) => visit(argument, none));
      return;
    }
    if (containers.length > 0) {
      complainAbout(values.judge(node)?.use, containers);
    }
    if (node.kind === "InstanceFunctionCall") {
      visit(node.target, containers);
    }
    const { name } = node.name;
    const parameters = model.callOf(node)?.overload.parameters;
    const isInlined = (flags & FunctionFlags.RequiresInlining) !== 0;
    const inside = isInlined ? within(containers, functionContainer(name)) : containers;
    let index = 0;
    for (const argument of node.args) {
      const parameter = parameters?.[index];
      visit(
        argument.expression,
        parameter?.deployTimeConstant === true ? within(inside, argumentContainer(parameter.name, name)) : inside,
      );
      index += 1;
    }
  }

  function complainAbout(use: RunTimeUse | undefined, containers: Containers): void {
    if (use === undefined) {
      return;
    }
    for (const container of containers) {
      if (container.wholeAllowed !== true || !isAllowedWhole(use)) {
        sink.report(container.complain(use.node, describe(use)));
      }
    }
  }

  function isAllowedWhole(use: RunTimeUse): boolean {
    return use.kind === "whole" && (use.symbol?.kind !== "resource" || !values.hasRunTimeIdentity(use.symbol));
  }

  for (const statement of model.declarations.statements) {
    const symbol = model.symbolOf(statement);
    if (symbol !== undefined && isDeclared(symbol) && !values.mayBeIn(symbol)) {
      continue;
    }
    inBody = statement.kind === "ResourceDeclaration" || statement.kind === "ModuleDeclaration";
    visit(statement, none);
  }
}

const none: Containers = [];
const condition: Container = { code: "BCP177", complain: limitDiagnostics.notKnownForCondition };
const loopSource: Container = { code: "BCP178", complain: limitDiagnostics.notKnownForLoop };

function propertyContainer(node: ObjectProperty): Container {
  const name = node.key.kind === "Identifier" ? node.key.name : "";
  return {
    code: "BCP120",
    complain: (span, value) => limitDiagnostics.notKnownForProperty(span, value, name),
    wholeAllowed: name === "scope" || name === "parent",
  };
}

function functionContainer(name: string): Container {
  return { code: "BCP181", complain: (span, value) => limitDiagnostics.notKnownForFunction(span, value, name) };
}

function argumentContainer(parameter: string, name: string): Container {
  return {
    code: "BCP432",
    complain: (span, value) => limitDiagnostics.notKnownForArgument(span, value, parameter, name),
  };
}

function isPlainText(node: Node): boolean {
  return node.kind === "StringExpression" && node.expressions.length === 0;
}

function within(containers: Containers, container: Container): Containers {
  return containers.some(({ code }) => code === container.code) ? containers : [...containers, container];
}

function describe(use: RunTimeUse): string {
  const path = use.through.map((name) => `"${name}"`).join(" -> ");
  return path === "" ? use.text : `${use.text} It is reached through ${path}.`;
}
