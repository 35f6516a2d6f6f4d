import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import { evaluateCases, type EvaluationAnswer, type EvaluationCase, type Value } from "@rad/templates";
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
    const cases = readCases(await readJson(context, options.file), options.file);
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
async function readValues(context: CommandContext, args: readonly string[]): Promise<JsonObject> {
  const values = new Map<string, JsonValue>();
  for (const arg of args) {
    for (const [name, value] of await readArgument(context, arg)) {
      values.set(name, value);
    }
  }
  return Object.fromEntries(values);
}

async function readArgument(context: CommandContext, arg: string): Promise<(readonly [string, JsonValue])[]> {
  const equals = arg.indexOf("=");
  const text = arg.trimStart();
  if (!text.startsWith("{") && !text.startsWith("@") && equals > 0) {
    const value = arg.slice(equals + 1);
    return [[arg.slice(0, equals), parseJson(value) ?? value]];
  }
  const json = text.startsWith("@") ? await readJson(context, text.slice(1)) : parseJson(text);
  if (!isJsonObject(json)) {
    throw new CliError("InvalidUsage", "values must be an object as JSON, @file.json, or name=value");
  }
  // A parameters file wraps each value.
  const wrapped = json["parameters"];
  return "contentVersion" in json && isJsonObject(wrapped)
    ? Object.entries(wrapped).map(([name, entry]) => [name, (isJsonObject(entry) ? entry["value"] : entry) ?? null])
    : Object.entries(json);
}

async function readJson(context: CommandContext, file: string): Promise<JsonValue> {
  const json = parseJson((await readInput(context.host, file)).replace(/^\uFEFF/u, ""));
  if (json === undefined) {
    throw new CliError("InvalidFile", `${file} is not JSON.`);
  }
  return json;
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function readCases(json: JsonValue, file: string): EvaluationCase[] {
  if (!Array.isArray(json)) {
    throw new CliError("InvalidFile", `${file} must hold an array of {id, expression, parameters?, variables?}.`);
  }
  return json.map((item, index) => readCase(item, `${file}[${index}]`));
}

function readCase(item: JsonValue, place: string): EvaluationCase {
  const { id, expression, functions, ...rest } = isJsonObject(item) ? item : {};
  if (typeof id !== "string" || typeof expression !== "string") {
    throw new CliError("InvalidFile", `${place} needs an "id" and an "expression", both of them strings.`);
  }
  const section = (name: string): JsonObject => {
    const value = rest[name] ?? {};
    if (!isJsonObject(value)) {
      throw new CliError("InvalidFile", `${place}.${name} must be an object.`);
    }
    return value;
  };
  return {
    id,
    expression,
    parameters: section("parameters"),
    variables: section("variables"),
    context: section("context"),
    ...(functions === undefined ? {} : { functions }),
  };
}
