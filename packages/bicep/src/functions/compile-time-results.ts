import {
  anyType,
  silentError,
  stringLiteral,
  stringType,
  TypeFlags,
  typeOfValue,
  valueOfLiteral,
  withFlags,
} from "../types/index.ts";
import type { Call, CallResult, FileRequest, ResultBuilder, Type } from "../types/index.ts";
import { callProblems } from "./diagnostics.ts";
import { plain } from "./results.ts";

/** `json` of a known text has the type of that text's value. */
export function parsedJson(call: Call): CallResult {
  const [text] = call.argumentTypes;
  if (text?.kind !== "stringLiteral") {
    return plain(anyType);
  }
  const result = call.host.fold.call("json", [text.value]);
  return "error" in result
    ? { type: silentError, problems: [callProblems.notJson(0)] }
    : plain(withFlags(typeOfValue(result.value), text.flags & TypeFlags.Secure));
}

/** The name that the argument has in the source. */
export function nameOfArgument(call: Call): CallResult {
  const [argument] = call.argumentNodes;
  const name = argument === undefined ? undefined : call.host.nameOf(argument);
  return name === undefined ? { type: silentError, problems: [callProblems.noName(0)] } : plain(stringLiteral(name));
}

/** The place of the optional arguments of a file function. */
interface FileArguments {
  readonly selector?: number;
  readonly encoding?: number;
}

/** Loads a file and has the type of what was found there. */
export function loadedFile(kind: FileRequest["kind"], general: Type, places: FileArguments): ResultBuilder {
  return (call) => {
    const notConstant = call.argumentTypes.findIndex((type) => type.kind !== "stringLiteral");
    if (notConstant >= 0) {
      return { type: silentError, problems: [callProblems.notConstant(notConstant)] };
    }
    const path = textAt(call, 0);
    if (path === undefined || call.host.files === undefined) {
      return plain(general);
    }
    const result = call.host.files.load({
      kind,
      path,
      selector: textAt(call, places.selector),
      encoding: textAt(call, places.encoding),
    });
    if ("value" in result) {
      return { type: typeOfValue(result.value), problems: result.problem === undefined ? [] : [result.problem] };
    }
    return { type: silentError, problems: [result.problem] };
  };
}

/** A variable of the environment at compile time, else the default. */
export function environmentVariable(call: Call): CallResult {
  const name = textAt(call, 0);
  if (name === undefined) {
    return plain(stringType);
  }
  const value = call.host.environmentVariable(name);
  if (value !== undefined) {
    return plain(stringLiteral(value));
  }
  const fallback = call.argumentTypes[1];
  return fallback === undefined
    ? { type: silentError, problems: [callProblems.noEnvironmentVariable(0, name)] }
    : plain(fallback);
}

function textAt(call: Call, index: number | undefined): string | undefined {
  const type = index === undefined ? undefined : call.argumentTypes[index];
  const value = type === undefined ? undefined : valueOfLiteral(type);
  return typeof value === "string" ? value : undefined;
}
