import {
  ApiError,
  type Clock,
  isJsonObject,
  isProvisioningState,
  isTerminal,
  type JsonObject,
  type JsonValue,
  type Logger,
  objectMember,
  ResourceId,
} from "@rad/core";
import { secretStrings } from "@rad/resource-types";
import {
  type AuditRecord,
  type Guard,
  type NewOperation,
  type Store,
  type StoredDocument,
  StoreError,
  type Write,
} from "@rad/store";
import { randomUUID } from "node:crypto";
import { type Answer, jsonAnswer } from "../http/answer.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { nextLink, readTop } from "../http/paging.ts";
import { mergeSystemData, type SystemData, systemDataFor } from "../identity/index.ts";
import { asyncHeaders } from "./async-links.ts";
import { intent, operationOutcome, synchronousOutcome } from "./audit.ts";
import { checkConditions } from "./conditions.ts";
import { invalidBody, readEnvelope, renderBody } from "./envelope.ts";
import type { HandlerContext } from "./resource-handler.ts";
import type { ServedType, ServedVersion } from "./served-type.ts";

export interface ResourceServiceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** What every resource reports as its location, and the one that operations are found under. */
  readonly location: string;
  readonly types: TypeDirectory;
}

export interface TypeDirectory {
  /** @throws ApiError when no such type is served there. */
  resolve(id: ResourceId, apiVersion: string | undefined): Promise<ServedType>;
  /** Forgets what it knows about registered types; a write found it out of date. */
  refresh(): void;
}

/** How often a write is tried again because a registration changed under it. */
const maxTries = 4;

/**
 * The verbs every resource type shares. One change is one pass: read the body, load what is stored, check conditions
 * and state, let the type's handler object, write everything at once, answer.
 */
export class ResourceService {
  readonly #deps: ResourceServiceDeps;

  constructor(deps: ResourceServiceDeps) {
    this.#deps = deps;
  }

  async get(request: ApiRequest): Promise<Answer> {
    const type = await this.#deps.types.resolve(request.id, request.apiVersion);
    type.version(request.apiVersion);
    const document = await this.#deps.store.get(request.id.toString());
    if (document === undefined) {
      throw await this.#notFound(request.id);
    }
    return { status: 200, headers: { ETag: document.etag }, json: document.json };
  }

  /** @param readable filters what the caller may see when the list is wider than the caller's permissions. */
  async list(request: ApiRequest, readable: (id: string) => boolean): Promise<Answer> {
    const { id } = request;
    const type = await this.#deps.types.resolve(id, request.apiVersion);
    type.version(request.apiVersion);
    const top = readTop(request);
    const after = request.parameter("skipToken");
    const parent = listParent(id);
    const page = await this.#deps.store
      .list({ type: id.type, ...parent, limit: top, ...(after === undefined ? {} : { after }) })
      .catch(explainToken);
    if (page.items.length === 0 && after === undefined) {
      await this.#requireScopes(id);
      await this.#requireParent(id);
    }
    const value = page.items.filter((item) => readable(item.id)).map((item) => item.body);
    return jsonAnswer(200, {
      value,
      ...(page.next === undefined ? {} : { nextLink: nextLink(request, page.next, top) }),
    });
  }

  put(request: ApiRequest): Promise<Answer> {
    return this.#withFreshTypes(() => this.#put(request, request.body));
  }

  async patch(request: ApiRequest): Promise<Answer> {
    const type = await this.#deps.types.resolve(request.id, request.apiVersion);
    type.version(request.apiVersion);
    if (type.policy.patch === "none") {
      throw methodNotAllowed(request);
    }
    const current = await this.#deps.store.get(request.id.toString());
    if (current === undefined) {
      throw await this.#notFound(request.id);
    }
    const merged = type.policy.patch === "merge" ? mergeBody(current.body, request.body) : request.body;
    // What was merged with must be what is replaced, or a change in between would be lost.
    const answer = await this.#withFreshTypes(() => this.#put(request, merged, current));
    return answer.status === 201 ? { ...answer, status: 202 } : answer;
  }

  delete(request: ApiRequest): Promise<Answer> {
    return this.#withFreshTypes(() => this.#delete(request));
  }

  async action(request: ApiRequest): Promise<Answer> {
    const name = request.id.kind === "resource" ? "" : lastType(request.id);
    const id = request.id.truncate();
    const type = await this.#deps.types.resolve(id, request.apiVersion);
    const version = type.version(request.apiVersion);
    const actions = Object.entries(type.handler.actions ?? {});
    const action = actions.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1];
    if (action === undefined) {
      throw new ApiError("NotFound", `${id.type} has no action '${name}'.`, { target: id.toString() });
    }
    const document = await this.#deps.store.get(id.toString());
    if (document === undefined) {
      throw await this.#notFound(id);
    }
    const record = intent(request, `${id.type}/${name}/action`, id.toString(), this.#deps.clock);
    await this.#deps.store.audit.append([record]);
    const context = this.#handlerContext(request, version, document.body, id);
    const result = await action({ ...context, body: request.body });
    await this.#deps.store.audit.append([synchronousOutcome(record, 200)]);
    return jsonAnswer(200, result);
  }

