import { literalText } from "../syntax/index.ts";
import type {
  ArrayExpression,
  BinaryOperation,
  BinaryOperator,
  Expression,
  ForExpression,
  IfCondition,
  Lambda,
  ObjectExpression,
  ObjectProperty,
  Skipped,
  StringExpression,
  UnaryOperation,
  VariableAccess,
} from "../syntax/index.ts";
import type { BicepSymbol, VariableSymbol } from "../semantics/index.ts";
import { convertAccess } from "./access.ts";
import { call, index, integer, text } from "./arm-expression.ts";
import type { ArmExpression } from "./arm-expression.ts";
import { convertCall } from "./calls.ts";
import type { Env } from "./env.ts";
import type { FileContext } from "./file-context.ts";
import { wholeReference } from "./references.ts";
import { targetOf } from "./targets.ts";

const copyIndex = call("copyIndex");
const noTurns: ReadonlyMap<ForExpression, ArmExpression> = new Map();

/** Expressions of the source language as expressions of the template language. */
export class Place implements Env {
  readonly file: FileContext;
  readonly #turns: ReadonlyMap<ForExpression, ArmExpression>;

  constructor(file: FileContext, turns: ReadonlyMap<ForExpression, ArmExpression> = noTurns) {
    this.file = file;
    this.#turns = turns;
  }

  turnOf(loop: ForExpression): ArmExpression {
    return this.#turns.get(loop) ?? copyIndex;
  }

  withTurn(loop: ForExpression, at: ArmExpression): Env {
    return new Place(this.file, new Map(this.#turns).set(loop, at));
  }

  convert(node: Expression | IfCondition): ArmExpression {
    switch (node.kind) {
      case "StringExpression":
        return this.#string(node);
      case "IntegerLiteral":
        return integer(node.value);
      case "BooleanLiteral":
        return call(node.value ? "true" : "false");
      case "NullLiteral":
        return call("null");
      case "ObjectExpression":
        return this.#object(node);
      case "ArrayExpression":
        return this.#array(node);
      case "VariableAccess":
        return this.#variable(node);
      case "ResourceAccess": {
        const target = targetOf(this.file, node);
        return target === undefined ? call("null") : wholeReference(this, target);
      }
      case "PropertyAccess":
        return this.#namespaceMember(node.target, node.name.name) ?? convertAccess(this, node);
      case "ArrayAccess":
        return convertAccess(this, node);
      case "FunctionCall":
      case "InstanceFunctionCall":
        return convertCall(this, node);
      case "UnaryOperation":
        return this.#unary(node);
      case "BinaryOperation":
        return this.#binary(node);
      case "TernaryOperation":
        return call("if", this.convert(node.condition), this.convert(node.whenTrue), this.convert(node.whenFalse));
      case "ParenthesizedExpression":
        return this.convert(node.expression);
      case "NonNullAssertion":
        return this.convert(node.target);
      case "Lambda":
        return this.#lambda(node);
      default:
        node satisfies ForExpression | IfCondition | Skipped;
        return call("null"); // loops are values and conditions belong to them; skipped text is an error elsewhere
    }
  }

  #string(node: StringExpression): ArmExpression {
    const whole = literalText(node);
    if (whole !== undefined) {
      return text(whole);
    }
    const args: ArmExpression[] = [];
    let format = "";
    for (const segment of node.segments) {
      format += escapeBraces(segment);
      const expression = node.expressions[args.length];
      if (expression !== undefined) {
        format += `{${args.length}}`;
        args.push(this.convert(expression));
      }
    }
    return call("format", text(format), ...args);
  }

  #object(node: ObjectExpression): ArmExpression {
    const parts: ArmExpression[] = [];
    let members: ArmExpression[] = [];
    const finish = () => {
      if (members.length > 0) {
        parts.push(call("createObject", ...members));
        members = [];
      }
    };
    let spreads = false;
    for (const element of node.elements) {
      if (element.kind === "ObjectProperty") {
        members.push(this.#key(element), this.convert(element.value));
      } else if (element.kind === "Spread") {
        spreads = true;
        finish();
        parts.push(this.convert(element.expression));
      }
    }
    if (!spreads) {
      return call("createObject", ...members);
    }
    finish();
    return call("shallowMerge", call("createArray", ...parts));
  }

  #key({ key }: ObjectProperty): ArmExpression {
    switch (key.kind) {
      case "Identifier":
        return text(key.name);
      case "StringExpression":
        return this.#string(key);
      default:
        return text("");
    }
  }

