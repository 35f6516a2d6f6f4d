import { withoutPause } from "../pausing.ts";
import type { Value } from "../values/value.ts";
import { evaluateCompiled, evaluateRounds, type CompiledEnvironment } from "./evaluate-compiled.ts";
import { circle } from "./parameter-values.ts";
import { Pending, PlanProblem } from "./plan-problem.ts";
import type { CompiledVariable, Program } from "./program.ts";

export interface VariableDeps {
  readonly program: Program;
  readonly environment: () => CompiledEnvironment;
}

/** Variables, each evaluated when first asked for: one that fails but is never used does no harm. */
export class VariableValues {
  readonly #deps: VariableDeps;
  readonly #values = new Map<string, Value>();
  readonly #failures = new Map<string, unknown>();
  readonly #chain: string[] = [];

  constructor(deps: VariableDeps) {
    this.#deps = deps;
  }

  /** `undefined` when there is no such variable. */
  get(name: string): Value | undefined {
    const key = name.toLowerCase();
    const known = this.#values.get(key);
    if (known !== undefined) {
      return known;
    }
    const variable = this.#deps.program.variables.get(key);
    if (variable === undefined) {
      return undefined;
    }
    const failure = this.#failures.get(key);
    if (failure !== undefined) {
      throw failure;
    }
    if (this.#chain.includes(key)) {
      throw new PlanProblem("Cycle", `The variables ${circle(this.#chain, variable.name)} need one another.`);
    }
    return this.#evaluate(key, variable);
  }

  #evaluate(key: string, variable: CompiledVariable): Value {
    const environment = this.#deps.environment();
    this.#chain.push(key);
    try {
      const value = environment.loops.outside(() => evaluateVariable(variable, environment));
      this.#values.set(key, value);
      return value;
    } catch (error) {
      if (!(error instanceof Pending)) {
        this.#failures.set(key, error);
      }
      throw error;
    } finally {
      this.#chain.pop();
    }
  }
}

function evaluateVariable({ name, path, count, value }: CompiledVariable, environment: CompiledEnvironment): Value {
  return count === undefined
    ? evaluateCompiled(value, environment)
    : withoutPause(evaluateRounds({ name, path, count, input: value }, false, environment));
}
