import { defaultExpressionLimits } from "../expressions/expression-parser.ts";
import type { PlanLimits } from "./plan.ts";

/**
 * ARM's figures where it publishes one. Its quota of 800 resources and copies is a matter of that cloud, so ours are
 * 10,000; nesting and steps have no published figure and are set where no honest template comes near: 10,000 resources
 * with twenty expressions each took less than four million steps. See `Budget` for what a step is, and what one
 * expression may take of them. Every text of a secure parameter is looked for in all that is shown.
 */
export const defaultLimits: PlanLimits = {
  parameters: 256,
  variables: 512,
  outputs: 64,
  asserts: 32,
  resources: 10_000,
  copies: 10_000,
  templateLength: 4 << 20,
  resourceLength: 1 << 20,
  nesting: 50,
  steps: 10_000_000,
  secrets: 1_000,
  ...defaultExpressionLimits,
};
