import type { Budget } from "../budget.ts";
import type { EvaluationScope } from "../expressions/evaluate.ts";
import { functionLayer, type FunctionLookup } from "../functions/pure-functions.ts";
import type { CompiledEnvironment } from "./evaluate-compiled.ts";
import type { LoopStack } from "./loop-stack.ts";
import type {
  EvaluationOptions,
  Plan,
  PlanLimits,
  PlanNode,
  PlannedOutput,
  PlannedParameter,
  PlanResults,
} from "./plan.ts";
import type { Program } from "./program.ts";
import type { ResourceIndex } from "./resource-index.ts";
import type { ResourceInstance } from "./resource-instance.ts";
import { type RuntimeContext, runtimeFunctions } from "./runtime-functions.ts";
import type { Taint } from "./taint.ts";
import type { TypeDefinitions } from "./type-node.ts";

export interface PreparedParts {
  readonly program: Program;
  readonly limits: PlanLimits;
  /** What is left for evaluating with results at hand. */
  readonly budget: Budget;
  readonly loops: LoopStack;
  readonly definitions: TypeDefinitions;
  /** Names, and the functions that work without any resource. */
  readonly scope: EvaluationScope;
  readonly index: ResourceIndex;
  readonly instances: ReadonlyMap<string, ResourceInstance>;
  readonly nodes: ReadonlyMap<string, PlanNode>;
  readonly parameters: Readonly<Record<string, PlannedParameter>>;
  readonly secrets: readonly string[];
  readonly outputs: readonly PlannedOutput[];
  readonly taint: Taint;
}

/** A plan with what is needed to go on with it. */
export class PreparedPlan implements Plan {
  readonly kind = "plan";
  readonly nodes: Plan["nodes"];
  readonly parameters: Plan["parameters"];
  readonly secrets: Plan["secrets"];
  readonly outputs: Plan["outputs"];
  readonly #parts: PreparedParts;

  constructor(parts: PreparedParts) {
    this.nodes = parts.nodes;
    this.parameters = parts.parameters;
    this.secrets = parts.secrets;
    this.outputs = parts.outputs;
    this.#parts = parts;
  }

  /** The way in for the functions that take a plan; only `planTemplate` makes plans. */
  static partsOf(plan: Plan): PreparedParts {
    if (!(plan instanceof PreparedPlan)) {
      throw new TypeError("The plan was not made by planTemplate.");
    }
    return plan.#parts;
  }
}

/** For evaluating with results at hand. */
export function runtimeEnvironment(
  parts: PreparedParts,
  results: PlanResults,
  self: ResourceInstance | undefined,
): CompiledEnvironment {
  const { scope, limits, loops, budget } = parts;
  const functions = runtimeLayer(parts, scope, { results, self });
  return { scope: { ...scope, functions }, budget: budget.share(), loops, maxCopies: limits.copies };
}

/** The same without knowing any secret. */
export function opaqueEnvironment(
  parts: PreparedParts,
  results: PlanResults,
  self: ResourceInstance | undefined,
  { preview }: EvaluationOptions,
): CompiledEnvironment {
  const { scope } = parts.taint;
  const functions = runtimeLayer(parts, scope, { results, self, areActionsOpaque: true });
  return parts.taint.environment({ ...scope, functions }, preview === true);
}

function runtimeLayer(
  { index, program, limits }: PreparedParts,
  scope: EvaluationScope,
  context: Pick<RuntimeContext, "results" | "self" | "areActionsOpaque">,
): FunctionLookup {
  const { listFunctions } = program;
  const whole = { ...context, index, listFunctions, maxLength: limits.resourceLength };
  return functionLayer(() => runtimeFunctions(whole), scope.functions);
}