  /** @param basis what the body was made from; whatever is stored when absent. */
  async #put(request: ApiRequest, body: JsonValue | undefined, basis?: StoredDocument): Promise<Answer> {
    const { store, clock } = this.#deps;
    const type = await this.#deps.types.resolve(request.id, request.apiVersion);
    const version = type.version(request.apiVersion);
    const envelope = readEnvelope(body, type);
    const problem = type.checkName(request.id.name);
    if (problem !== undefined) {
      throw new ApiError("InvalidRequestContent", problem, { target: request.id.toString() });
    }
    const completed = checkProperties(type, version, envelope.properties);
    const sent = splitSecrets(version, completed);
    request.hide(secretStrings(sent.secrets));
    const current = basis ?? (await store.get(request.id.toString()));
    checkConditions(request, current, request.id);
    requireIdle(current);
    checkFixedScope(type, completed, current);
    const id = current === undefined ? request.id : ResourceId.parse(current.id);
    const validated = await type.handler.validate?.({
      id,
      apiVersion: version.name,
      properties: completed,
      current,
      store,
    });
    const split = validated?.properties === undefined ? sent : splitSecrets(version, validated.properties);

    const record = intent(request, `${id.type}/write`, id.toString(), clock);
    const systemData: SystemData = mergeSystemData(
      current === undefined ? undefined : objectMember(current.body, "systemData"),
      systemDataFor(request.caller, request.systemDataHeader, clock.now()),
    );
    const render = (properties: JsonObject, provisioningState: string): JsonObject =>
      renderBody({
        id,
        type,
        location: this.#deps.location,
        tags: envelope.tags,
        properties: { ...properties, ...carriedOver(current), provisioningState },
        systemData: { ...systemData },
      });
    const guards = [...this.#scopeGuards(id), ...version.guards, ...(validated?.guards ?? [])];
    const common = { id: id.toString(), type: type.displayName ?? id.type, apiVersion: version.name } as const;
    const expect = current === undefined ? "absent" : { etag: current.etag };

    if (type.policy.mode === "sync") {
      const context = this.#handlerContext(request, version, { properties: split.visible }, id, split.secrets);
      const audit = await this.#auditOf(record, type.handler.put !== undefined);
      const properties = (await type.handler.put?.(context)) ?? split.visible;
      const input = { ...common, body: render(properties, "Succeeded"), secrets: split.secrets };
      const stored = await this.#write(id, {
        document: { kind: "put", input, expect },
        guards,
        audit,
      });
      return { status: 200, headers: { ETag: stored?.etag ?? "" }, json: stored?.json ?? "" };
    }
    const operation = newOperation(request, type, id, "put", type.policy.putTimeoutMs);
    const input = {
      ...common,
      body: render(split.visible, "Accepted"),
      secrets: split.secrets,
      operationId: operation.id,
    };
    const stored = await this.#write(id, {
      document: { kind: "put", input, expect },
      guards,
      operation,
      audit: [{ ...record, operationId: operation.id }],
    });
    return { status: 201, headers: this.#asyncHeaders(request, type, operation), json: stored?.json ?? "" };
  }

  async #delete(request: ApiRequest): Promise<Answer> {
    const { store, clock } = this.#deps;
    const type = await this.#deps.types.resolve(request.id, request.apiVersion);
    const version = type.version(request.apiVersion);
    const current = await store.get(request.id.toString());
    checkConditions(request, current, request.id);
    if (current === undefined) {
      return { status: 204 };
    }
    const force = request.parameter("force") === "true";
    if (!force) {
      requireIdle(current);
    }
    const id = ResourceId.parse(current.id);
    const guards = (await type.handler.guardDelete?.({ document: current, store })) ?? [];
    const record = intent(request, `${id.type}/delete`, id.toString(), clock);
    const expect = { etag: current.etag };
    const superseded =
      force && current.operationId !== undefined ? await store.operations.get(current.operationId) : undefined;
    const supersede = superseded === undefined ? {} : { supersede: superseded.id };
    const cut = superseded === undefined ? [] : [operationOutcome(superseded, "Canceled", clock)];

    if (type.policy.mode === "sync") {
      const audit = await this.#auditOf(record, type.handler.delete !== undefined);
      await type.handler.delete?.(this.#handlerContext(request, version, current.body, id));
      await this.#write(id, {
        document: { kind: "remove", id: current.id, expect },
        guards,
        audit: [...cut, ...audit],
        ...supersede,
      });
      return { status: 200 };
    }
    const operation = newOperation(request, type, id, "delete", type.policy.deleteTimeoutMs);
    const input = {
      id: current.id,
      type: current.type,
      apiVersion: current.apiVersion,
      body: withState(current.body, "Accepted"),
      secrets: "keep" as const,
      operationId: operation.id,
    };
    const stored = await this.#write(id, {
      document: { kind: "put", input, expect },
      operation,
      audit: [...cut, { ...record, operationId: operation.id }],
      ...supersede,
    });
    const headers = this.#asyncHeaders(request, type, operation);
    return type.policy.deleteShowsResource
      ? { status: 202, headers, json: stored?.json ?? "" }
      : { status: 202, headers };
  }

  /**
   * The records that the write of a synchronous change still has to carry. A handler may change the world before that
   * write, so what it is asked to do goes on record first.
   */
  async #auditOf(record: AuditRecord, hasEffects: boolean): Promise<readonly AuditRecord[]> {
    const outcome = synchronousOutcome(record, 200);
    if (!hasEffects) {
      return [record, outcome];
    }
    await this.#deps.store.audit.append([record]);
    return [outcome];
  }

  /** Runs a change again when the registration it relied on turned out to be stale. */
  async #withFreshTypes(change: () => Promise<Answer>): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await change();
      } catch (error) {
        const guard = error instanceof StoreError && error.code === "GuardFailed" ? error.guard : undefined;
        if (guard?.kind !== "exists" || tries === maxTries) {
          throw guard === undefined ? error : new ApiError("Conflict", "A registration changed meanwhile; try again.");
        }
        this.#deps.types.refresh();
      }
    }
  }

  async #write(id: ResourceId, change: Write): Promise<StoredDocument | undefined> {
    try {
      return await this.#deps.store.write(change);
    } catch (error) {
      if (!(error instanceof StoreError)) {
        throw error;
      }
      if (error.code === "EtagMismatch") {
        throw new ApiError("Conflict", "Somebody else changed the resource meanwhile; read it and try again.", {
          target: id.toString(),
          cause: error,
        });
      }
      if (error.code === "GuardFailed") {
        await this.#requireScopes(id);
        if (error.guard?.kind !== "exists") {
          throw new ApiError("Conflict", "Something was created below the resource meanwhile; try again.", {
            target: id.toString(),
            cause: error,
          });
        }
      }
      throw error;
    }
  }

  /** The plane, or the group, that a resource lives in must exist when it is written. */
  #scopeGuards(id: ResourceId): Guard[] {
    if (id.provider !== undefined) {
      return [{ kind: "exists", id: id.rootScope }];
    }
    return id.scopes.length > 1 ? [{ kind: "exists", id: id.planeScope }] : [];
  }

  async #notFound(id: ResourceId): Promise<ApiError> {
    await this.#requireScopes(id);
    return new ApiError("NotFound", `The resource '${id.toString()}' does not exist.`, { target: id.toString() });
  }

  /** @throws ApiError `NotFound` naming the plane or group that is missing. */
  async #requireScopes(id: ResourceId): Promise<void> {
    const scopes = id.provider === undefined ? id.scopes.slice(0, -1) : id.scopes;
    for (let length = 1; length <= scopes.length; length += 1) {
      const scope = new ResourceId(id.isUcp, scopes.slice(0, length));
      if ((await this.#deps.store.get(scope.toString())) === undefined) {
        const kind = length === 1 ? "plane" : "resource group";
        throw new ApiError("NotFound", `The ${kind} '${scope.toString()}' does not exist.`, {
          target: scope.toString(),
        });
      }
    }
  }

  /** @throws ApiError `NotFound` for a collection below a resource that does not exist. */
  async #requireParent(id: ResourceId): Promise<void> {
    const parent = id.truncate();
    if (!parent.equals(id) && (await this.#deps.store.get(parent.toString())) === undefined) {
      throw new ApiError("NotFound", `The resource '${parent.toString()}' does not exist.`, {
        target: parent.toString(),
      });
    }
  }

  #asyncHeaders(request: ApiRequest, type: ServedType, operation: NewOperation): Record<string, string> {
    return asyncHeaders({
      linkBase: request.linkBase,
      id: request.id,
      location: this.#deps.location,
      operationId: operation.id,
      apiVersion: request.apiVersion ?? "",
      retryAfterSeconds: type.policy.retryAfterSeconds,
    });
  }

  #handlerContext(
    request: ApiRequest,
    version: ServedVersion,
    body: JsonObject,
    id: ResourceId,
    secrets?: Readonly<Record<string, JsonValue>>,
  ): HandlerContext {
    const { store, log } = this.#deps;
    return {
      id,
      apiVersion: version.name,
      properties: objectMember(body, "properties"),
      secrets: async () => {
        const values = secrets ?? (await store.secrets(id.toString()));
        request.hide(secretStrings(values));
        return values;
      },
      store,
      signal: request.signal(),
      log: log.child({ resource: id.toString(), correlationId: request.correlationId }),
      step: (_name, work) => work(),
      write: async (change) => {
        await store.write(change);
      },
    };
  }
}

