import { type Clock, type Logger, type Redactor, ResourceId } from "@rad/core";
import type { Module, ModuleFactory, Route, WorkerSpec } from "@rad/modules";
import { deploymentsOfHandlers } from "@rad/deployments";
import { OperationWaiter, OperationWorker } from "@rad/operations";
import {
  defaultQueue,
  deploymentPolicy,
  ResourceExecutor,
  type ServedType,
  TypeModules,
  TypeRegistry,
} from "@rad/resources";
import type { Store } from "@rad/store";
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { OperationEvents } from "./api/operation-events/operation-events.ts";
import { ResourceService } from "./api/resource-service.ts";
import { RefusalLog } from "./audit/refusal-log.ts";
import { systemTypes } from "./system-types.ts";
import type { ServerConfig } from "./config/index.ts";
import type { DatabaseState } from "./database-state.ts";
import { DeploymentApi } from "./deployments/deployment-api.ts";
import { DeploymentEngine, type WorkerDefaults } from "./deployments/deployment-engine.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { ApiRouter } from "./http/api-router.ts";
import type { Backend } from "./http/http-server.ts";
import { PreferredWaits } from "./http/preferred-wait.ts";
import type { OperationCounts } from "./memory-release.ts";
import { RouteCache } from "./http/route-cache.ts";
import { createAuthorizer } from "./identity/index.ts";
import { basePathsOf } from "./http/request-url.ts";
import { initialize } from "./initialization.ts";
import { mergePlanes, mergeRoutes, mergeTargets } from "./merge-modules.ts";
import { ModuleError, type StartedModule, startModules } from "./start-modules.ts";
import type { ServerInstruments, Telemetry } from "./telemetry/index.ts";

export interface ComposeOptions {
  readonly config: ServerConfig;
  readonly modules: readonly ModuleFactory[];
  /** URLs that the server itself serves. */
  readonly serverRoutes: readonly Route[];
  /** Where the server listens. */
  readonly apiUrl?: string | undefined;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly telemetry: Telemetry;
  readonly instruments: ServerInstruments;
  readonly database: DatabaseState;
  /** Called when documents of an earlier version have to be changed, which may take long. */
  readonly onUpgrade: () => void;
  /** Aborts when the server is about to stop. */
  readonly closing: AbortSignal;
}

/** Everything that stands on the store. */
export interface Composition extends Backend, AsyncDisposable {
  readonly types: TypeModules;
  /** The fixed part of the API, by lower-cased name. */
  readonly systemTypes: ReadonlyMap<string, ServedType>;
  /** What the workers of this process do. */
  readonly operations: OperationCounts;
}

const pollMs = 2_000;

/**
 * Puts the control plane together from its modules: all of it, or nothing stays open.
 * @throws ModuleError, and whatever the store says.
 */
