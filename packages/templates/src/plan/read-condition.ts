import type { Value } from "../values/value.ts";
import { PlanProblem } from "./plan-problem.ts";

/** A condition is true or false, which may also be written as a text. */
export function readCondition(value: Value, path: string): boolean {
  const text = typeof value === "string" ? value.toLowerCase() : undefined;
  if (typeof value === "boolean") {
    return value;
  }
  if (text === "true" || text === "false") {
    return text === "true";
  }
  throw new PlanProblem("InvalidCondition", "A condition must be true or false.", path);
}