export function methodNotAllowed(request: { readonly method: string; readonly id: ResourceId }): ApiError {
  return new ApiError("BadRequest", `${request.method} is not allowed on '${request.id.toString()}'.`, { status: 405 });
}

export function withState(body: JsonObject, provisioningState: string): JsonObject {
  return { ...body, properties: { ...objectMember(body, "properties"), provisioningState } };
}

/** @throws ApiError `Conflict` with the operation's id while one is at work. */
function requireIdle(current: StoredDocument | undefined): void {
  if (current === undefined) {
    return;
  }
  const state = objectMember(current.body, "properties")["provisioningState"];
  if (typeof state === "string" && isProvisioningState(state) && !isTerminal(state)) {
    const operation = current.operationId === undefined ? "" : ` by operation ${current.operationId}`;
    throw new ApiError("Conflict", `The resource is being changed${operation} (${state}); wait until that ends.`, {
      target: current.id,
    });
  }
}

function checkFixedScope(type: ServedType, properties: JsonObject, current: StoredDocument | undefined): void {
  if (!type.policy.fixedScope || current === undefined) {
    return;
  }
  const before = objectMember(current.body, "properties");
  for (const name of ["application", "environment"]) {
    const [was, is] = [before[name], properties[name]];
    if (typeof was === "string" && (typeof is !== "string" || is.toLowerCase() !== was.toLowerCase())) {
      throw new ApiError("BadRequest", `'${name}' is '${was}' and cannot change; create a new resource instead.`, {
        target: current.id,
      });
    }
  }
}

