import { getMember } from "../values/members.ts";
import { isArray, isObject, type Value } from "../values/value.ts";
import type { ResourceOptions } from "./plan.ts";
import { PlanProblem } from "./plan-problem.ts";

export interface ReadOptions {
  readonly options: ResourceOptions;
  /** The lambda of `waitUntil`, as text. */
  readonly waitUntil: string | undefined;
}

/** Reads `@options`. Each option is a list of arguments, as the compiler's decorators have them. */
export function readOptions(value: Value | undefined): ReadOptions {
  if (value === undefined) {
    return { options: {}, waitUntil: undefined };
  }
  if (!isObject(value)) {
    throw new PlanProblem("InvalidShape", "@options must be an object.");
  }
  const known = new Set(["retryon", "onlyifnotexists", "nullifnotfound", "waituntil"]);
  const strange = [...value.keys()].find((name) => !known.has(name.toLowerCase()));
  if (strange !== undefined) {
    throw new PlanProblem("InvalidShape", `There is no option "${strange}".`);
  }
  const retryOn = argumentsOf(getMember(value, "retryOn"), "retryOn");
  const waitUntil = argumentsOf(getMember(value, "waitUntil"), "waitUntil");
  const [lambda, timeout] = waitUntil ?? [];
  if (waitUntil !== undefined && (typeof lambda !== "string" || typeof timeout !== "string")) {
    throw new PlanProblem("InvalidShape", "The option waitUntil takes a lambda and a duration.");
  }
  return {
    options: {
      ...(retryOn === undefined ? {} : { retryOn: readRetry(retryOn) }),
      ...(getMember(value, "onlyIfNotExists") === undefined ? {} : { onlyIfNotExists: true as const }),
      ...(getMember(value, "nullIfNotFound") === undefined ? {} : { nullIfNotFound: true as const }),
      ...(typeof timeout === "string" ? { waitUntil: { timeout } } : {}),
    },
    waitUntil: typeof lambda === "string" ? lambda : undefined,
  };
}

function readRetry([codes, count]: readonly Value[]): NonNullable<ResourceOptions["retryOn"]> {
  const texts = codes !== undefined && isArray(codes) ? codes.filter((code) => typeof code === "string") : [];
  if (texts.length === 0 || (count !== undefined && (typeof count !== "bigint" || count < 0n))) {
    throw new PlanProblem("InvalidShape", "The option retryOn takes an array of error codes and a number of retries.");
  }
  return { codes: texts, count: Number(count ?? 1n) };
}

function argumentsOf(value: Value | undefined, name: string): readonly Value[] | undefined {
  if (value === undefined || isArray(value)) {
    return value;
  }
  throw new PlanProblem("InvalidShape", `The option ${name} takes an array of arguments.`);
}
