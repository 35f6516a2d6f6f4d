import { randomUUID } from "node:crypto";
import { ApiError, type ErrorDetail, type ErrorInfo, inSlices } from "@rad/core";
import { Budget, type Plan, type PlanError, type PlanFailure, planTemplate, sliced } from "@rad/templates";
import type { DeploymentHost } from "./deployment-host.ts";
import type { DeploymentInput, InputOrigin } from "./deployment-input.ts";

/** What planning takes from outside of its input. The same values give the same plan again. */
export interface FixedValues {
  readonly now: Date;
  /** What `newGuid()` gave, in the order in which it was asked. */
  readonly guids: readonly string[];
}

/** As JSON, for the document of the deployment. */
export interface StoredFixedValues {
  readonly now: string;
  readonly guids: readonly string[];
}

export function toStored({ now, guids }: FixedValues): StoredFixedValues {
  return { now: now.toISOString(), guids };
}

export function fromStored({ now, guids }: StoredFixedValues): FixedValues {
  return { now: new Date(now), guids };
}

export interface PreparedPlan {
  readonly plan: Plan;
  readonly fixed: FixedValues;
}

export const outermost: InputOrigin = { templatePath: "$" };

export interface PlanningOptions {
  /** Of the request, or of the run: all deployments of a tree spend from one. */
  readonly budget: Budget;
  readonly fixed?: FixedValues;
}

/** For one request, or one attempt to run a deployment. */
export function newBudget({ limits }: DeploymentHost): Budget {
  return new Budget(limits.steps);
}

/** @throws ApiError `InvalidTemplate` that tells everything that is wrong with the template or its parameters. */
export async function preparePlan(
  host: DeploymentHost,
  input: DeploymentInput,
  options: PlanningOptions & { readonly origin?: InputOrigin },
): Promise<PreparedPlan> {
  const { origin = outermost } = options;
  const { plan, ...prepared } = await tryPlan(host, input, options);
  if (plan.kind === "failed") {
    throw invalidTemplate(plan, origin);
  }
  return { plan, ...prepared };
}

/** The same for callers that look ahead and can do without a plan. */
export async function tryPlan(
  host: DeploymentHost,
  input: DeploymentInput,
  { budget, fixed }: PlanningOptions,
): Promise<{ readonly plan: Plan | PlanFailure; readonly fixed: FixedValues }> {
  const now = fixed?.now ?? host.clock.now();
  const guids: string[] = [];
  const planning = planTemplate({
    template: input.template,
    parameters: input.parameters,
    deployment: {
      name: input.name,
      mode: "Incremental",
      ...(input.location === undefined ? {} : { location: input.location }),
    },
    scopes: input.scopes,
    now,
    newGuid: () => {
      const guid = fixed?.guids[guids.length] ?? randomUUID();
      guids.push(guid);
      return guid;
    },
    ...(input.extensionConfigs === undefined ? {} : { extensionConfigs: input.extensionConfigs }),
    ...(input.extensionSecrets === undefined ? {} : { extensionSecrets: input.extensionSecrets }),
    ...(input.externalInputs === undefined ? {} : { externalInputs: input.externalInputs }),
    surroundings: host.surroundings,
    limits: host.limits,
    budget,
  });
  return { plan: await inSlices(sliced(planning)), fixed: { now, guids } };
}

export function invalidTemplate(failure: PlanFailure, origin: InputOrigin): ApiError {
  const [first, ...others] = failure.errors;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const said = first?.message ?? "the template is not valid.";
  return new ApiError("InvalidTemplate", `Deployment template validation failed: ${said}${more}`, {
    details: failure.errors.map((error) => planErrorDetail(error, origin)),
    additionalInfo: first === undefined ? [] : [violationOf(first, origin)],
  });
}

export function planErrorDetail(error: PlanError, origin: InputOrigin): ErrorDetail {
  const info = violationOf(error, origin);
  return { code: error.code, message: error.message, target: pathWithin(error.path, origin), additionalInfo: [info] };
}

/** Tells clients where in the outermost template something is wrong, so that they can point at a line of Bicep. */
export function templateViolation(path: string, position?: number): ErrorInfo {
  return { type: "TemplateViolation", info: { path, ...(position === undefined ? {} : { position }) } };
}

/** A path as planning gives it, seen from the outermost template. */
export function pathWithin(path: string, { templatePath }: InputOrigin): string {
  if (path.startsWith("$")) {
    return `${templatePath}${path.slice(1)}`;
  }
  // `parameters.x`: beside the template in what was sent.
  const sent = templatePath.endsWith(".template") ? templatePath.slice(0, -".template".length) : undefined;
  return sent === undefined ? path : `${sent}.${path}`;
}

function violationOf({ path, position }: PlanError, origin: InputOrigin): ErrorInfo {
  return templateViolation(pathWithin(path, origin), position);
}
