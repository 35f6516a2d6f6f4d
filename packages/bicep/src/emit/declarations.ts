import type { Value } from "@rad/templates";
import type { FunctionSymbol, OutputSymbol, ParameterSymbol, TypeSymbol, VariableSymbol } from "../semantics/index.ts";
import { Place } from "./convert.ts";
import type { Env } from "./env.ts";
import type { FileContext } from "./file-context.ts";
import type { ImportClosure, ImportedItem } from "./import-closure.ts";
import { qualifiedFunction } from "./import-names.ts";
import { addOrigin, importedArmNode, importedVariable } from "./imported-items.ts";
import type { EmittedVariable } from "./imported-items.ts";
import { valueOfExpression, valueOfLiteral } from "./literals.ts";
import { addMetadata, addModifiers, argumentValue, descriptionOf } from "./modifiers.ts";
import { idOf } from "./references.ts";
import type { SizeBudget } from "./size-budget.ts";
import { targetOf } from "./targets.ts";
import { declaredTypeNode, typeNode } from "./type-nodes.ts";
import { emitLoop, emitValue, note } from "./values.ts";

type Members = Map<string, Value>;

export function emitDefinitions(file: FileContext, closure: ImportClosure): Members {
  const result: Members = new Map();
  for (const symbol of file.model.declarations.types) {
    result.set(symbol.name, emitType(file, symbol));
    note(new Place(file), result, symbol.name, symbol.declaration);
  }
  for (const item of closure.items) {
    const node = importedType(closure, item, file.session.budget);
    if (node !== undefined) {
      addOrigin(node, item);
      result.set(item.name, node);
    }
  }
  return result;
}

export function emitFunctions(file: FileContext, closure: ImportClosure): Value[] {
  const namespaces = new Map<string, Members>();
  const add = (name: string, node: Members): void => {
    const qualified = qualifiedFunction(name);
    const dot = qualified.indexOf(".");
    const namespace = qualified.slice(0, dot);
    const members = namespaces.get(namespace) ?? new Map<string, Value>();
    namespaces.set(namespace, members.set(qualified.slice(dot + 1), node));
  };
  for (const symbol of file.model.declarations.functions) {
    add(symbol.name, emitFunction(file, symbol));
  }
  for (const item of closure.items) {
    const node = importedFunction(closure, item, file.session.budget);
    if (node !== undefined) {
      addOrigin(node, item);
      add(item.name, node);
    }
  }
  return Array.from(
    namespaces,
    ([namespace, members]): Value =>
      new Map<string, Value>([
        ["namespace", namespace],
        ["members", members],
      ]),
  );
}

export function emitParameters(env: Env): Members {
  const result: Members = new Map();
  for (const symbol of env.file.model.declarations.parameters) {
    result.set(symbol.name, emitParameter(env, symbol));
    note(env, result, symbol.name, symbol.declaration);
  }
  return result;
}

/** Contents of files first, then the file's own variables, then imported ones; loops come in a member before all. */
export function emitVariables(env: Env, closure: ImportClosure): Members {
  const { file } = env;
  const values: Members = new Map();
  const loops: Value[] = [];
  const add = (name: string, variable: EmittedVariable): void => {
    if (variable.kind === "loop") {
      loops.push(variable.loop);
    } else {
      values.set(name, variable.value);
    }
  };
  const loaded = Array.from(file.loaded.variables(), ([call, name]) => ({ call, name }));
  loaded.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const { call, name } of loaded) {
    values.set(name, valueOfLiteral(file.loaded.valueOf(call), file.session.budget));
    note(env, values, name, call);
  }
  for (const symbol of file.model.declarations.variables) {
    if (!file.inlining.isInlined(symbol)) {
      add(symbol.name, emitVariable(env, symbol, symbol.name));
      note(env, values, symbol.name, symbol.declaration);
    }
  }
  for (const [name, variable] of emitImportedVariables(closure, file.session.budget)) {
    add(name, variable);
  }
  return loops.length === 0 ? values : new Map<string, Value>([["copy", loops], ...values]);
}

export function emitImportedVariables(closure: ImportClosure, budget: SizeBudget): Map<string, EmittedVariable> {
  const result = new Map<string, EmittedVariable>();
  for (const item of closure.items) {
    const { content } = item;
    const variable =
      content.kind === "bicep" && content.symbol.kind === "variable"
        ? emitVariable(new Place(content.file), content.symbol, item.name)
        : importedVariable(closure, item, budget);
    if (variable !== undefined) {
      result.set(item.name, variable);
    }
  }
  return result;
}

