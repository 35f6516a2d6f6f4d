import {
  ApiError,
  copyMembers,
  inSlices,
  type JsonObject,
  type JsonValue,
  objectMember,
  pauseAfter,
  type ResourceId,
  sameJson,
  type Sliced,
} from "@rad/core";
import type { ChangeKind, Effect } from "../change.ts";
import type { DocumentPut, NewOperation, Store, StoredDocument, Write } from "@rad/store";
import type { ChangeDeps } from "../change-deps.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { intent } from "../audit.ts";
import { ChangeTrail } from "../change-trail.ts";
import { renderBody } from "./envelope.ts";
import { newOperation } from "./new-operation.ts";
import { type RequestedPut, type RequestedPutOptions, readPut } from "./requested-put.ts";
import { applyResult, type StoredProperties } from "../handling/apply-result.ts";
import { requestContext } from "../handling/request-context.ts";
import { withState } from "../resource-state.ts";
import { scopeGuards } from "../scopes.ts";
import type { ServedType } from "../types/served-type.ts";
import { type CarriedOver, carriedOver, withResults } from "./carried-over.ts";
import { isUnchanged } from "./is-unchanged.ts";
import { mergeSystemData, type SystemData, systemDataFor } from "./system-data.ts";
import { withFreshTypes, writeChange } from "./write-change.ts";

/** How a PUT is carried out. */
export interface PutOptions {
  /** `PATCH` treats the body as the type's policy says. */
  readonly method?: "PUT" | "PATCH";
  /** Leaves a resource alone that is there already. */
  readonly onlyIfAbsent?: boolean;
  /** A resource that stays the same keeps its `systemData`, and so its ETag. */
  readonly keepUnchanged?: boolean;
  /** Starts no operation for a resource that stays the same: in any case, or if it has succeeded. */
  readonly leaveUnchanged?: "always" | "succeeded";
  /** JSON pointers into the body: values to seal, whatever the schema says. */
  readonly secrets?: readonly string[];
  /** The operation that waits for the one that is accepted. */
  readonly awaitedBy?: string;
  /** What is stored in the same transaction. */
  readonly together?: (effect: Effect) => Pick<Write, "also" | "lease" | "durability">;
}

export interface PutResult {
  readonly type: ServedType;
  readonly change: ChangeKind;
  readonly document: StoredDocument;
  /** Warnings for the caller, such as members that were not stored. */
  readonly warnings: readonly string[];
  /** For asynchronous types: what carries the change out. */
  readonly operation: NewOperation | undefined;
}

/** Creates or replaces a resource, as a PUT or PATCH asks. */
export function putResource(deps: ChangeDeps, request: ResourceRequest, options: PutOptions = {}): Promise<PutResult> {
  return withFreshTypes(deps.types, async () => {
    const kept = options.onlyIfAbsent === true ? await keepExisting(deps, request, options) : undefined;
    if (kept !== undefined) {
      return kept;
    }
    const memory = new Memory(deps.store, request.id);
    if (options.keepUnchanged !== true && options.method !== "PATCH") {
      try {
        return await putOver(deps, request, options, (type) => memory.current(type));
      } catch (error) {
        if (!memory.wasAsked || !(error instanceof ApiError)) {
          throw error;
        }
      }
    }
    return await putOver(deps, request, options);
  });
}

/** @param current where the stored resource comes from, if not from the store */
async function putOver(
  deps: ChangeDeps,
  request: ResourceRequest,
  options: PutOptions,
  current?: RequestedPutOptions["current"],
): Promise<PutResult> {
  const { method = "PUT", secrets = [] } = options;
  const put = await readPut(deps, request, { method, secrets, current });
  const unchanged = options.keepUnchanged === true && (await isUnchanged(deps.store, put));
  if (unchanged && put.current !== undefined && isLeftAlone(put, options)) {
    return await leaveAlone(deps.store, put.type, put.current, options);
  }
  const carried = await carriedOver(deps.store, put.current, put.stored);
  const pass = new PutPass({ deps, request, options, put, unchanged, carried });
  return put.type.policy.mode === "sync" ? await pass.atOnce() : await pass.accept();
}

/**
 * Saves a PUT the round trip of reading first. What it is written over is what it was last seen to be; if that has
 * changed, or is said to refuse the request, the PUT has to read after all.
 */
class Memory {
  readonly #store: Store;
  readonly #id: string;
  /** Something that may be outdated was looked at. */
  wasAsked = false;

