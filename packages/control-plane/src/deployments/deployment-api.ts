import { ApiError, type JsonObject, Limiter, type Redactor, ResourceId } from "@rad/core";
import {
  acceptDeployment,
  type DeploymentHost,
  type DeploymentInput,
  deploymentType,
  exportTemplate,
  operationType,
  readDeploymentInput,
  readWhatIfSettings,
  removeDeployment,
} from "@rad/deployments";
import { type StoredDocument, StoreError } from "@rad/store";
import { type Answer, jsonAnswer, largeJsonAnswer } from "@rad/modules";
import { readDollarTop } from "../api/paging.ts";
import type { ApiRequest } from "../api/api-request.ts";
import { deploymentApiVersions } from "@rad/radius-types";
import { asyncHeaders } from "../api/async-links.ts";
import {
  ChangeTrail,
  checkPreconditions,
  deploymentPolicy,
  intent,
  lookingAgain,
  methodNotAllowed,
  newOperation,
  type Requester,
  requireScopes,
  scopeGuards,
  synchronousOutcome,
} from "@rad/resources";
import { listPage } from "../api/list-resources.ts";
import { prefersType } from "../api/prefers-type.ts";
import type { ResourceVerbs } from "../api/resource-verbs.ts";
import { runningView } from "./running-view.ts";

/** Loads on the first request: a server that only deploys should not keep it in memory. */
const loadWhatIf = () => import("@rad/deployments/what-if");

export interface DeploymentApiDeps {
  readonly host: DeploymentHost;
  readonly redactor: Redactor;
  /** The one that operations are found under. */
  readonly location: string;
}

/** Clients ask for all operations of a deployment, again and again. */
const operationsPerPage = 500;
const deploymentsPerPage = 100;

/** Each may take some hundred megabytes, and one thread does the work of all. */
const previewsAtOnce = 4;

/** How often a PUT looks again because somebody else was faster. */
const maxTries = 4;

