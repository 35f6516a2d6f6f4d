import type { Budget } from "../budget.ts";
import { deepEqual } from "../values/equality.ts";
import { getMember } from "../values/members.ts";
import { printJson } from "../format/json-printer.ts";
import { isOpaque } from "../values/opaque-value.ts";
import { isArray, isObject, kindOf, type ObjectValue, type Value } from "../values/value.ts";
import { PlanProblem } from "./plan-problem.ts";
import type { TypeDefinitions, TypeName } from "./type-node.ts";

export interface TypeChecker {
  readonly definitions: TypeDefinitions;
  readonly budget: Budget;
  readonly report: (path: string, message: string) => void;
  /** Is told the texts that stand where the type says secure. */
  readonly secrets: string[];
  /** The value may rest on a secret, whatever its type says, and no message may repeat it. */
  readonly isSecret?: boolean;
  /** Runs the lambda of a `validate`; without it such a rule is not looked at. */
  readonly holds?: (lambda: Value, value: Value, path: string) => boolean;
}

/** Reports every place where the value is not what the type says. Says whether any part of it is secure. */
export function checkType(value: Value, node: ObjectValue, path: string, checker: TypeChecker): boolean {
  return check(value, node, path, checker, false);
}

/** Every text in a value. */
function collectTexts(value: Value, checker: TypeChecker): void {
  checker.budget.spend(1);
  if (typeof value === "string") {
    checker.secrets.push(value);
  } else if (isArray(value) || isObject(value)) {
    value.forEach((part: Value) => collectTexts(part, checker));
  }
}

function check(value: Value, node: ObjectValue, path: string, checker: TypeChecker, withinSecure: boolean): boolean {
  checker.budget.spend(4);
  if (isOpaque(value)) {
    return true;
  }
  checker.budget.enter();
  try {
    const type = checker.definitions.resolve(node);
    const name = checker.definitions.typeOf(type);
    const secure = withinSecure || name === "securestring" || name === "secureobject";
    if (value === null && getMember(type, "nullable") === true) {
      return secure;
    }
    if (secure && !withinSecure) {
      collectTexts(value, checker);
    }
    if (name !== undefined && !hasKind(value, name)) {
      checker.report(path, `expected ${expectedKind(name)}, got ${kindOf(value)}`);
      return secure;
    }
    checkConstraints(value, type, path, checker, secure);
    const below = isArray(value)
      ? checkItems(value, type, path, checker, secure)
      : isObject(value)
        ? checkMembers(value, type, path, checker, secure)
        : false;
    checkRule(value, type, path, checker);
    return secure || below;
  } finally {
    checker.budget.leave();
  }
}

function hasKind(value: Value, name: TypeName): boolean {
  switch (name) {
    case "string":
    case "securestring":
      return typeof value === "string";
    case "int":
      return typeof value === "bigint";
    case "bool":
      return typeof value === "boolean";
    case "array":
      return isArray(value);
    case "object":
    case "secureobject":
      return isObject(value);
    default:
      return name satisfies never;
  }
}

function expectedKind(name: TypeName): string {
  return name.replace("secure", "");
}

function checkConstraints(value: Value, type: ObjectValue, path: string, checker: TypeChecker, secure: boolean): void {
  const untold = secure || checker.isSecret === true;
  const allowed = getMember(type, "allowedValues");
  if (allowed !== undefined && isArray(allowed) && !isAllowed(value, allowed, checker.budget)) {
    const given = untold ? "" : `, not ${shortText(value)}`;
    checker.report(path, `must be one of ${shortText(allowed)}${given}`);
  }
  if (typeof value === "string" || isArray(value)) {
    const what = typeof value === "string" ? "length" : "number of items";
    checkRange(BigInt(value.length), type, ["minLength", "maxLength"], (bound) =>
      checker.report(path, `the ${what} must be ${bound}, not ${value.length}`),
    );
  }
  if (typeof value === "bigint") {
    checkRange(value, type, ["minValue", "maxValue"], (bound) =>
      checker.report(path, `must be ${bound}${untold ? "" : `, not ${value}`}`),
    );
  }
}

function checkRange(
  value: bigint,
  type: ObjectValue,
  [least, most]: readonly [string, string],
  report: (bound: string) => void,
): void {
  const min = getMember(type, least);
  if (typeof min === "bigint" && value < min) {
    report(`at least ${min}`);
  }
  const max = getMember(type, most);
  if (typeof max === "bigint" && value > max) {
    report(`at most ${max}`);
  }
}

/** An array may also be a choice of the allowed values, where these are no arrays themselves. */
function isAllowed(value: Value, allowed: readonly Value[], budget: Budget): boolean {
  const among = (candidate: Value): boolean => allowed.some((choice) => deepEqual(candidate, choice, budget));
  if (among(value)) {
    return true;
  }
  return isArray(value) && !allowed.some((choice) => isArray(choice)) && value.every(among);
}