/** The properties as they would be stored. @throws ApiError with every problem the schema finds. */
function checkProperties(type: ServedType, version: ServedVersion, properties: JsonObject): JsonObject {
  const { schema } = version;
  if (schema === undefined) {
    return stripServerOwned(properties);
  }
  const problems = schema.validate(properties);
  if (problems.length > 0) {
    throw invalidBody(
      type,
      problems.map((problem) => `${problem.path}: ${problem.message}`),
    );
  }
  return schema.applyDefaults(schema.stripReadOnly(properties));
}

function splitSecrets(
  version: ServedVersion,
  properties: JsonObject,
): { visible: JsonObject; secrets: Readonly<Record<string, JsonValue>> } {
  return version.schema === undefined ? { visible: properties, secrets: {} } : version.schema.splitSecrets(properties);
}

/** What a client can never set, also where a type has no schema to say so. */
function stripServerOwned(properties: JsonObject): JsonObject {
  const { provisioningState: _state, status: _status, ...rest } = properties;
  return rest;
}

/** Results of earlier work stay visible until new work replaces them. */
function carriedOver(current: StoredDocument | undefined): JsonObject {
  const status = current === undefined ? undefined : objectMember(current.body, "properties")["status"];
  return status === undefined ? {} : { status };
}

function mergeBody(current: JsonObject, patch: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(patch)) {
    return patch;
  }
  const merged: JsonObject = { ...current, ...patch };
  for (const name of ["tags", "properties"]) {
    if (isJsonObject(patch[name])) {
      merged[name] = { ...objectMember(current, name), ...patch[name] };
    }
  }
  return merged;
}

function newOperation(
  request: ApiRequest,
  type: ServedType,
  id: ResourceId,
  kind: string,
  timeoutMs: number,
): NewOperation {
  return {
    id: randomUUID(),
    resourceId: id.toString(),
    kind,
    apiVersion: request.apiVersion ?? "",
    queue: type.policy.queue,
    timeoutMs,
    caller: request.caller.subject,
    correlationId: request.correlationId,
    traceparent: request.traceparent,
  };
}

/** Where a collection's members are: right at the scope, below the plane at any depth, or below a parent resource. */
function listParent(id: ResourceId): { under: string; directly?: boolean } {
  const part = id.extension ?? id.provider;
  if (part === undefined || part.types.length > 1) {
    return { under: id.truncate().toString() };
  }
  const atPlane = id.extension === undefined && id.scopes.length === 1;
  return atPlane ? { under: id.rootScope } : { under: id.rootScope, directly: true };
}

function lastType(id: ResourceId): string {
  return (id.extension ?? id.provider)?.types.at(-1)?.type ?? "";
}

function explainToken(error: unknown): never {
  if (error instanceof StoreError && error.code === "InvalidToken") {
    throw new ApiError("BadRequest", "'skipToken' is not one that this list gave out.", { cause: error });
  }
  throw error;
}
