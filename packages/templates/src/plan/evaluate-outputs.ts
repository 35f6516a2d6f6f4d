import type { Pausing } from "../pausing.ts";
import type { Value } from "../values/value.ts";
import type { Compiled } from "./compiled.ts";
import { evaluateCompiled, evaluateRounds } from "./evaluate-compiled.ts";
import { EvaluationSession } from "./evaluation-session.ts";
import { SharedRoom } from "./measured-json.ts";
import { defineMember } from "./define-member.ts";
import { typeOfValue } from "./parameter-values.ts";
import type { Evaluation, EvaluationOptions, Outputs, OutputValue, Plan, PlanResults } from "./plan.ts";
import { PreparedPlan, runtimeEnvironment, type PreparedParts } from "./prepared-plan.ts";
import type { CompiledOutput } from "./program.ts";
import { readCondition } from "./read-condition.ts";
import { checkType } from "./type-check.ts";
import { apiTypeName } from "./type-node.ts";

/** The outputs of a deployment whose nodes are all done. May ask for calls, as `evaluateNode` does. */
export function* evaluateOutputs(
  plan: Plan,
  results: PlanResults,
  options: EvaluationOptions = {},
): Pausing<Evaluation<Outputs>> {
  const parts = PreparedPlan.partsOf(plan);
  const environment = runtimeEnvironment(parts, results, undefined);
  const session = new EvaluationSession(environment, options, "DeploymentOutputEvaluationFailed");
  return yield* session.finish("$.outputs", plan.secrets, function* () {
    const outputs: Record<string, OutputValue> = {};
    const room = new SharedRoom(parts.limits.templateLength, environment.budget);
    for (const output of parts.program.outputs) {
      const value = yield* session.attempt(output.path, () => evaluateOutput(output, session, parts, room));
      if (value !== undefined) {
        defineMember(outputs, output.name, value);
      }
    }
    return outputs;
  });
}

function* evaluateOutput(
  output: CompiledOutput,
  session: EvaluationSession,
  { definitions, loops }: PreparedParts,
  room: SharedRoom,
): Pausing<OutputValue | undefined> {
  if (output.condition !== undefined && !holds(output, output.condition, session)) {
    return undefined;
  }
  const before = session.unknownCount;
  const problems = session.log.failures;
  const value = yield* loops.allSlices([], () => evaluateValue(output, session));
  const declared = definitions.typeOf(definitions.resolve(output.node));
  const type = apiTypeName(declared ?? typeOfValue(value));
  const isKnown = session.unknownCount === before && session.log.failures === problems && !session.isWaiting;
  const secure = isKnown ? check(value, output, session, definitions) : definitions.isSecure(output.node);
  if (value === null) {
    return { type, secure };
  }
  return { type, secure, value: yield* room.toJson(value, output.path) };
}

function evaluateValue({ name, path, value, count }: CompiledOutput, session: EvaluationSession): Pausing<Value> {
  return count === undefined
    ? session.evaluate(value)
    : evaluateRounds({ name, path: `${path}.copy`, count, input: value }, true, session.environment);
}

/** Without an answer there is nothing to go on with, so every failure rises. */
function holds({ path }: CompiledOutput, condition: Compiled, { environment }: EvaluationSession): boolean {
  const { scope, budget, loops, maxCopies } = environment;
  return readCondition(evaluateCompiled(condition, { scope, budget, loops, maxCopies }), `${path}.condition`);
}

/** Says whether any part of the value is secure. */
function check(
  value: Value,
  output: CompiledOutput,
  session: EvaluationSession,
  definitions: PreparedParts["definitions"],
): boolean {
  const secrets: string[] = [];
  const wrong: { readonly path: string; readonly message: string }[] = [];
  const secure = checkType(value, output.node, output.path, {
    definitions,
    budget: session.environment.budget,
    secrets,
    report: (path, message) => wrong.push({ path, message }),
  });
  session.log.hide(secrets);
  for (const { path, message } of wrong) {
    session.log.add("InvalidOutput", path, `The output "${output.name}" is not valid: ${message}.`);
  }
  return secure;
}
