import { define, type FunctionCall, type FunctionDefinition } from "../functions/function-call.ts";
import type { Value } from "../values/value.ts";
import { evaluateCompiled, type CompiledEnvironment } from "./evaluate-compiled.ts";
import { circle } from "./parameter-values.ts";
import { PlanProblem } from "./plan-problem.ts";
import type { CompiledFunction, Program } from "./program.ts";
import { checkType } from "./type-check.ts";
import type { TypeDefinitions } from "./type-node.ts";

/** What a call takes besides its body: a scope of its own, and a check of the arguments and of the result. */
const callSteps = 8;
const stepsPerParameter = 2;

/** The functions that a template declares, called `namespace.name`. Their bodies see their own parameters only. */
export function userFunctions(
  program: Program,
  definitions: TypeDefinitions,
  environment: () => CompiledEnvironment,
): FunctionDefinition[] {
  /** Names of the functions that are being called, outermost first. */
  const running: string[] = [];
  return [...program.functions.values()].map((declared) =>
    define(declared.source.name, declared.source.parameters.length, (call) => {
      const { name, parameters } = declared.source;
      call.budget.spend(callSteps + stepsPerParameter * parameters.length);
      if (running.includes(name)) {
        throw new PlanProblem("Cycle", `The functions ${circle(running, name)} call one another.`);
      }
      running.push(name);
      try {
        return run(declared, call, definitions, environment());
      } finally {
        running.pop();
      }
    }),
  );
}

function run(
  { source, body }: CompiledFunction,
  call: FunctionCall,
  definitions: TypeDefinitions,
  environment: CompiledEnvironment,
): Value {
  const args = new Map<string, Value>();
  source.parameters.forEach(({ name, node }, index) => {
    const value = call.value(index);
    check(`the argument "${name}"`, value, node);
    args.set(name.toLowerCase(), value);
  });
  const scope = { ...environment.scope, parameter: (name: string) => args.get(name.toLowerCase()) };
  const result = environment.loops.outside(() =>
    evaluateCompiled(body, { ...environment, scope, budget: call.budget }),
  );
  check("the result", result, source.output);
  return result;

  function check(what: string, value: Value, node: Parameters<typeof checkType>[1]): void {
    checkType(value, node, "", {
      definitions,
      budget: call.budget,
      secrets: [],
      report: (path, message) => {
        const at = path === "" ? "" : ` at ${path.replace(/^\./, "")}`;
        throw call.invalid(`${what}${at} is not valid: ${message}`);
      },
    });
  }
}
