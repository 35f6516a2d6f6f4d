import { randomUUID } from "node:crypto";
import { ApiError, type JsonObject, Redactor, silentLogger, systemClock } from "@rad/core";
import type { Course, Sample, SampleSpec, TargetAbilities, TargetWorld } from "@rad/deployments/testing";
import { OperationWaiter, OperationWorker } from "@rad/operations";
import {
  applicationPolicy,
  type ChangeDeps,
  defaultQueue,
  ResourceExecutor,
  type ResourceHandler,
  type TypeModule,
  TypeModules,
  TypeRegistry,
} from "@rad/resources";
import type { Store } from "@rad/store";
import { loadServerConfig } from "../../config/index.ts";
import { initialize } from "../../initialization.ts";
import { builtInPlanes } from "../../planes/built-in-planes.ts";
import { PlaneTable } from "../../planes/plane-table.ts";
import { systemTypes } from "../../system-types.ts";
import { InProcessTarget } from "../in-process-target.ts";

const namespace = "Test.Contract";
const apiVersion = "2025-01-01";
const group = "/planes/radius/local/resourceGroups/contract";
const location = "global";

/** Records are stored in the transaction of the effect, so keys are not needed. */
export const ownTypesCan: TargetAbilities = { keepKeys: false, workLater: true, findByProperties: false };

const schema: JsonObject = {
  type: "object",
  properties: {
    size: { type: "integer" },
    color: { type: "string" },
    token: { type: "string", "x-radius-sensitive": true },
  },
};

/** Our own types: a synchronous one, and others with a worker behind them. They tell what becomes of a resource. */
export async function openInProcessWorld(store: Store): Promise<TargetWorld> {
  await using parts = new AsyncDisposableStack();
  parts.use(store);
  const actions: string[] = [];
  const types = new TypeModules([
    typeModule("quick", "sync", { actions: { poke: async ({ id }) => ({ count: actions.push(id.name) }) } }),
    typeModule("slow", "async", {}),
    typeModule("failing", "async", {
      put: async () => {
        throw new ApiError("Conflict", "It broke.");
      },
    }),
    typeModule("endless", "async", { put: async () => ({ kind: "again", afterMs: 3_600_000 }) }),
  ]);
  const planes = new PlaneTable(builtInPlanes);
  const config = loadServerConfig({ env: {}, overrides: {} });
  await initialize({ store, config, clock: systemClock, log: silentLogger, planes, types });
  const input = { id: group, type: "System.Resources/resourceGroups", apiVersion, body: {}, secrets: {} };
  await store.write({ document: { kind: "put", input, expect: "absent" } });
  const registry = parts.use(
    new TypeRegistry({ store, system: systemTypes(planes, types, location), modules: types, location }),
  );
  const resources: ChangeDeps = {
    store,
    clock: systemClock,
    log: silentLogger,
    location,
    types: registry,
    permissions: { allows: () => true },
  };
  const worker = startWorker(resources, types);
  parts.defer(() => worker.drain());
  const stack = parts.move();
  const open = (): InProcessTarget => {
    const waiter = stack.use(new OperationWaiter({ store }));
    const limits = { maxDepth: 16, maxValues: 10_000 };
    return new InProcessTarget({ resources, waiter, refused: async () => {}, limits });
  };
  return {
    target: open(),
    store,
    reopen: open,
    sample,
    action: { name: "poke", count: () => actions.length },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const typeOf: Readonly<Record<Course, string>> = {
  quick: "quick",
  slow: "slow",
  failing: "failing",
  endless: "endless",
  refused: "quick",
};

function sample(name: string, { course, properties, secret }: SampleSpec): Sample {
  const type = `${namespace}/${typeOf[course]}`;
  const token: JsonObject = secret === undefined ? {} : { token: secret };
  const wrong: JsonObject = course === "refused" ? { size: `not ${secret}` } : {};
  return {
    type,
    apiVersion,
    id: `${group}/providers/${type}/${name}`,
    name,
    extension: { name: "Radius", version: "latest", config: {} },
    body: { properties: { ...properties, ...token, ...wrong } },
    secrets: secret === undefined ? [] : ["/properties/token"],
  };
}

function typeModule(name: string, mode: "sync" | "async", handler: ResourceHandler): TypeModule {
  const policy = { ...applicationPolicy, mode, patch: "merge" } as const;
  return { name: `${namespace}/${name}`, versions: { [apiVersion]: schema }, policy, handler };
}

function startWorker(resources: ChangeDeps, types: TypeModules): OperationWorker {
  const executor = new ResourceExecutor({
    ...resources,
    deployments: () => ({ run: () => Promise.reject(new Error("Nothing is deployed here.")) }),
    handlerFor: (type) => types.get(type)?.handler ?? {},
  });
  return new OperationWorker({
    store: resources.store,
    executor,
    clock: systemClock,
    log: silentLogger,
    redactor: new Redactor(),
    owner: randomUUID(),
    queues: [{ name: defaultQueue }],
    slots: 4,
    maxAttempts: 3,
    maxDeaths: 5,
    leaseMs: 60_000,
    graceMs: 1_000,
    pollMs: 50,
  });
}
