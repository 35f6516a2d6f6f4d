import type { Budget } from "../budget.ts";
import { deepEqual, nextDepth } from "../values/equality.ts";
import { getMember, ObjectBuilder } from "../values/members.ts";
import { isObject, type ObjectValue, type Value } from "../values/value.ts";

/** The later value wins, except that two objects under one name are united in turn. Arrays are replaced. */
export function uniteObjects(left: ObjectValue, right: ObjectValue, budget: Budget, depth = 0): ObjectValue {
  budget.spendObjects(1);
  budget.spendMembers(left);
  budget.spendMembers(right);
  budget.spend(left.size + right.size);
  const result = new ObjectBuilder(left);
  for (const [name, value] of right) {
    const earlier = result.get(name) ?? null;
    const both = isObject(earlier) && isObject(value);
    result.set(name, both ? uniteObjects(earlier, value, budget, nextDepth(depth)) : value);
  }
  return result.build();
}

/** The members that both have with equal values; two objects under one name are intersected in turn. */
export function intersectObjects(left: ObjectValue, right: ObjectValue, budget: Budget, depth = 0): ObjectValue {
  budget.spendObjects(1);
  budget.spendMembers(left);
  budget.spendMembers(right);
  const result = new Map<string, Value>();
  for (const [name, value] of left) {
    const other = getMember(right, name);
    if (other === undefined) {
      continue;
    }
    if (isObject(value) && isObject(other)) {
      result.set(name, intersectObjects(value, other, budget, nextDepth(depth)));
    } else if (deepEqual(value, other, budget)) {
      result.set(name, value);
    }
  }
  return result;
}