function checkItems(
  items: readonly Value[],
  type: ObjectValue,
  path: string,
  checker: TypeChecker,
  secure: boolean,
): boolean {
  const prefix = getMember(type, "prefixItems");
  const prefixNodes = prefix !== undefined && isArray(prefix) ? prefix : [];
  const rest = getMember(type, "items");
  if (items.length < prefixNodes.length) {
    checker.report(path, `expected at least ${prefixNodes.length} items, got ${items.length}`);
  }
  if (rest === false && items.length > prefixNodes.length) {
    checker.report(path, `expected at most ${prefixNodes.length} items, got ${items.length}`);
  }
  let anySecure = false;
  items.forEach((item, index) => {
    const node = prefixNodes[index] ?? rest;
    if (node !== undefined && isObject(node)) {
      anySecure = check(item, node, `${path}[${index}]`, checker, secure) || anySecure;
    }
  });
  return anySecure;
}

function checkMembers(
  object: ObjectValue,
  declared: ObjectValue,
  path: string,
  checker: TypeChecker,
  secure: boolean,
): boolean {
  const type = selectVariant(object, declared, checker.definitions, (message) => checker.report(path, message));
  if (type === undefined) {
    return false;
  }
  const properties = getMember(type, "properties");
  const nodes = properties !== undefined && isObject(properties) ? properties : new Map<string, Value>();
  const known = new Set<string>();
  let anySecure = false;
  for (const [name, node] of nodes) {
    known.add(name.toLowerCase());
    if (!isObject(node)) {
      throw new PlanProblem("InvalidShape", `The type of the property "${name}" must be an object.`);
    }
    const member = getMember(object, name);
    if (member !== undefined) {
      anySecure = check(member, node, `${path}.${name}`, checker, secure) || anySecure;
    } else if (!checker.definitions.isNullable(node)) {
      checker.report(path, `the property "${name}" is missing`);
    }
  }
  return checkOthers(object, type, known, path, checker, secure) || anySecure;
}

function checkOthers(
  object: ObjectValue,
  type: ObjectValue,
  known: ReadonlySet<string>,
  path: string,
  checker: TypeChecker,
  secure: boolean,
): boolean {
  const others = getMember(type, "additionalProperties");
  if (others === undefined || others === true) {
    return false;
  }
  let anySecure = false;
  for (const [name, member] of object) {
    if (!known.has(name.toLowerCase())) {
      if (others === false) {
        checker.report(path, `there is no property "${name}"`);
      } else if (isObject(others)) {
        anySecure = check(member, others, `${path}.${name}`, checker, secure) || anySecure;
      }
    }
  }
  return anySecure;
}

/** With a discriminator, the value of one property decides about the type of all of them. */
export function selectVariant(
  object: ObjectValue,
  type: ObjectValue,
  definitions: TypeDefinitions,
  report?: (message: string) => void,
): ObjectValue | undefined {
  const discriminator = getMember(type, "discriminator");
  if (discriminator === undefined || !isObject(discriminator)) {
    return type;
  }
  const property = getMember(discriminator, "propertyName");
  const mapping = getMember(discriminator, "mapping");
  if (typeof property !== "string" || mapping === undefined || !isObject(mapping)) {
    throw new PlanProblem("InvalidShape", "A discriminator needs a propertyName and a mapping.");
  }
  const chosen = getMember(object, property);
  const node = typeof chosen === "string" ? getMember(mapping, chosen) : undefined;
  if (node === undefined || !isObject(node)) {
    const choices = [...mapping.keys()].map((name) => `"${name}"`).join(", ");
    report?.(`the property "${property}" must be one of ${choices}`);
    return undefined;
  }
  const variant = definitions.resolve(node);
  const properties = new Map(asObject(getMember(type, "properties")));
  for (const [name, member] of asObject(getMember(variant, "properties"))) {
    properties.set(name, member);
  }
  if (!properties.has(property)) {
    properties.set(property, new Map([["type", "string"]]));
  }
  return new Map([...type, ...variant, ["properties", properties]]);
}

/** `validate: [lambda, message?]`. */
function checkRule(value: Value, type: ObjectValue, path: string, checker: TypeChecker): void {
  const rule = getMember(type, "validate");
  if (rule === undefined || !isArray(rule) || checker.holds === undefined) {
    return;
  }
  const [lambda, message] = rule;
  if (lambda !== undefined && !checker.holds(lambda, value, path)) {
    checker.report(path, typeof message === "string" ? message : "does not pass the validation of its type");
  }
}

function asObject(value: Value | undefined): ObjectValue {
  return value !== undefined && isObject(value) ? value : new Map<string, Value>();
}

const maxShown = 200;

function shortText(value: Value): string {
  const text = printJson(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