export async function compose(options: ComposeOptions): Promise<Composition> {
  const { config, store, clock, log, redactor, telemetry } = options;
  const location = config.environment.roleLocation;
  await using parts = new AsyncDisposableStack();
  const waiter = parts.use(new OperationWaiter({ store }));
  const { tracing, metrics } = telemetry;
  const given = { apiUrl: options.apiUrl, store, clock, log, redactor, tracing, metrics, operations: waiter };
  const modules = await startModules(options.modules, given, parts, config.operations.drainSeconds * 1_000);
  const all = modules.map(({ module }) => module);
  const types = new TypeModules(
    all.flatMap((module) => module.types ?? []),
    all.flatMap((module) => module.policies ?? []),
  );

  const planes = mergePlanes(modules);
  const routes = mergeRoutes(modules, options.serverRoutes, basePathsOf(config.server.pathBase));

  const { onUpgrade } = options;
  await initialize({ store, config, clock, log, planes, types, typesDigest: digestOf(all), onUpgrade });
  const system = systemTypes(planes, types, location);
  const registered = all.find((module) => module.registeredTypes !== undefined)?.registeredTypes ?? {};
  const registry = parts.use(
    new TypeRegistry({
      store,
      system,
      modules: types,
      location,
      registered,
    }),
  );
  const refusals = parts.use(
    new RefusalLog({ audit: store.audit, log, onLost: (count) => options.instruments.recordLostRefusals(count) }),
  );
  const authorizer = createAuthorizer(config.authorization);
  const resources = { store, clock, log, location, types: registry, permissions: authorizer };
  const targets = mergeTargets(modules);
  const maxStreams = config.server.limits.maxEventStreams;
  const deployments = new DeploymentEngine({ config, resources, targets, waiter, authorizer, refusals, log });
  const router = new ApiRouter({
    store,
    resources: new ResourceService(resources),
    deployments: new DeploymentApi({ host: deployments.host, location, redactor }),
    authorizer,
    types,
    planes,
    waits: new PreferredWaits({ store, waiter, closing: options.closing }),
    events: parts.use(new OperationEvents({ store, waiter, log, maxStreams, closing: options.closing })),
  });

  const executor = new ResourceExecutor({
    ...resources,
    deployments: deploymentsOfHandlers(deployments.host),
    handlerFor: (type) =>
      system.get(type.toLowerCase())?.handler ??
      types.get(type)?.handler ??
      (types.get(type) === undefined ? registered : {}),
  });
  const workers = [serverWorker(config), ...all.flatMap((module) => module.workers ?? [])];
  requireWorkers(types, workers, modules);
  const operations = { begun: 0, underWay: 0 };
  const defaults = workerDefaults(options, operations);
  for (const spec of workers) {
    const worker = new OperationWorker({ ...defaults, executor, ...spec });
    parts.defer(() => worker.drain());
  }
  parts.use(deployments); // hands its operations back before the work that they wait for
  deployments.start(defaults);
  observeQueues(options, [...workers.flatMap(({ queues }) => queues.map(({ name }) => name)), deploymentPolicy.queue]);
  parts.use(startHousekeeping({ store, config, modules, log }));

  const stack = parts.move();
  return {
    store,
    types,
    systemTypes: system,
    planes,
    planeRoutes: new RouteCache(planes),
    routes,
    router,
    refusals,
    operations,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Absent unless all modules that describe types can tell them without building their schemas. */
function digestOf(modules: readonly Module[]): string | undefined {
  const describing = modules.filter(({ types = [] }) => types.some(({ versions }) => versions !== undefined));
  return describing.every(({ typesDigest }) => typesDigest !== undefined)
    ? describing.map(({ typesDigest }) => typesDigest).join(" ")
    : undefined;
}

/** Works on resources of all types that name no queue of their own. */
function serverWorker({ workerServer }: ServerConfig): WorkerSpec {
  return {
    queues: [{ name: defaultQueue }],
    slots: workerServer.maxOperationConcurrency,
    maxAttempts: workerServer.maxOperationRetryCount + 1,
  };
}

/** @throws ModuleError when a type's operations would wait for ever. */
function requireWorkers(types: TypeModules, workers: readonly WorkerSpec[], modules: readonly StartedModule[]): void {
  const worked = new Set(workers.flatMap(({ queues }) => queues.map(({ name }) => name)));
  for (const { name, policy } of types) {
    if (
      policy !== undefined &&
      policy.mode === "async" &&
      !worked.has(policy.queue) &&
      policy.queue !== deploymentPolicy.queue
    ) {
      const owner = modules.find(({ module }) => module.types?.some((type) => type.name === name))?.name ?? "";
      throw new ModuleError(owner, new Error(`'${name}' names the queue '${policy.queue}', which no worker serves.`));
    }
  }
}

/** What the workers of this process have in common. */
function workerDefaults(options: ComposeOptions, operations: { begun: number; underWay: number }): WorkerDefaults {
  const { config, store, clock, log, redactor, telemetry, instruments, database } = options;
  return {
    store,
    clock,
    log,
    redactor,
    owner: `${hostname()}/${process.pid}/${randomUUID()}`,
    leaseMs: config.operations.leaseSeconds * 1_000,
    maxDeaths: config.operations.maxProcessDeaths,
    graceMs: config.operations.drainSeconds * 1_000,
    pollMs,
    onStoreAway: (error) => database.away(error),
    onStoreBack: () => database.back(),
    around: async (operation, work) => {
      operations.begun += 1;
      operations.underWay += 1;
      try {
        return await telemetry.tracing.withSpan(
          {
            name: `operation ${operation.kind}`,
            kind: "consumer",
            attributes: { "radius.operation": operation.id, "radius.resource": operation.resourceId },
            traceparent: operation.traceparent,
          },
          work,
        );
      } finally {
        operations.underWay -= 1;
      }
    },
    onFinished: (operation, outcome, durationMs) => {
      const { type } = ResourceId.parse(operation.resourceId);
      instruments.recordOperation({ type, kind: operation.kind, outcome, durationMs });
      if (outcome === "leaseLost") {
        instruments.recordLostLease(operation.queue);
      }
    },
  };
}

/** Queues with nothing in them count as well: a gauge that is absent looks like a server that is. */
function observeQueues({ store, instruments }: ComposeOptions, queues: readonly string[]): void {
  const empty = { waiting: 0, running: 0, parked: 0 };
  instruments.observeOperationDepth(async () => {
    const depths = new Map(queues.map((queue) => [queue, { queue, ...empty }]));
    for (const depth of await store.operations.depths()) {
      depths.set(depth.queue, depth);
    }
    return [...depths.values()].flatMap(({ queue, waiting, running, parked }) => [
      { queue, state: "waiting", count: waiting },
      { queue, state: "running", count: running },
      { queue, state: "parked", count: parked },
    ]);
  });
  instruments.observeDeployments(async () => {
    const depths = await store.operations.depths();
    const { waiting, running, parked } = depths.find(({ queue }) => queue === deploymentPolicy.queue) ?? empty;
    // A deployment that waits for its resources is parked and goes on all the same.
    return [
      { state: "waiting", count: waiting },
      { state: "running", count: running + parked },
    ];
  });
}
