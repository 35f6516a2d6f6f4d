import type { JsonObject, JsonValue } from "@rad/core";
import type { Sleep } from "./delay.ts";
import type { Deployment, DeploymentOperation, StartedDeployment, WhatIf, WhatIfProgress } from "./deployments.ts";
import type { HttpAnswer } from "./http-request.ts";
import type { InstallerAnswer, InstallerStatus, InstallRequest, Preflight } from "./installer.ts";
import type { AnnouncedOperation } from "./long-running.ts";
import type { OperationEvent } from "./events/follow-operation.ts";
import type { RecipeLog, RecipeOrphan } from "./recipe-runs.ts";
import type { Method, WireResponse } from "./transport.ts";
import type { MirrorList } from "./mirror-list.ts";
import type { OperationStatus, ProviderSummary, ResourceBody } from "./wire-types.ts";

export interface ClientOptions {
  /** Where the control plane listens, without the API's base path: `http://127.0.0.1:9000`. */
  readonly endpoint: string;
  readonly token?: string | undefined;
  /** Authorities whose certificates count, in PEM; by default those that Node trusts. */
  readonly ca?: string | undefined;
  /** Told about every answer. */
  readonly onAnswer?: (request: { readonly method: Method; readonly url: URL }, status: number) => void;
  /** Ends every call of this client, waiting included. */
  readonly signal?: AbortSignal | undefined;
  /** W3C trace context that every request carries. */
  readonly traceparent?: string | undefined;
  readonly userAgent?: string;
  readonly requestTimeoutMs?: number;
  readonly sleep?: Sleep;
  /** Milliseconds from any point in time. */
  readonly now?: () => number;
  readonly random?: () => number;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface ResourceCallOptions extends CallOptions {
  readonly apiVersion?: string | undefined;
}

export interface WaitOptions extends CallOptions {
  readonly onProgress?: ((status: OperationStatus) => void) | undefined;
}

interface FollowCallOptions extends CallOptions {
  /** Told when the control plane is away, and when it is back. */
  readonly onOutage?: ((isAway: boolean) => void) | undefined;
}

export interface WriteOptions extends ResourceCallOptions, WaitOptions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: "*" | undefined;
  /** Called with what the control plane accepts, but advises against; not at all when there is nothing. */
  readonly onWarnings?: ((warnings: readonly string[]) => void) | undefined;
}

export interface DeleteOptions extends WriteOptions {
  /** Also when another operation is still running on the resource. */
  readonly force?: boolean | undefined;
}

export interface ApiRequest extends CallOptions {
  readonly method: Method;
  /** An API path or resource id, without the base path. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonValue | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RawRequest extends CallOptions {
  readonly method: Method;
  /** A path with its query, `/planes/…` below the base path of the API and others as they are; or a link of the server. */
  readonly url: string;
  /** Parameters to add to the query. */
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string | undefined;
}

export type DeleteOutcome = "deleted" | "notFound";

/** Any resource by its id. Calls that start an operation resolve when it has ended, with what it left behind. */
export interface ResourceCalls {
  get(id: string, options?: ResourceCallOptions): Promise<ResourceBody>;
  getWithEtag(
    id: string,
    options?: ResourceCallOptions,
  ): Promise<{ resource: ResourceBody; etag: string | undefined; warnings: readonly string[] }>;
  /** All pages of a collection. */
  list(collection: string, options?: ResourceCallOptions): Promise<ResourceBody[]>;
  put(id: string, body: JsonObject, options?: WriteOptions): Promise<ResourceBody>;
  delete(id: string, options?: DeleteOptions): Promise<DeleteOutcome>;
  action(id: string, action: string, body?: JsonObject, options?: ResourceCallOptions): Promise<JsonValue | undefined>;
}

/** Deployments by their ids. Only `waitForEnd` waits for a deployment to end. */
export interface DeploymentCalls {
  /** Starts a deployment: resolves as soon as it is accepted. */
  start(id: string, body: JsonObject, options?: CallOptions): Promise<StartedDeployment>;
  get(id: string, options?: CallOptions): Promise<Deployment>;
  /** @returns whether it has ended; `false` at once when the control plane cannot tell without being asked again. */
  waitForEnd(id: string, options?: CallOptions): Promise<boolean>;
  /** Those of a scope: a group, or everything in the plane. */
  list(scope: string, options?: CallOptions): Promise<Deployment[]>;
  operations(id: string, options?: CallOptions): Promise<DeploymentOperation[]>;
  /** Asks for an end: nothing more is started, what runs is waited for. */
  cancel(id: string, options?: CallOptions): Promise<void>;
  /** Removes the record; what was deployed stays. */
  delete(id: string, options?: CallOptions): Promise<DeleteOutcome>;
  /** What `start` with the same body would change. */
  whatIf(id: string, body: JsonObject, options?: WhatIfOptions): Promise<WhatIf>;
  /** The template that a deployment was started with, without secrets. */
  exportTemplate(id: string, options?: CallOptions): Promise<JsonValue | undefined>;
}

export interface WhatIfOptions extends CallOptions {
  /** Asks also for what recipes would change, and hears which of them are being planned. */
  readonly onRecipe?: ((progress: WhatIfProgress) => void) | undefined;
}

