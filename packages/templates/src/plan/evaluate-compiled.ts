import type { Budget } from "../budget.ts";
import { evaluateExpression, type EvaluationScope } from "../expressions/evaluate.ts";
import { type Pausing, withoutPause } from "../pausing.ts";
import { TemplateError } from "../template-error.ts";
import { parseInteger } from "../values/integers.ts";
import { isOpaque } from "../values/opaque-value.ts";
import type { Value } from "../values/value.ts";
import type { Compiled, CompiledArray, CompiledExpression, CompiledLoop, CompiledObject } from "./compiled.ts";
import type { LoopStack } from "./loop-stack.ts";
import { requireWhole } from "./open-object.ts";
import { Pending, PlanProblem } from "./plan-problem.ts";

export interface CompiledEnvironment {
  readonly scope: EvaluationScope;
  readonly budget: Budget;
  readonly loops: LoopStack;
  readonly maxCopies: number;
  /** Leaves an expression out: null takes its place. */
  readonly skip?: (expression: CompiledExpression) => boolean;
  /** Gives the value to go on with when an expression fails; without it the failure rises. */
  readonly recover?: (error: unknown, expression: CompiledExpression) => Value;
}

/**
 * Evaluates what the compiler has prepared, and may pause before each of its expressions. A failure that rises names the
 * JSON path of its expression.
 */
export function* evaluatePausing(compiled: Compiled, environment: CompiledEnvironment): Pausing<Value> {
  const { budget } = environment;
  switch (compiled.kind) {
    case "literal":
      return compiled.value;
    case "expression":
      if (budget.isDue) {
        yield budget;
      }
      return evaluateText(compiled, environment);
    case "array":
      return yield* evaluateItems(compiled, environment);
    case "object":
      return yield* evaluateMembers(compiled, environment);
    default:
      return compiled satisfies never;
  }
}

/** The same as a part of something that does not pause. */
export function evaluateCompiled(compiled: Compiled, environment: CompiledEnvironment): Value {
  switch (compiled.kind) {
    case "literal":
      return compiled.value;
    case "expression":
      return evaluateText(compiled, environment);
    default:
      return withoutPause(evaluatePausing(compiled, environment));
  }
}

/** How often a loop runs. Without that there is nothing to go on with, so every failure rises. */
export function evaluateCount(count: Compiled, path: string, environment: CompiledEnvironment): number {
  const { scope, budget, loops, maxCopies } = environment;
  const value = evaluateCompiled(count, { scope, budget, loops, maxCopies });
  const rounds = typeof value === "string" ? parseInteger(value) : value;
  if (isOpaque(rounds)) {
    throw new TypeError("The count of a loop rests on a secret.");
  }
  if (typeof rounds !== "bigint" || rounds < 0n) {
    throw new PlanProblem("InvalidLoop", "The count of a loop must be an integer of 0 or more.", path);
  }
  if (rounds > maxCopies) {
    const message = `A loop runs at most ${maxCopies} times, not ${rounds}.`;
    throw new PlanProblem("LimitExceeded", message, path);
  }
  return Number(rounds);
}

/** All rounds of a loop over properties, variables or an output. */
export function* evaluateRounds(
  loop: { readonly name: string; readonly path: string; readonly count: Compiled; readonly input: Compiled },
  unnamed: boolean,
  environment: CompiledEnvironment,
): Pausing<Value[]> {
  const count = evaluateCount(loop.count, `${loop.path}.count`, environment);
  const { budget, loops } = environment;
  budget.spend(count);
  const name = loop.name.toLowerCase();
  const values: Value[] = [];
  for (let index = 0; index < count; index += 1) {
    const round = { loop: name, index, unnamed };
    values.push(yield* loops.withinSlices(round, () => evaluatePausing(loop.input, environment)));
  }
  return values;
}

function hasParts(compiled: Compiled): boolean {
  return compiled.kind === "array" || compiled.kind === "object";
}

function* evaluateItems({ items }: CompiledArray, environment: CompiledEnvironment): Pausing<Value> {
  const { budget } = environment;
  budget.enter();
  try {
    const result: Value[] = [];
    for (const item of items) {
      budget.spend(2);
      if (budget.isDue) {
        yield budget;
      }
      result.push(hasParts(item) ? yield* evaluatePausing(item, environment) : evaluateCompiled(item, environment));
    }
    return result;
  } finally {
    budget.leave();
  }
}

function* evaluateMembers({ members }: CompiledObject, environment: CompiledEnvironment): Pausing<Value> {
  const { budget } = environment;
  budget.spendObjects(1);
  budget.enter();
  try {
    const result = new Map<string, Value>();
    for (const member of members) {
      budget.spend(2);
      if (budget.isDue) {
        yield budget;
      }
      if (member.kind === "loop") {
        result.set(member.name, yield* evaluateLoop(member, environment));
        continue;
      }
      const name = typeof member.name === "string" ? member.name : evaluateName(member.name, environment);
      if (name !== undefined) {
        const { value } = member;
        result.set(
          name,
          hasParts(value) ? yield* evaluatePausing(value, environment) : evaluateCompiled(value, environment),
        );
      }
    }
    return result;
  } finally {
    budget.leave();
  }
}

/** Where it is not known how often the loop runs, that takes the place of its rounds. */
function* evaluateLoop(loop: CompiledLoop, environment: CompiledEnvironment): Pausing<Value> {
  try {
    return yield* evaluateRounds(loop, false, environment);
  } catch (error) {
    if (
      (error instanceof Pending || error instanceof TypeError) &&
      environment.recover !== undefined &&
      loop.count.kind === "expression"
    ) {
      return environment.recover(error, loop.count);
    }
    throw error;
  }
}

/** Nothing when the name is left out or has failed: then its member is left out too. */
function evaluateName(name: CompiledExpression, environment: CompiledEnvironment): string | undefined {
  const isName = (value: Value): Value => {
    if (typeof value !== "string") {
      throw new TemplateError("WrongArgumentKind", "The name of a member must be a string.");
    }
    return value;
  };
  const value = evaluateText(name, environment, isName);
  return typeof value === "string" ? value : undefined;
}

function evaluateText(
  compiled: CompiledExpression,
  environment: CompiledEnvironment,
  check: (value: Value) => Value = (value) => value,
): Value {
  if (environment.skip?.(compiled) === true) {
    return null;
  }
  try {
    const value = check(evaluateExpression(compiled.expression, environment.scope, environment.budget));
    if (compiled.runtime) {
      requireWhole(value);
    }
    return value;
  } catch (error) {
    if (environment.recover !== undefined && !(error instanceof TemplateError && error.isFinal)) {
      return environment.recover(error, compiled);
    }
    throw located(error, compiled.path);
  }
}

function located(error: unknown, path: string): unknown {
  if (error instanceof TemplateError) {
    return error.at({ path });
  }
  return error instanceof PlanProblem ? new PlanProblem(error.reason, error.message, error.path ?? path) : error;
}
