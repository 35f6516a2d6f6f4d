import { isJsonObject } from "@rad/core";
import type { Budget, Plan, PlanError, PlanFailure } from "@rad/templates";
import type { DeploymentHost } from "../deployment-host.ts";
import type { DeploymentInput } from "../deployment-input.ts";
import { type FixedValues, type PlanningOptions, tryPlan } from "../prepare-plan.ts";
import { TemplateDraft, type StandIn } from "./template-draft.ts";

/** What of a plan is not as certain as the rest. By JSON path in the template, which nodes have as `path`. */
export interface OpenQuestions {
  /** Nodes that exist only if a condition turns out to be true. */
  readonly assumed: ReadonlySet<string>;
  /** Nodes with made-up names in the place of resources of which not even the id is known. */
  readonly standIns: ReadonlyMap<string, StandIn>;
}

/** For plans of which everything is known. */
export const nothingOpen = { open: { assumed: new Set(), standIns: new Map() } as OpenQuestions, isVague: false };

export type PlanAhead =
  | { readonly kind: "plan"; readonly plan: Plan; readonly fixed: FixedValues; readonly open: OpenQuestions }
  /** Nothing of it can be told. */
  | { readonly kind: "unknown" }
  | PlanFailure;

/** Every round of planning lets go of what failed in the one before. A template that needs more is not worth it. */
const maxRounds = 20;

export interface PlanAheadOptions {
  readonly now: Date;
  readonly budget: Budget;
  /** Otherwise the values of secure parameters count as not known. */
  readonly withSecrets: boolean;
}

/**
 * Plans a deployment some parameters of which may not be known: whatever does not depend on them is planned. What
 * would fail with any values is a failure.
 */
export async function planAhead(
  host: DeploymentHost,
  input: DeploymentInput,
  { now, budget, withSecrets }: PlanAheadOptions,
): Promise<PlanAhead> {
  const planned = await planKnown(host, input, now, budget);
  if (withSecrets || planned.kind !== "plan") {
    return planned;
  }
  const secure = Object.entries(planned.plan.parameters).filter(([, parameter]) => parameter.secure);
  if (secure.length === 0) {
    return planned;
  }
  const secrets = new Set(secure.map(([name]) => name.toLowerCase()));
  const others = Object.entries(input.parameters).filter(([name]) => !secrets.has(name.toLowerCase()));
  const hidden = secure.map(([name]) => [name, { unknown: true }] as const);
  return await planKnown(host, { ...input, parameters: Object.fromEntries([...others, ...hidden]) }, now, budget);
}

async function planKnown(host: DeploymentHost, input: DeploymentInput, now: Date, budget: Budget): Promise<PlanAhead> {
  const first = await tryPlan(host, input, { budget, fixed: { now, guids: [] } });
  if (first.plan.kind === "plan") {
    return { kind: "plan", plan: first.plan, fixed: first.fixed, open: nothingOpen.open };
  }
  const proven = provenErrors(first.plan);
  if (proven.length > 0) {
    return { kind: "failed", errors: proven };
  }
  // A made-up name must not show up elsewhere as if it were one.
  if (!isJsonObject(input.template) || /resourceInfo\s*\(/i.test(JSON.stringify(input.template))) {
    return { kind: "unknown" };
  }
  return await planDraft(host, input, { budget, fixed: first.fixed }, first.plan.errors);
}

/** Where it is not known how often a loop runs, nobody can say either that one of its rounds is not there. */
function provenErrors({ errors }: PlanFailure): PlanError[] {
  const isKnown = !errors.some(({ reason }) => reason === "NotKnownYet");
  return errors.filter(({ reason }) => isKnown || (reason !== "NotKnownYet" && reason !== "UnknownDependency"));
}

async function planDraft(
  host: DeploymentHost,
  input: DeploymentInput,
  options: PlanningOptions,
  firstErrors: readonly PlanError[],
): Promise<PlanAhead> {
  const draft = new TemplateDraft(isJsonObject(input.template) ? input.template : {});
  let errors = firstErrors;
  for (let round = 0; round < maxRounds && draft.giveWay(errors); round += 1) {
    const planned = await tryPlan(host, { ...input, template: draft.toJson() }, options);
    if (planned.plan.kind === "plan") {
      const open = { assumed: draft.assumed, standIns: draft.standIns };
      return { kind: "plan", plan: planned.plan, fixed: planned.fixed, open };
    }
    errors = planned.plan.errors;
  }
  return { kind: "unknown" };
}