  constructor(store: Store, id: ResourceId) {
    this.#store = store;
    this.#id = id.toString();
  }

  current({ policy, handler }: ServedType): StoredDocument | undefined | Promise<StoredDocument | undefined> {
    const { document, isCertain } = this.#store.recall(this.#id);
    if (isCertain) {
      return document;
    }
    if (policy.mode === "sync" && handler.put !== undefined) {
      return this.#store.get(this.#id); // what it does cannot be taken back
    }
    this.wasAsked = true;
    return document;
  }
}

async function keepExisting(
  { store, types }: ChangeDeps,
  request: ResourceRequest,
  options: PutOptions,
): Promise<PutResult | undefined> {
  const type = await types.resolve(request.id, request.apiVersion);
  type.version(request.apiVersion);
  const document = await store.get(request.id.toString());
  if (document === undefined) {
    return undefined;
  }
  return await leaveAlone(store, type, document, options);
}

function isLeftAlone({ type, current }: RequestedPut, { leaveUnchanged }: PutOptions): boolean {
  const state = objectMember(current?.body ?? {}, "properties")["provisioningState"];
  return (
    type.policy.mode === "async" &&
    (leaveUnchanged === "always" || (leaveUnchanged === "succeeded" && state === "Succeeded"))
  );
}

async function leaveAlone(
  store: Store,
  type: ServedType,
  document: StoredDocument,
  { together }: PutOptions,
): Promise<PutResult> {
  await store.write({ ...together?.({ change: "none", tracking: undefined, id: document.id, warnings: [] }) });
  return { type, change: "none", document, warnings: [], operation: undefined };
}

interface PutPassParts {
  readonly deps: ChangeDeps;
  readonly request: ResourceRequest;
  readonly options: PutOptions;
  readonly put: RequestedPut;
  /** The PUT asks for what is stored already. */
  readonly unchanged: boolean;
  readonly carried: CarriedOver;
}

/** The writing half of one PUT: everything about it has been read and checked. */
class PutPass {
  readonly #deps: ChangeDeps;
  readonly #request: ResourceRequest;
  readonly #options: PutOptions;
  readonly #put: RequestedPut;
  readonly #unchanged: boolean;
  readonly #carried: CarriedOver;
  readonly #systemData: SystemData;

  constructor({ deps, request, options, put, unchanged, carried }: PutPassParts) {
    this.#deps = deps;
    this.#request = request;
    this.#options = options;
    this.#put = put;
    this.#unchanged = unchanged;
    this.#carried = carried;
    const { caller, systemData = systemDataFor(caller, deps.clock.now()) } = request;
    const previous = put.current === undefined ? undefined : objectMember(put.current.body, "systemData");
    this.#systemData = mergeSystemData(previous, systemData);
  }

  /** A synchronous type: the change is done when its transaction is. */
  async atOnce(): Promise<PutResult> {
    const trail = new ChangeTrail(this.#deps, this.#intent());
    return await trail.around(async () => {
      if (this.#put.type.handler.put !== undefined) {
        await trail.begin();
      }
      return await this.#now(trail);
    });
  }

  async #now(trail: ChangeTrail): Promise<PutResult> {
    const made = await this.#made();
    const unchanged = this.#unchanged && made === undefined;
    const rendering = unchanged ? this.#currentBody() : inSlices(this.#render(made?.visible, "Succeeded"));
    const body = rendering instanceof Promise ? await rendering : rendering;
    // A handler may have made the same again, or something else of the same request.
    const same =
      this.#unchanged && (await inSlices(sameJson(withoutSystemData(body), withoutSystemData(this.#currentBody()))));
    const keepsSecrets =
      this.#unchanged && (made === undefined || (await inSlices(sameJson({ ...made.secrets }, this.#sealed()))));
    const input = this.#input(
      same ? this.#currentBody() : body,
      keepsSecrets ? "keep" : (made?.secrets ?? this.#sealed()),
    );
    return await this.#write({ input, change: this.#change(same), audit: trail.last() });
  }

