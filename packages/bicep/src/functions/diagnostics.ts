import { printType } from "../types/index.ts";
import type { CallProblem, Type } from "../types/index.ts";

/** What calls of built-in functions and decorators can be told. Places are arguments; the checker knows the spans. */
export const callProblems = {
  notConstant: (argument: number) => error("BCP032", argument, "This must be a compile-time constant."),
  emptyAllowedList: (argument: number) => error("BCP099", argument, "The list of allowed values has no items."),
  batchTooSmall: (argument: number, value: bigint) =>
    error("BCP154", argument, `A batch has at least 1 item, not ${value}.`),
  negativeLength: (argument: number) => error("BCP168", argument, "A length cannot be negative."),
  notJson: (argument: number) => error("BCP186", argument, "This text is not valid JSON."),
  foldFailed: (name: string, reason: string) =>
    problem("BCP234", "warning", "all", `The function "${name}" will fail with these arguments: ${reason}`),
  cannotFlatten: (argument: number, type: Type) =>
    error("BCP309", argument, `Items of type "${printType(type)}" cannot be flattened, because not all are arrays.`),
  noName: (argument: number) => error("BCP408", argument, 'The function "nameof" needs an expression that has a name.'),
  noEnvironmentVariable: (argument: number, name: string) =>
    error("BCP427", argument, `The environment variable "${name}" is not set and there is no default.`),
};

function error(code: string, argument: number, message: string): CallProblem {
  return problem(code, "error", argument, message);
}

function problem(
  code: string,
  level: CallProblem["level"],
  argument: CallProblem["argument"],
  message: string,
): CallProblem {
  return { code, level, message, argument };
}