/** The installer of Terraform and OpenTofu. Nothing is waited for: `status` says what has become of a job. */
export interface InstallerCalls {
  install(request: InstallRequest, options?: CallOptions): Promise<InstallerAnswer>;
  uninstall(options?: CallOptions): Promise<InstallerAnswer>;
  status(options?: CallOptions): Promise<InstallerStatus>;
  /** Checks whether recipes of an environment would find everything that they need. Changes nothing. */
  validate(environmentId: string, options?: CallOptions): Promise<Preflight>;
}

/** What the control plane keeps about runs of recipes. */
export interface RecipeCalls {
  /** The log of the last run for a resource, which may be gone. @throws ClientError with `isNotFound` when none has run */
  lastLog(resourceId: string, options?: CallOptions): Promise<RecipeLog>;
  /** What recipes have created and no resource owns. */
  orphans(options?: CallOptions): Promise<RecipeOrphan[]>;
  /** What an air-gapped organisation has to mirror for the recipes of an environment. Nothing is applied. */
  mirrorList(environmentId: string, options?: MirrorListOptions): Promise<MirrorList>;
}

export interface MirrorListOptions extends CallOptions {
  /** `linux_amd64`; that of the control plane when there are none. */
  readonly platforms?: readonly string[];
  readonly onRecipe?: (progress: WhatIfProgress) => void;
}

export interface Client {
  readonly endpoint: string;
  /** One request as it is: retried like the others, but nothing is waited for. */
  send(request: ApiRequest): Promise<WireResponse>;
  /** Any request as it is, and whatever is answered: no status is an error, and nothing is repeated or waited for. */
  exchange(request: RawRequest): Promise<HttpAnswer>;
  /** Waits for the operation that an answer announced, if it did. @throws ClientError with the operation's own error */
  waitForEnd(answer: AnnouncedOperation, options?: CallOptions): Promise<void>;
  /** Any path outside the API, such as `/version` or `/readyz`. */
  probe(path: string, options?: CallOptions): Promise<JsonValue | undefined>;
  /** A path outside the API whose answer is long, such as `/audit`, in pieces as they arrive. */
  stream(path: string, query?: Readonly<Record<string, string>>): AsyncIterable<string>;
  readonly planes: {
    list(type?: "radius" | "azure" | "aws"): Promise<ResourceBody[]>;
    get(type: string, name: string): Promise<ResourceBody>;
    put(type: string, name: string, body: JsonObject): Promise<ResourceBody>;
    delete(type: string, name: string): Promise<DeleteOutcome>;
  };
  /** Resource groups of the plane `radius/local`. */
  readonly groups: {
    list(): Promise<ResourceBody[]>;
    get(name: string): Promise<ResourceBody>;
    put(name: string, body?: JsonObject): Promise<ResourceBody>;
    delete(name: string): Promise<DeleteOutcome>;
    /** Id, name and type of everything in the group. */
    resources(name: string): Promise<ResourceBody[]>;
  };
  /** What the control plane can serve: providers with their types, versions and locations. */
  readonly providers: {
    summaries(): Promise<ProviderSummary[]>;
    /** The same with the etag of the list; `undefined` while it is still the one with the etag that is given. */
    summariesUnless(
      etag: string | undefined,
      options?: CallOptions,
    ): Promise<{ summaries: ProviderSummary[]; etag: string | undefined } | undefined>;
    summary(namespace: string): Promise<ProviderSummary>;
    get(namespace: string): Promise<ResourceBody>;
    put(namespace: string, body: JsonObject): Promise<ResourceBody>;
    delete(namespace: string): Promise<DeleteOutcome>;
    putType(namespace: string, type: string, properties: JsonObject): Promise<ResourceBody>;
    deleteType(namespace: string, type: string): Promise<DeleteOutcome>;
    putApiVersion(namespace: string, type: string, version: string, properties: JsonObject): Promise<ResourceBody>;
    /** With `replaces`, only if the location is still what was read: the one with that etag, or none. */
    putLocation(
      namespace: string,
      location: string,
      properties: JsonObject,
      replaces?: { readonly etag: string | undefined } | "nothing",
    ): Promise<ResourceBody>;
    /** `undefined` when there is no such location. */
    findLocation(
      namespace: string,
      location: string,
    ): Promise<{ resource: ResourceBody; etag: string | undefined } | undefined>;
  };
  readonly resources: ResourceCalls;
  readonly deployments: DeploymentCalls;
  readonly operations: {
    /** Reads an operation by its id or by the link that announced it. */
    get(link: string): Promise<OperationStatus>;
    /** Reads an operation of a resource. */
    ofResource(resourceId: string, operationId: string, options?: CallOptions): Promise<OperationStatus>;
    /**
     * What becomes of an operation, by its id or link, as it happens: the present state first, the outcome last. The
     * iteration goes on after outages of up to half a minute, and may end without the outcome when the control plane
     * stops to send events; it throws a ClientError when the control plane refuses or stays away.
     * @returns `undefined` when there are no events, because the control plane or a proxy does not let them through.
     */
    follow(link: string, options?: FollowCallOptions): Promise<AsyncIterable<OperationEvent> | undefined>;
  };
  readonly installer: InstallerCalls;
  readonly recipes: RecipeCalls;
  readonly sleep: Sleep;
}