/** `Microsoft.Resources/deployments`, their operations and their actions. */
export class DeploymentApi implements ResourceVerbs {
  readonly #host: DeploymentHost;
  readonly #redactor: Redactor;
  readonly #location: string;
  readonly #previews = new Limiter(previewsAtOnce);
  /** Apart from the others, which are done in seconds. */
  readonly #planning = new Limiter(previewsAtOnce);
  readonly #actions: Readonly<Record<string, (request: ApiRequest) => Promise<Answer>>> = {
    cancel: (request) => this.#cancel(request),
    validate: (request) => this.#previews.run(() => this.#validate(request)),
    whatif: (request) => this.#whatIf(request),
    exporttemplate: (request) => this.#exportTemplate(request),
    listoutputswithsecurevalues: async (request) => {
      throw new ApiError(
        "Forbidden",
        "Secure outputs are given to the deployment that a module belongs to, to nobody else.",
        {
          target: request.id.truncate().toString(),
        },
      );
    },
  };

  constructor({ host, location, redactor }: DeploymentApiDeps) {
    this.#host = host;
    this.#redactor = redactor;
    this.#location = location;
  }

  async get(request: ApiRequest): Promise<Answer> {
    requireApiVersion(request);
    const { id } = request;
    const { store } = this.#host;
    const isRecord = isType(id, operationType);
    const document = isRecord ? await this.#findRecord(id) : await this.#find(id);
    if (request.method === "HEAD") {
      return { status: 204 };
    }
    const running = isRecord ? undefined : await runningView(store, document);
    const headers = { ETag: document.etag };
    return running === undefined ? { status: 200, headers, json: document.json } : jsonAnswer(200, running, headers);
  }

  async list(request: ApiRequest, readable: (id: string) => boolean): Promise<Answer> {
    requireApiVersion(request);
    const { store } = this.#host;
    if (isType(request.id, operationType)) {
      await this.#find(request.id.truncate());
      const perPage = readDollarTop(request, operationsPerPage) ?? operationsPerPage;
      return await listPage(store, request, readable, { usualTop: perPage });
    }
    requireType(request.id, deploymentType);
    const usualTop = readDollarTop(request, deploymentsPerPage);
    const show = (item: StoredDocument): ReturnType<typeof runningView> => runningView(store, item);
    return await listPage(store, request, readable, { usualTop, show });
  }

  async put(request: ApiRequest): Promise<Answer> {
    const input = await this.#readInput(request, request.id);
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#accept(request, input);
      } catch (error) {
        // Somebody deployed under the same name at the same moment; looking again tells whether that still runs.
        if (tries === maxTries || !(error instanceof StoreError && error.code === "EtagMismatch")) {
          throw error;
        }
      }
    }
  }

  async patch(request: ApiRequest): Promise<Answer> {
    throw methodNotAllowed(request.method, request.id);
  }

  /** Forgets a deployment with its operations; what it deployed stays. */
  async delete(request: ApiRequest): Promise<Answer> {
    requireApiVersion(request);
    requireDeployment(request.id);
    return await lookingAgain(request, () => this.#delete(request));
  }

  async #delete(request: ApiRequest): Promise<Answer> {
    const { store, clock } = this.#host;
    const document = await store.get(request.id.toString());
    checkPreconditions(request, document, request.id);
    if (document === undefined) {
      return { status: 204 };
    }
    const trail = new ChangeTrail(this.#host, intent(request, `${deploymentType}/delete`, document.id, clock));
    await trail.around(() => removeDeployment(this.#host, document, trail));
    return { status: 200 };
  }

  async action(request: ApiRequest): Promise<Answer> {
    requireApiVersion(request);
    requireDeployment(request.id.truncate());
    const name = request.id.provider?.types.at(-1)?.type ?? "";
    const key = name.toLowerCase();
    const action = Object.hasOwn(this.#actions, key) ? this.#actions[key] : undefined;
    if (request.id.kind === "resource" || request.id.equals(request.id.truncate())) {
      throw methodNotAllowed(request.method, request.id);
    }
    if (action === undefined) {
      throw new ApiError("NotFound", `${deploymentType} has no action '${name}'.`, { target: request.id.toString() });
    }
    return await action(request);
  }

  async #accept(request: ApiRequest, input: DeploymentInput): Promise<Answer> {
    const { store, clock } = this.#host;
    const current = await store.get(request.id.toString());
    checkPreconditions(request, current, request.id);
    const id = current === undefined ? request.id : ResourceId.parse(current.id);
    const { putTimeoutMs: timeoutMs } = deploymentPolicy;
    const operation = newOperation(request, { policy: deploymentPolicy }, { id, kind: "put", timeoutMs });
    const { document } = await acceptDeployment(this.#host, {
      id,
      apiVersion: operation.apiVersion,
      input,
      requester: requesterOf(request),
      operationId: operation.id,
      current,
    });
    const record = intent(request, `${deploymentType}/write`, id.toString(), clock);
    const audit = [{ ...record, operationId: operation.id }];
    const stored = await store.write({ document, guards: scopeGuards(id), operation, audit });
    return {
      status: current === undefined ? 201 : 200,
      headers: this.#asyncHeaders(request, operation.id),
      json: stored?.json ?? "",
    };
  }

  async #cancel(request: ApiRequest): Promise<Answer> {
    const { store, clock } = this.#host;
    const document = await this.#find(request.id.truncate());
    const record = intent(request, `${deploymentType}/cancel/action`, document.id, clock);
    const operation = document.operationId === undefined ? undefined : await store.operations.get(document.operationId);
    if (operation !== undefined && operation.resourceId.toLowerCase() !== document.id.toLowerCase()) {
      const message = `The deployment is a part of '${operation.resourceId}'; cancel that one.`;
      throw new ApiError("Conflict", message, { target: operation.resourceId });
    }
    const reason = `'${request.caller.subject}' cancelled the deployment.`;
    const audit = [record, synchronousOutcome(record, 204)];
    if (operation === undefined || !(await store.operations.requestCancel(operation.id, reason, audit))) {
      const message = `The deployment '${request.id.truncate().name}' is not running.`;
      throw new ApiError("Conflict", message, { target: document.id });
    }
    return { status: 204 };
  }

  async #validate(request: ApiRequest): Promise<Answer> {
    const id = request.id.truncate();
    const input = await this.#readInput(request, id);
    const requester = requesterOf(request);
    const { validateDeployment } = await loadWhatIf();
    return await largeJsonAnswer(
      200,
      await validateDeployment(this.#host, { id, input, requester, signal: request.signal() }),
    );
  }

  async #whatIf(request: ApiRequest): Promise<Answer> {
    const id = request.id.truncate();
    const input = await this.#readInput(request, id);
    const settings = readWhatIfSettings(request.body);
    const requester = requesterOf(request);
    const { previewDeployment } = await loadWhatIf();
    const wanted = { ...settings, id, input, requester };
    if (!settings.planRecipes) {
      const preview = await this.#previews.run(() =>
        previewDeployment(this.#host, { ...wanted, signal: request.signal() }),
      );
      return await largeJsonAnswer(200, preview);
    }
    // Terraform runs with the secrets of the environment, as it does for a deployment.
    this.#host.authorize(request.caller, `${deploymentType}/write`, id.toString());
    // Recipes have deadlines of their own, so only the caller's leaving ends it.
    const signal = request.disconnected();
    const plan = (onRecipe: NonNullable<Parameters<typeof previewDeployment>[1]["onRecipe"]>): Promise<JsonObject> =>
      this.#planning.run(() => previewDeployment(this.#host, { ...wanted, signal, onRecipe }));
    if (!prefersType(request.accept, "text/event-stream")) {
      return await largeJsonAnswer(200, await plan(() => {}));
    }
    const { streamedResult } = await import("../api/streamed-result.ts");
    return await streamedResult(plan, this.#redactor);
  }

  async #exportTemplate(request: ApiRequest): Promise<Answer> {
    const { store, clock } = this.#host;
    const document = await this.#find(request.id.truncate());
    const record = intent(request, `${deploymentType}/exportTemplate/action`, document.id, clock);
    const template = await exportTemplate(store, document.id);
    await store.audit.append([record, synchronousOutcome(record, 200)]);
    return await largeJsonAnswer(200, template);
  }

  async #readInput(request: ApiRequest, id: ResourceId): Promise<DeploymentInput> {
    requireApiVersion(request);
    requireDeployment(id);
    await requireScopes(this.#host.store, id);
    return await readDeploymentInput({ id, body: request.body, signal: () => request.signal() }, this.#host);
  }

  async #find(id: ResourceId): Promise<StoredDocument> {
    requireDeployment(id);
    const document = await this.#host.store.get(id.toString());
    if (document === undefined) {
      await requireScopes(this.#host.store, id);
      throw new ApiError("DeploymentNotFound", `The deployment '${id.name}' does not exist.`, {
        target: id.toString(),
      });
    }
    return document;
  }

  async #findRecord(id: ResourceId): Promise<StoredDocument> {
    await this.#find(id.truncate());
    const document = await this.#host.store.get(id.toString());
    if (document === undefined) {
      throw new ApiError("NotFound", `The deployment has no operation '${id.name}'.`, { target: id.toString() });
    }
    return document;
  }

  #asyncHeaders(request: ApiRequest, operationId: string): Record<string, string> {
    return asyncHeaders({
      linkBase: request.linkBase,
      id: request.id,
      location: this.#location,
      operationId,
      apiVersion: request.apiVersion ?? "",
      retryAfterSeconds: deploymentPolicy.retryAfterSeconds,
    });
  }
}

