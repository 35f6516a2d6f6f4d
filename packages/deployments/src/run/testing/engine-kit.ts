import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, type JsonObject, type JsonValue, objectMember, ResourceId, silentLogger } from "@rad/core";
import type { MovingClock } from "@rad/core/testing";
import type { OperationWorker } from "@rad/operations";
import { WorkerKit } from "@rad/operations/testing";
import { type Operation, openSqliteStore, type Store } from "@rad/store";
import type { ParameterInput } from "@rad/templates";
import { AcceptedPlans } from "../../accept/accepted-plans.ts";
import { acceptDeployment } from "../../accept/accept-deployment.ts";
import type { DeploymentHost } from "../../deployment-host.ts";
import type { DeploymentInput } from "../../deployment-input.ts";
import { operationType } from "../../records/operation-records.ts";
import { DeploymentExecutor } from "../deployment-executor.ts";
import { ThingsTarget } from "./things-target.ts";

export interface EngineOptions {
  readonly concurrency?: number;
  readonly historyLength?: number;
  readonly linkHosts?: readonly string[];
  readonly authorize?: DeploymentHost["authorize"];
  /** The store's, the host's and the workers'. */
  readonly clock?: MovingClock;
  readonly slots?: number;
  readonly target?: (store: Store) => ThingsTarget;
  /** Of other providers. */
  readonly targets?: (store: Store) => DeploymentHost["targets"];
}

/** A deployment engine on a database of its own. */
export class Engine implements AsyncDisposable {
  /** For operations beside the deployments. */
  readonly workers: WorkerKit;
  readonly target: ThingsTarget;
  readonly host: DeploymentHost;
  readonly directory: string;
  readonly #options: EngineOptions;

  static async open(options: EngineOptions = {}): Promise<Engine> {
    const directory = await mkdtemp(join(tmpdir(), "deployments-test-"));
    const openStore = (clock: Clock): Promise<Store> => openSqliteStore({ directory, log: silentLogger, clock });
    return new Engine(await WorkerKit.open(openStore, options.clock), directory, options);
  }

  private constructor(workers: WorkerKit, directory: string, options: EngineOptions) {
    this.workers = workers;
    this.directory = directory;
    this.#options = options;
    this.target = options.target?.(this.store) ?? new ThingsTarget(this.store);
    this.host = this.hostOver(this.store, this.target);
  }

  get store(): Store {
    return this.workers.store;
  }

  get clock(): MovingClock {
    return this.workers.clock;
  }

  /** Another process on the same database, perhaps with a worse store. */
  hostOver(store: Store, target: ThingsTarget): DeploymentHost {
    return {
      store,
      clock: this.clock,
      targets: { ...this.#options.targets?.(store), radius: target },
      limits: {},
      acceptedPlans: new AcceptedPlans(),
      surroundings: {},
      concurrency: this.#options.concurrency ?? 4,
      historyLength: this.#options.historyLength ?? 800,
      linkHosts: this.#options.linkHosts ?? [],
      authorize: this.#options.authorize ?? (() => {}),
    };
  }

  worker(): OperationWorker {
    return this.workers.start({
      executor: new DeploymentExecutor(this.host),
      queues: [{ name: "deployments" }],
      slots: this.#options.slots ?? 4,
      maxAttempts: Number.MAX_SAFE_INTEGER,
      graceMs: 2_000,
      cancelGraceMs: Infinity,
    });
  }

  /** Accepts a deployment; resolves to the id of its operation. */
  async submit(deployment: NewDeployment): Promise<string> {
    const { name = "main", template, parameters = {}, scope = group } = deployment;
    const id = ResourceId.parse(deploymentId(name, scope));
    const given = Object.entries(parameters).map(([key, value]): [string, ParameterInput] => [key, { value }]);
    const input: DeploymentInput = {
      name,
      location: undefined,
      tags: undefined,
      template,
      parameters: Object.fromEntries(given),
      scopes: { radius: scope, deployments: scope },
      providerConfig: undefined,
      extensionConfigs: undefined,
      externalInputs: undefined,
      debugSetting: undefined,
    };
    const operationId = randomUUID();
    const { document } = await acceptDeployment(this.host, {
      id,
      apiVersion: "2025-04-01",
      input,
      requester: {
        caller: { kind: "token", subject: "tester", groups: [] },
        correlationId: "c",
        traceparent: undefined,
        hide: () => {},
      },
      operationId,
      current: await this.store.get(id.toString()),
    });
    await this.store.write({
      document,
      operation: {
        id: operationId,
        resourceId: document.input.id,
        kind: "put",
        apiVersion: "2025-04-01",
        queue: "deployments",
        timeoutMs: 3_600_000,
        caller: "tester",
        correlationId: "c",
      },
    });
    return operationId;
  }

  async ended(operationId: string): Promise<Operation> {
    return await this.workers.ended(operationId);
  }

  /** Submits and waits for the end. Needs a worker. */
  async deploy(deployment: NewDeployment): Promise<Operation> {
    return await this.ended(await this.submit(deployment));
  }

  async deployment(name = "main", scope = group): Promise<JsonObject> {
    return (await this.store.get(deploymentId(name, scope)))?.body ?? {};
  }

  async properties(name = "main", scope = group): Promise<JsonObject> {
    return objectMember(await this.deployment(name, scope), "properties");
  }

  async thing(name: string, scope = group): Promise<JsonObject | undefined> {
    const body = (await this.store.get(thingId(name, scope)))?.body;
    return body && objectMember(body, "properties");
  }

  /** Properties of the records of a deployment. */
  async records(name = "main", scope = group): Promise<JsonObject[]> {
    const { items } = await this.store.list({ type: operationType, under: deploymentId(name, scope) });
    return items.map(({ body }) => objectMember(body, "properties"));
  }

  /** `Create things/a Succeeded`, sorted. */
  async recordLines(name = "main", scope = group): Promise<string[]> {
    return (await this.records(name, scope)).map(lineOf).toSorted();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.workers[Symbol.asyncDispose]();
    await rm(this.directory, { recursive: true, force: true });
  }
}

export interface NewDeployment {
  readonly name?: string;
  readonly template: JsonObject;
  readonly parameters?: Readonly<Record<string, JsonValue>>;
  readonly scope?: string;
}

export const group = "/planes/radius/local/resourcegroups/demo";

export function deploymentId(name: string, scope = group): string {
  return `${scope}/providers/Microsoft.Resources/deployments/${name}`;
}

export function thingId(name: string, scope = group): string {
  return `${scope}/providers/Radius.Test/things/${name}`;
}

function lineOf(properties: JsonObject): string {
  const { id, resourceName } = objectMember(properties, "targetResource");
  const kind = typeof id === "string" && id.includes("/deployments/") ? "deployment" : "thing";
  const change = properties["changeType"] ?? "";
  return `${text(properties["provisioningOperation"])} ${kind} ${text(resourceName)} ${text(properties["provisioningState"])} ${text(change)}`.trim();
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