  #array(node: ArrayExpression): ArmExpression {
    const parts: ArmExpression[] = [];
    let items: ArmExpression[] = [];
    const finish = () => {
      if (items.length > 0) {
        parts.push(call("createArray", ...items));
        items = [];
      }
    };
    let spreads = false;
    for (const element of node.elements) {
      if (element.kind === "ArrayItem") {
        items.push(this.convert(element.value));
      } else if (element.kind === "Spread") {
        spreads = true;
        finish();
        parts.push(this.convert(element.expression));
      }
    }
    if (!spreads) {
      return call("createArray", ...items);
    }
    finish();
    return call("flatten", call("createArray", ...parts));
  }

  #variable(node: VariableAccess): ArmExpression {
    const symbol = this.file.model.symbolOf(node);
    switch (symbol?.kind) {
      case "parameter":
      case "parameterAssignment":
        return call("parameters", text(symbol.name));
      case "variable":
        return this.file.inlining.isInlined(symbol)
          ? this.#inlined(symbol)
          : call("variables", text(this.file.names.ofSymbol(symbol)));
      case "imported": {
        const target = this.file.model.importOf(symbol);
        return target === undefined ? call("null") : call("variables", text(this.file.names.ofTarget(target)));
      }
      case "resource":
      case "module":
        return wholeReference(this, { symbol, index: undefined });
      case "local":
        return this.#local(symbol);
      case "extension":
        return call("extensions", text(symbol.name));
      default:
        return call("null"); // types, namespaces and outputs are no values
    }
  }

  #inlined(symbol: VariableSymbol): ArmExpression {
    const { inlinedExpressions } = this.file;
    let expression = inlinedExpressions.get(symbol);
    if (expression === undefined) {
      expression = new Place(this.file).convert(symbol.declaration.value);
      inlinedExpressions.set(symbol, expression);
    }
    return expression;
  }

  #local(symbol: Extract<BicepSymbol, { kind: "local" }>): ArmExpression {
    if (symbol.owner.kind !== "ForExpression") {
      return call(symbol.role === "lambda" ? "lambdaVariables" : "parameters", text(symbol.name));
    }
    const turn = this.turnOf(symbol.owner);
    return symbol.role === "index" ? turn : index(this.convert(symbol.owner.source), turn);
  }

  /** A member of what `import *` or `base` names. */
  #namespaceMember(target: Expression, name: string): ArmExpression | undefined {
    if (target.kind !== "VariableAccess") {
      return undefined;
    }
    const symbol = this.file.model.symbolOf(target);
    if (symbol?.kind === "baseParameters") {
      return call("parameters", text(`${symbol.name}.${name}`));
    }
    const source = symbol?.kind === "wildcard" ? this.file.model.wildcardOf(symbol) : undefined;
    const exported = source?.exports.get(name);
    return source === undefined || exported === undefined
      ? undefined
      : call("variables", text(this.file.names.ofTarget({ source, exported })));
  }

  #unary(node: UnaryOperation): ArmExpression {
    if (node.operator === "!") {
      return call("not", this.convert(node.operand));
    }
    return node.operand.kind === "IntegerLiteral"
      ? integer(-node.operand.value)
      : call("sub", integer(0n), this.convert(node.operand));
  }

  #binary(node: BinaryOperation): ArmExpression {
    const left = this.convert(node.left);
    const right = this.convert(node.right);
    switch (node.operator) {
      case "!=":
        return call("not", call("equals", left, right));
      case "=~":
        return equalsIgnoringCase(left, right);
      case "!~":
        return call("not", equalsIgnoringCase(left, right));
      default:
        return call(operatorFunctions[node.operator], left, right);
    }
  }

  #lambda(node: Lambda): ArmExpression {
    const { parameters } = node;
    const variables = parameters.kind === "LocalVariable" ? [parameters] : parameters.variables;
    return call("lambda", ...variables.map((variable) => text(variable.name.name)), this.convert(node.body));
  }
}

const operatorFunctions: Readonly<Record<Exclude<BinaryOperator, "!=" | "=~" | "!~">, string>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "%": "mod",
  "<": "less",
  "<=": "lessOrEquals",
  ">": "greater",
  ">=": "greaterOrEquals",
  "==": "equals",
  "&&": "and",
  "||": "or",
  "??": "coalesce",
};

function equalsIgnoringCase(left: ArmExpression, right: ArmExpression): ArmExpression {
  return call("equals", call("toLower", left), call("toLower", right));
}

function escapeBraces(text: string): string {
  return text.includes("{") || text.includes("}") ? text.replaceAll("{", "{{").replaceAll("}", "}}") : text;
}