function requesterOf(request: ApiRequest): Requester {
  return {
    caller: request.caller,
    correlationId: request.correlationId,
    traceparent: request.traceparent,
    hide: (values) => request.hide(values),
  };
}

function requireApiVersion({ apiVersion }: ApiRequest): void {
  if (!deploymentApiVersions.some((known) => known === apiVersion)) {
    const problem = apiVersion === undefined ? "is missing" : `'${apiVersion}' is not supported`;
    const known = deploymentApiVersions.join(", ");
    throw new ApiError(
      "InvalidApiVersionParameter",
      `The api-version ${problem} for '${deploymentType}'. Supported: ${known}.`,
    );
  }
}

/** @throws ApiError unless the id is that of a deployment in a resource group. */
function requireDeployment(id: ResourceId): void {
  requireType(id, deploymentType);
  if (id.scopes[0]?.type !== "radius" || id.resourceGroup === undefined || id.scopes.length !== 2) {
    const message = `Deployments live in resource groups of a Radius plane, not in '${id.rootScope}'.`;
    throw new ApiError("InvalidDeployment", message, { target: id.toString() });
  }
}

function requireType(id: ResourceId, type: string): void {
  if (!isType(id, type) || id.extension !== undefined) {
    throw new ApiError("NotFound", `Nothing is served at '${id.toString()}'.`, { target: id.toString() });
  }
}

function isType(id: ResourceId, type: string): boolean {
  return id.type.toLowerCase() === type.toLowerCase();
}
