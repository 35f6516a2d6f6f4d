import { maxValueDepth, type Budget } from "../budget.ts";
import { TemplateError } from "../template-error.ts";
import { isArray, isObject, type ObjectValue, type Value } from "./value.ts";

/** Deep equality: letter case counts, the order of members does not, values of different kinds are never equal. */
export function deepEqual(left: Value, right: Value, budget: Budget, depth = 0): boolean {
  if (typeof left === "string") {
    budget.spend(left.length >> 10);
  }
  if (left === right) {
    return true;
  }
  if (isArray(left)) {
    return isArray(right) && equalArrays(left, right, budget, nextDepth(depth));
  }
  // Asked of the right side first: a value that must not be looked at is not different from a text, but unknown.
  return isObject(right) && isObject(left) && equalObjects(left, right, budget, nextDepth(depth));
}

/** Text that two values share exactly when they are deeply equal, so that sets of values take linear time. */
export function identityText(value: Value, budget: Budget): string {
  budget.spend(1);
  const parts: string[] = [];
  writeIdentity(value, parts, budget, 0);
  return parts.join("");
}

export function nextDepth(depth: number): number {
  if (depth >= maxValueDepth) {
    throw new TemplateError("LimitExceeded", `A value nests more than ${maxValueDepth} levels deep.`);
  }
  return depth + 1;
}

function equalArrays(left: readonly Value[], right: readonly Value[], budget: Budget, depth: number): boolean {
  if (left.length !== right.length) {
    return false;
  }
  budget.spend(left.length);
  return left.every((item, index) => deepEqual(item, right[index] ?? null, budget, depth));
}

function equalObjects(left: ObjectValue, right: ObjectValue, budget: Budget, depth: number): boolean {
  if (left.size !== right.size) {
    return false;
  }
  budget.spendMembers(left);
  for (const [name, value] of left) {
    const other = right.get(name);
    if (other === undefined || !deepEqual(value, other, budget, depth)) {
      return false;
    }
  }
  return true;
}

function writeIdentity(value: Value, parts: string[], budget: Budget, depth: number): void {
  if (isArray(value)) {
    budget.spend(2 + value.length);
    parts.push("[");
    for (const item of value) {
      writeIdentity(item, parts, budget, nextDepth(depth));
      parts.push(",");
    }
    parts.push("]");
    return;
  }
  if (isObject(value)) {
    budget.spend(6 + 3 * value.size);
    budget.spendMembers(value);
    parts.push("{");
    for (const name of [...value.keys()].sort()) {
      parts.push(JSON.stringify(name), ":");
      writeIdentity(value.get(name) ?? null, parts, budget, nextDepth(depth));
      parts.push(",");
    }
    parts.push("}");
    return;
  }
  if (typeof value === "string") {
    budget.spendText(value.length);
    parts.push(JSON.stringify(value));
    return;
  }
  budget.spend(1);
  parts.push(typeof value === "bigint" ? `${value}` : typeof value === "number" ? `f${value}` : `${value}`);
}
