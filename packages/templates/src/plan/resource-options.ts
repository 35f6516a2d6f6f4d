import { parseDuration } from "../dates/duration.ts";
import { isArray, isObject, type Value } from "../values/value.ts";
import type { ResourceOptions } from "./plan.ts";
import { PlanProblem } from "./plan-problem.ts";

export interface ReadOptions {
  /** All but how long to wait, which an expression may say. */
  readonly options: ResourceOptions;
  readonly waitUntil: { readonly lambda: Value; readonly timeout: Value } | undefined;
}

const known = new Set(["retryon", "onlyifnotexists", "nullifnotfound", "waituntil"]);

/** Reads `@options`. Each option is a list of arguments, as the compiler's decorators have them. */
export function readOptions(value: Value, path: string): ReadOptions {
  if (value === null) {
    return { options: {}, waitUntil: undefined };
  }
  if (!isObject(value)) {
    throw new PlanProblem("InvalidShape", "@options must be an object.", path);
  }
  const given = new Map<string, { readonly path: string; readonly args: readonly Value[] }>();
  for (const [name, args] of value) {
    const at = `${path}.${name}`;
    if (!known.has(name.toLowerCase())) {
      throw new PlanProblem("InvalidShape", `There is no option "${name}".`, at);
    }
    if (!isArray(args)) {
      throw new PlanProblem("InvalidShape", `The option ${name} takes an array of arguments.`, at);
    }
    given.set(name.toLowerCase(), { path: at, args });
  }
  const retryOn = given.get("retryon");
  const waitUntil = given.get("waituntil");
  return {
    options: {
      ...(retryOn === undefined ? {} : { retryOn: readRetry(retryOn.args, retryOn.path) }),
      ...(given.has("onlyifnotexists") ? { onlyIfNotExists: true as const } : {}),
      ...(given.has("nullifnotfound") ? { nullIfNotFound: true as const } : {}),
    },
    waitUntil: waitUntil === undefined ? undefined : readWait(waitUntil.args, waitUntil.path),
  };
}

function readRetry([codes, count = 1n]: readonly Value[], path: string): NonNullable<ResourceOptions["retryOn"]> {
  const texts = codes !== undefined && isArray(codes) ? codes.filter((code) => typeof code === "string") : [];
  const areTexts = codes !== undefined && isArray(codes) && texts.length === codes.length && texts.length > 0;
  if (!areTexts || typeof count !== "bigint" || count < 0n) {
    const message = "The option retryOn takes an array of error codes and a number of retries.";
    throw new PlanProblem("InvalidShape", message, path);
  }
  return { codes: texts, count: Number(count) };
}

function readWait([lambda, timeout]: readonly Value[], path: string): NonNullable<ReadOptions["waitUntil"]> {
  if (lambda === undefined || timeout === undefined) {
    throw new PlanProblem("InvalidShape", "The option waitUntil takes a lambda and a duration.", path);
  }
  return { lambda, timeout };
}

/** How long to wait for a resource to be ready, as the template says it. */
export function readTimeout(value: Value, path: string): string {
  const ticks = typeof value === "string" && value.startsWith("P") ? parseDuration(value) : undefined;
  if (typeof value !== "string" || ticks === undefined) {
    const message = "The second argument of waitUntil must be a duration such as PT5M.";
    throw new PlanProblem("InvalidShape", message, path);
  }
  return value;
}