export function emitOutputs(env: Env): Members {
  const result: Members = new Map();
  for (const symbol of env.file.model.declarations.outputs) {
    result.set(symbol.name, emitOutput(env, symbol));
    note(env, result, symbol.name, symbol.declaration);
  }
  return result;
}

export function emitAsserts(env: Env): Members {
  const result: Members = new Map();
  for (const symbol of env.file.model.declarations.asserts) {
    result.set(symbol.name, emitValue(env, symbol.declaration.value));
    note(env, result, symbol.name, symbol.declaration);
  }
  return result;
}

/** A description of the variables that other files may import. */
export function emitExportedVariables(file: FileContext): Value[] {
  const exported = file.model.declarations.variables
    .filter((symbol) => file.model.decoratorOf(symbol.declaration, "export") !== undefined)
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return exported.map((symbol): Value => {
    const entry: Members = new Map([["name", symbol.name]]);
    const description = descriptionOf(file, symbol.declaration);
    if (description !== undefined) {
      entry.set("description", description);
    }
    if (symbol.declaration.type !== undefined) {
      entry.set("type", typeNode(file, symbol.declaration.type));
    }
    return entry;
  });
}

function importedType(closure: ImportClosure, { content }: ImportedItem, budget: SizeBudget): Members | undefined {
  if (content.kind === "bicep") {
    return content.symbol.kind === "type" ? emitType(content.file, content.symbol) : undefined;
  }
  return content.kind === "arm" && content.declaration.kind === "type"
    ? importedArmNode(closure, content.document, content.declaration.value, budget)
    : undefined;
}

function importedFunction(closure: ImportClosure, { content }: ImportedItem, budget: SizeBudget): Members | undefined {
  if (content.kind === "bicep") {
    return content.symbol.kind === "function" ? emitFunction(content.file, content.symbol) : undefined;
  }
  return content.kind === "arm" && content.declaration.kind === "function"
    ? importedArmNode(closure, content.document, content.declaration.value, budget)
    : undefined;
}

function emitType(file: FileContext, { declaration }: TypeSymbol): Members {
  const node = declaredTypeNode(file, declaration, declaration.value);
  addModifiers(new Place(file), declaration, node);
  return node;
}

function emitFunction(file: FileContext, { declaration }: FunctionSymbol): Members {
  const result: Members = new Map();
  const { lambda } = declaration;
  if (lambda.kind === "TypedLambda") {
    const parameters = lambda.parameters.parameters.map((parameter) =>
      typeNode(file, parameter.type).set("name", parameter.name.name),
    );
    const output = typeNode(file, lambda.returnType);
    const env = new Place(file);
    output.set("value", emitValue(env, lambda.body));
    note(env, output, "value", lambda.body);
    result.set("parameters", parameters).set("output", output);
  }
  const description = descriptionOf(file, declaration);
  if (description !== undefined) {
    addMetadata(result, new Map([["description", description]]));
  }
  if (file.model.decoratorOf(declaration, "export") !== undefined && file.names.marksExports(file)) {
    addMetadata(result, new Map([["__bicep_export!", true]]));
  }
  return result;
}

function emitParameter(env: Env, { declaration }: ParameterSymbol): Members {
  const { file } = env;
  const node = declaredTypeNode(file, declaration, declaration.type);
  if (declaration.modifier?.kind === "ParameterDefault") {
    node.set("defaultValue", emitValue(env, declaration.modifier.value));
    note(env, node, "defaultValue", declaration.modifier.value);
  }
  const allowed = argumentValue(env, file.model.decoratorOf(declaration, "allowed"), 0);
  if (allowed !== undefined) {
    node.set("allowedValues", allowed);
  }
  addModifiers(env, declaration, node);
  return node;
}

function emitVariable(env: Env, { declaration }: VariableSymbol, name: string): EmittedVariable {
  const { value } = declaration;
  return value.kind === "ForExpression"
    ? { kind: "loop", loop: emitLoop(env, value, { name }) }
    : { kind: "value", value: emitValue(env, value) };
}

function emitOutput(env: Env, { declaration }: OutputSymbol): Members {
  const { file } = env;
  const node = declaredTypeNode(file, declaration, declaration.type);
  addModifiers(env, declaration, node);
  const { value } = declaration;
  const target = declaration.type.kind === "ResourceType" ? targetOf(file, value) : undefined;
  if (value.kind === "ForExpression") {
    node.set("copy", emitLoop(env, value, {}));
  } else if (target !== undefined) {
    node.set("value", valueOfExpression(idOf(env, target), file.session.budget));
  } else {
    node.set("value", emitValue(env, value));
  }
  note(env, node, value.kind === "ForExpression" ? "copy" : "value", value);
  return node;
}
