import { type Clock, type JsonObject, type Logger, objectMember } from "@rad/core";
import type { ChangeKind, Effect } from "@rad/deployments";
import type { DocumentPut, NewOperation, Store, StoredDocument, Write } from "@rad/store";
import { isDeepStrictEqual } from "node:util";
import type { ApiRequest } from "../http/api-request.ts";
import { mergeSystemData, type SystemData, systemDataFor } from "../identity/index.ts";
import { intent, recordsOfSynchronous } from "./audit.ts";
import { renderBody } from "./envelope.ts";
import { newOperation } from "./new-operation.ts";
import { type RequestedPut, readPut } from "./requested-put.ts";
import { requestContext } from "./request-context.ts";
import { withState } from "./resource-state.ts";
import { scopeGuards } from "./scopes.ts";
import type { ServedType, TypeDirectory } from "./served-type.ts";
import { isUnchanged } from "./unchanged.ts";
import { withFreshTypes, writeChange } from "./write-change.ts";

export interface ChangeDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  /** What every resource reports as its location, and the one that operations are found under. */
  readonly location: string;
  readonly types: TypeDirectory;
}

/** What a PUT does beyond a client's own. */
export interface PutOptions {
  /** Leaves a resource alone that is there already. */
  readonly onlyIfAbsent?: boolean;
  /** A resource that stays the same keeps its `systemData`, and so its ETag. */
  readonly keepUnchanged?: boolean;
  /** What is stored in the same transaction. */
  readonly together?: (effect: Effect) => Pick<Write, "also" | "lease" | "durability">;
}

export interface PutResult {
  readonly type: ServedType;
  readonly change: ChangeKind;
  readonly document: StoredDocument;
  /** Paths of members that the type does not have, and that were not stored. */
  readonly dropped: readonly string[];
  /** For asynchronous types: what carries the change out. */
  readonly operation: NewOperation | undefined;
}

/** Creates or replaces a resource, as a PUT or PATCH asks. */
export function putResource(deps: ChangeDeps, request: ApiRequest, options: PutOptions = {}): Promise<PutResult> {
  return withFreshTypes(deps.types, async () => {
    const kept = options.onlyIfAbsent === true ? await keepExisting(deps, request, options) : undefined;
    if (kept !== undefined) {
      return kept;
    }
    const put = await readPut(deps, request);
    const unchanged = options.keepUnchanged === true && (await isUnchanged(deps.store, put));
    const pass = new PutPass(deps, request, options, put, unchanged);
    return put.type.policy.mode === "sync" ? await pass.now() : await pass.accept();
  });
}

async function keepExisting(
  { store, types }: ChangeDeps,
  request: ApiRequest,
  { together }: PutOptions,
): Promise<PutResult | undefined> {
  const type = await types.resolve(request.id, request.apiVersion);
  type.version(request.apiVersion);
  const document = await store.get(request.id.toString());
  if (document === undefined) {
    return undefined;
  }
  await store.write({ ...together?.({ change: "none", tracking: undefined, id: document.id }) });
  return { type, change: "none", document, dropped: [], operation: undefined };
}

/** The writing half of one PUT: everything about it has been read and checked. */
class PutPass {
  readonly #deps: ChangeDeps;
  readonly #request: ApiRequest;
  readonly #options: PutOptions;
  readonly #put: RequestedPut;
  readonly #unchanged: boolean;
  readonly #systemData: SystemData;

  constructor(deps: ChangeDeps, request: ApiRequest, options: PutOptions, put: RequestedPut, unchanged: boolean) {
    this.#deps = deps;
    this.#request = request;
    this.#options = options;
    this.#put = put;
    this.#unchanged = unchanged;
    const { caller, systemDataHeader } = request;
    const previous = put.current === undefined ? undefined : objectMember(put.current.body, "systemData");
    this.#systemData = mergeSystemData(previous, systemDataFor(caller, systemDataHeader, deps.clock.now()));
  }

  /** A synchronous type: the change is done when its transaction is. */
  async now(): Promise<PutResult> {
    const { type, version, id, properties } = this.#put;
    const { visible, secrets } = properties;
    const audit = await recordsOfSynchronous(this.#deps.store, this.#intent(), type.handler.put !== undefined);
    const made =
      type.handler.put === undefined
        ? undefined
        : await type.handler.put(
            requestContext(this.#deps, this.#request, { id, version, body: { properties: visible }, secrets }),
          );
    const body =
      this.#unchanged && made === undefined ? this.#currentBody() : this.#render(made ?? visible, "Succeeded");
    // A handler may have made the same again, or something else of the same request.
    const same = this.#unchanged && isDeepStrictEqual(withoutSystemData(body), withoutSystemData(this.#currentBody()));
    const input = this.#input(same ? this.#currentBody() : body);
    return await this.#write({ input, change: this.#change(same), audit });
  }

  /** An asynchronous type: an operation carries the change out. */
  async accept(): Promise<PutResult> {
    const { type, id, properties } = this.#put;
    const operation = newOperation(this.#request, type, { id, kind: "put", timeoutMs: type.policy.putTimeoutMs });
    const body = this.#unchanged
      ? withState(this.#currentBody(), "Accepted")
      : this.#render(properties.visible, "Accepted");
    const input = { ...this.#input(body), operationId: operation.id };
    const audit = [{ ...this.#intent(), operationId: operation.id }];
    return await this.#write({ input, change: this.#change(this.#unchanged), operation, audit });
  }

  async #write(write: {
    readonly input: DocumentPut["input"];
    readonly change: ChangeKind;
    readonly operation?: NewOperation;
    readonly audit: Write["audit"];
  }): Promise<PutResult> {
    const { type, id, current, guards } = this.#put;
    const { input, change, operation, audit = [] } = write;
    const effect = { change, tracking: operation?.id, id: id.toString() };
    const document = await writeChange(this.#deps.store, id, {
      document: { kind: "put", input, expect: current === undefined ? "absent" : { etag: current.etag } },
      guards: [...scopeGuards(id), ...guards],
      audit,
      ...(operation === undefined ? {} : { operation }),
      ...this.#options.together?.(effect),
    });
    if (document === undefined) {
      throw new Error("A document that was put is not there.");
    }
    return { type, change, document, dropped: this.#put.dropped, operation };
  }

  #input(body: JsonObject): DocumentPut["input"] {
    const { type, id, version, properties } = this.#put;
    return {
      id: id.toString(),
      type: type.displayName ?? id.type,
      apiVersion: version.name,
      body,
      secrets: this.#unchanged ? "keep" : properties.secrets,
    };
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

  #render(properties: JsonObject, provisioningState: string): JsonObject {
    const { type, id, tags, current } = this.#put;
    return renderBody({
      id,
      type,
      location: this.#deps.location,
      tags,
      properties: { ...properties, ...carriedOver(current), provisioningState },
      systemData: { ...this.#systemData },
    });
  }
}

/** Results of earlier work stay visible until new work replaces them. */
function carriedOver(current: StoredDocument | undefined): JsonObject {
  const status = current === undefined ? undefined : objectMember(current.body, "properties")["status"];
  return status === undefined ? {} : { status };
}

function withoutSystemData({ systemData: _systemData, ...body }: JsonObject): JsonObject {
  return body;
}
