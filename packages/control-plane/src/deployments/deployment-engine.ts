import { ApiError, type Logger, ResourceId } from "@rad/core";
import { AcceptedPlans, DeploymentExecutor, type DeploymentHost, pruneHistory } from "@rad/deployments";
import { type OperationWaiter, OperationWorker, type OperationWorkerOptions } from "@rad/operations";
import type { PlanLimits } from "@rad/templates";
import type { ServerConfig } from "../config/index.ts";
import type { RefusalLog } from "../audit/refusal-log.ts";
import type { Authorizer } from "../identity/index.ts";
import { type ChangeDeps, deploymentPolicy } from "@rad/resources";
import { AuditedExecutor } from "./audited-executor.ts";
import { HistoryPruner } from "./history-pruner.ts";
import { InProcessTarget } from "./in-process-target.ts";

export interface DeploymentEngineOptions {
  readonly config: ServerConfig;
  readonly resources: ChangeDeps;
  /** Those of modules; our own types have theirs. */
  readonly targets: DeploymentHost["targets"];
  readonly waiter: OperationWaiter;
  readonly authorizer: Authorizer;
  readonly refusals: RefusalLog;
  readonly log: Logger;
}

/** What the workers of a process have in common. */
export type WorkerDefaults = Omit<OperationWorkerOptions, "executor" | "queues" | "slots" | "maxAttempts">;

/**
 * The deployment engine as a part of this server. Deployments have a worker of their own, so that those which wait for
 * their resources leave the other worker's slots to these.
 */
export class DeploymentEngine implements AsyncDisposable {
  readonly host: DeploymentHost;
  readonly #config: ServerConfig["deployments"];
  readonly #pruner: HistoryPruner;
  #worker: OperationWorker | undefined;

  constructor({ config, resources, targets, waiter, authorizer, refusals, log }: DeploymentEngineOptions) {
    const { store, clock, location } = resources;
    this.#config = config.deployments;
    this.#pruner = new HistoryPruner((scope) => pruneHistory(this.host, scope), { clock, log });
    this.host = {
      store,
      clock,
      targets: {
        ...targets,
        radius: new InProcessTarget({
          resources,
          waiter,
          refused: (record) => refusals.add(record),
          limits: config.server.limits,
        }),
      },
      acceptedPlans: new AcceptedPlans(),
      limits: planLimits(config.deployments.limits),
      surroundings: { resourceGroup: { location } },
      concurrency: config.deployments.concurrency,
      historyLength: config.deployments.historyPerGroup,
      linkHosts: config.deployments.linkHosts,
      authorize: (caller, permission, id) => {
        if (!authorizer.allows(caller, permission, id)) {
          throw new ApiError("Forbidden", `'${caller.subject}' needs ${permission} at '${id}'.`, { target: id });
        }
      },
    };
  }

  /** Starts to work on deployments. */
  start(defaults: WorkerDefaults): void {
    this.#worker = new OperationWorker({
      ...defaults,
      executor: new AuditedExecutor(new DeploymentExecutor(this.host), this.host.clock),
      queues: [{ name: deploymentPolicy.queue }],
      slots: this.#config.maxConcurrentDeployments,
      // A deployment that was cancelled waits for what it has started, until its deadline.
      cancelGraceMs: Infinity,
      // The executor counts them: one that gets further with each attempt goes on.
      maxAttempts: Number.MAX_SAFE_INTEGER,
      onFinished: (operation, result, durationMs) => {
        defaults.onFinished?.(operation, result, durationMs);
        if (result === "Succeeded" || result === "Failed" || result === "Canceled") {
          this.#pruner.ended(ResourceId.parse(operation.resourceId).rootScope);
        }
      },
    });
  }

  /** Hands back what runs; the next start goes on with it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.drain();
    await this.#pruner[Symbol.asyncDispose]();
  }
}

function planLimits(limits: ServerConfig["deployments"]["limits"]): Partial<PlanLimits> {
  return {
    resources: limits.maxResources,
    copies: limits.maxCopies,
    parameters: limits.maxParameters,
    variables: limits.maxVariables,
    outputs: limits.maxOutputs,
    nesting: limits.maxNesting,
    templateLength: limits.maxTemplateCharacters,
    resourceLength: limits.maxResourceCharacters,
    steps: limits.maxSteps,
    expressionLength: limits.maxExpressionCharacters,
    expressionDepth: limits.maxExpressionDepth,
  };
}
