import { randomUUID } from "node:crypto";
import type { JsonObject } from "@rad/core";
import {
  evaluateCases,
  isArray,
  isObject,
  parseJson,
  TemplateError,
  toJson,
  type EvaluationAnswer,
  type EvaluationCase,
  type ObjectValue,
  type Value,
} from "@rad/templates";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { readInput } from "../read-input.ts";
import { prettyJson } from "./pretty-json.ts";

export interface EvaluateOptions {
  readonly parameters?: readonly string[];
  readonly variables?: readonly string[];
  readonly file?: string;
}

/** Prints the value as JSON; for a file, an array with the value or the error of each of its expressions. */
export async function evaluateFromCommandLine(
  context: CommandContext,
  expression: string | undefined,
  options: EvaluateOptions,
): Promise<void> {
  if ((expression === undefined) === (options.file === undefined)) {
    throw new CliError("InvalidUsage", "give an expression or --file, one of them");
  }
  const host = { now: new Date(), newGuid: randomUUID };
  if (options.file !== undefined) {
    const cases = readCases(await readJson(context, options.file), nameOf(options.file));
    const answers = evaluateCases(cases, host).map(toValue);
    context.output.write(`${prettyJson(answers)}\n`);
    return;
  }
  const question = {
    id: "expression",
    expression: inBrackets(expression ?? ""),
    parameters: await readValues(context, options.parameters ?? []),
    variables: await readValues(context, options.variables ?? []),
  };
  for (const answer of evaluateCases([question], host)) {
    if ("error" in answer) {
      throw new CliError(answer.error.code, answer.error.message);
    }
    context.output.write(`${prettyJson(answer.value)}\n`);
  }
}

function toValue(answer: EvaluationAnswer): Value {
  const { id } = answer;
  const [name, said] = "error" in answer ? ["error", new Map(Object.entries(answer.error))] : ["value", answer.value];
  return new Map<string, Value>([
    ["id", id],
    [name, said],
  ]);
}

/** A shell is easier without them, and plain text would be its own value. */
function inBrackets(expression: string): string {
  return expression.startsWith("[") && expression.endsWith("]") ? expression : `[${expression}]`;
}

/** Later values override earlier ones. */
async function readValues(context: CommandContext, args: readonly string[]): Promise<ObjectValue> {
  const values = new Map<string, Value>();
  for (const arg of args) {
    for (const [name, value] of await readArgument(context, arg)) {
      values.set(name, value);
    }
  }
  return values;
}

async function readArgument(context: CommandContext, arg: string): Promise<ObjectValue> {
  const equals = arg.indexOf("=");
  const text = arg.trimStart();
  if (!text.startsWith("{") && !text.startsWith("@") && equals > 0) {
    const [name, value] = [arg.slice(0, equals), arg.slice(equals + 1)];
    const json = explained("InvalidUsage", name, () => readStrictly(value));
    return new Map([[name, json === undefined ? value : json]]);
  }
  const json = text.startsWith("@")
    ? await readJson(context, text.slice(1))
    : explained("InvalidUsage", "values", () => readStrictly(text));
  if (json === undefined || !isObject(json)) {
    throw new CliError("InvalidUsage", "values must be an object as JSON, @file.json, or name=value");
  }
  // A parameters file wraps each value.
  const wrapped = json.get("parameters") ?? null;
  return json.has("contentVersion") && isObject(wrapped)
    ? new Map([...wrapped].map(([name, entry]) => [name, isObject(entry) ? (entry.get("value") ?? null) : entry]))
    : json;
}

async function readJson(context: CommandContext, file: string): Promise<Value> {
  const text = (await readInput(context.host, file)).replace(/^\uFEFF/u, "");
  const json = explained("InvalidFile", nameOf(file), () => readStrictly(text));
  if (json === undefined) {
    throw new CliError("InvalidFile", `${nameOf(file)} is not JSON.`);
  }
  return json;
}

function nameOf(file: string): string {
  return file === "-" ? "<stdin>" : file;
}

/**
 * Keeps every digit and the order of members, but does not take for JSON what only the template language does.
 * @throws TemplateError for JSON that the template language cannot hold, such as an integer of more than 64 bits.
 */
function readStrictly(text: string): Value | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  return parseJson(text);
}

function readCases(json: Value, file: string): EvaluationCase[] {
  if (!isArray(json)) {
    throw new CliError("InvalidFile", `${file} must hold an array of {id, expression, parameters?, variables?}.`);
  }
  return json.map((item, index) => readCase(item, `${file}[${index}]`));
}

function readCase(item: Value, place: string): EvaluationCase {
  const members: ObjectValue = isObject(item) ? item : new Map();
  const [id, expression, functions] = ["id", "expression", "functions"].map((name) => members.get(name));
  if (typeof id !== "string" || typeof expression !== "string") {
    throw new CliError("InvalidFile", `${place} needs an "id" and an "expression", both of them strings.`);
  }
  const section = (name: string): ObjectValue => {
    const value = members.get(name) ?? new Map<string, Value>();
    if (!isObject(value)) {
      throw new CliError("InvalidFile", `${place}.${name} must be an object.`);
    }
    return value;
  };
  return {
    id,
    expression,
    parameters: section("parameters"),
    variables: section("variables"),
    context: contextOf(section("context"), place),
    ...(functions === undefined ? {} : { functions }),
  };
}

function contextOf(value: ObjectValue, place: string): JsonObject {
  return explained("InvalidFile", `${place}.context`, () => toJson(value) as JsonObject);
}

function explained<T>(code: "InvalidFile" | "InvalidUsage", place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof TemplateError ? new CliError(code, `${place}: ${error.message}`) : error;
  }
}