  /** An asynchronous type: an operation carries the change out. */
  async accept(): Promise<PutResult> {
    const { type, id } = this.#put;
    const operation = newOperation(this.#request, type, {
      id,
      kind: "put",
      timeoutMs: type.policy.putTimeoutMs,
      awaitedBy: this.#options.awaitedBy,
    });
    const rendering = inSlices(
      this.#unchanged ? withState(this.#currentBody(), "Accepted") : this.#render(undefined, "Accepted"),
    );
    const body = rendering instanceof Promise ? await rendering : rendering;
    const secrets = this.#unchanged ? "keep" : this.#sealed();
    const input = { ...this.#input(body, secrets), operationId: operation.id };
    const audit = [{ ...this.#intent(), operationId: operation.id }];
    return await this.#write({ input, change: this.#change(this.#unchanged), operation, audit });
  }

  async #write(write: {
    readonly input: DocumentPut["input"];
    readonly change: ChangeKind;
    readonly operation?: NewOperation;
    readonly audit: Write["audit"];
  }): Promise<PutResult> {
    const { type, id, current, guards, also, warnings } = this.#put;
    const { input, change, operation, audit = [] } = write;
    const effect = { change, tracking: operation?.id, id: id.toString(), warnings };
    const together = this.#options.together?.(effect);
    const document = await writeChange(this.#deps.store, id, {
      document: { kind: "put", input, expect: current === undefined ? "absent" : { etag: current.etag } },
      guards: [...(type.policy.scopeOptional === true ? [] : scopeGuards(id)), ...guards],
      audit,
      ...(operation === undefined ? {} : { operation }),
      ...together,
      also: [...also, ...(together?.also ?? [])],
    });
    if (document === undefined) {
      throw new Error("A document that was put is not there.");
    }
    this.#logWarnings();
    return { type, change, document, warnings, operation };
  }

  /** What holds for as long as the resource is like that; what is about this request alone is for its caller. */
  #logWarnings(): void {
    const { type, id, properties } = this.#put;
    const warnings = type.handler.warnings?.({ properties: properties.visible }) ?? [];
    if (warnings.length > 0) {
      this.#deps.log.warn("a resource was written with warnings", { resourceId: id.toString(), warnings });
    }
  }

  /** What the type's handler makes of the request, if it makes anything. */
  async #made(): Promise<StoredProperties | undefined> {
    const { type, version, id } = this.#put;
    const sealed = this.#sealed();
    const body = { properties: this.#wanted() };
    const context = { id, apiVersion: version.name, body, secrets: sealed };
    const result = await type.handler.put?.(await requestContext(this.#deps, this.#request, context));
    if (result === undefined) {
      return undefined;
    }
    if (result.kind !== "done") {
      throw new TypeError(`'${id.type}' is synchronous, so its handler cannot wait.`);
    }
    const properties = withResults(result.properties, this.#carried.properties);
    return await inSlices(applyResult({ schema: version.schema, type: id.type, sealed }, { ...result, properties }));
  }

  #input(body: JsonObject, secrets: DocumentPut["input"]["secrets"]): DocumentPut["input"] {
    const { type, id, version } = this.#put;
    return {
      id: id.toString(),
      type: type.displayName ?? id.type,
      apiVersion: version.name,
      body,
      secrets,
    };
  }

  /** What the request asks for, beside the results of earlier work. */
  #wanted(): JsonObject {
    return withResults(this.#put.properties.visible, this.#carried.properties);
  }

  #sealed(): Record<string, JsonValue> {
    const { secrets } = this.#put.properties;
    return Object.keys(this.#carried.secrets).length === 0 ? secrets : { ...this.#carried.secrets, ...secrets };
  }

  #intent(): ReturnType<typeof intent> {
    const { id } = this.#put;
    return intent(this.#request, `${id.type}/write`, id.toString(), this.#deps.clock);
  }

  #change(same: boolean): ChangeKind {
    if (this.#put.current === undefined) {
      return "create";
    }
    return same ? "none" : "modify";
  }

  #currentBody(): JsonObject {
    return this.#put.current?.body ?? {};
  }

  /** @param made what the handler made of what is wanted. */
  *#render(made: JsonObject | undefined, provisioningState: string): Sliced<JsonObject> {
    const { type, id, tags } = this.#put;
    const properties = yield* copyMembers(made ?? (yield* pauseAfter(() => this.#wanted())));
    properties["provisioningState"] = provisioningState;
    return renderBody({
      id,
      type,
      location: this.#deps.location,
      tags,
      properties,
      systemData: { ...this.#systemData },
    });
  }
}

function withoutSystemData({ systemData: _systemData, ...body }: JsonObject): JsonObject {
  return body;
}
