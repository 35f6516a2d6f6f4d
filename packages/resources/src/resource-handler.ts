import type { JsonObject, JsonValue, Logger, ResourceId } from "@rad/core";
import type { StepOptions, StepWork } from "@rad/operations";
import type { Problem } from "@rad/resource-types";
import type { DocumentPut, Guard, StoredDocument, Write } from "@rad/store";
import type { Caller } from "./caller.ts";
import type { ChangeKind, NestedPreview } from "./change.ts";
import type { DeploymentRunner } from "./deployment-runner.ts";
import type { Requester } from "./requester.ts";
import type { Permissions, ResourceAccess, ResourceEditor, ResourceReader } from "./resource-access.ts";
import type { TypeDirectory } from "./types/served-type.ts";

/** Sealed values by the JSON pointer (RFC 6901) of the member they belong to. */
export type SealedValues = Readonly<Record<string, JsonValue>>;

/**
 * Code behind a resource type; every member is optional. A type without any is stored and has succeeded.
 *
 * `put`, `delete` and `operations` run inside the request for synchronous types, and as an operation for asynchronous
 * ones. There an attempt may be repeated, after a crash or a pause, so doing a thing twice must do no harm. What an error
 * does is said by its type: an `ApiError` ends the operation as `Failed`, unless it is `transient`; every other error is
 * tried again with back-off until the attempts are used up.
 */
export interface ResourceHandler {
  /** What the schema cannot say about values. Reported together with what the schema finds, so it takes any JSON. */
  problems?(request: Pick<ValidateRequest, "apiVersion" | "properties">): readonly Problem[];
  /**
   * The ids of resources that this one refers to, for synchronous types: they must exist when it is written, and stay
   * until it refers to them no more. The types that it names have `isReferenced`.
   */
  references?(resource: Referring): readonly string[];
  /** Shows in `referencedBy` who refers to the resource, and refuses its DELETE meanwhile. For synchronous types. */
  readonly isReferenced?: boolean;
  /**
   * Whether a sealed value stays where a PUT has the `null` that a GET shows for it; the PUT is refused if not. For types
   * that clients read, change and write back. Without it, `null` removes the value.
   */
  keepsSealed?(place: SealedPlace): boolean;
  /** Checks beyond the schema, before anything is stored. @throws ApiError to refuse the request. */
  validate?(request: ValidateRequest): Promise<Validated | void> | Validated | void;
  /**
   * What everybody who reads or writes such a resource is told, for as long as it is like that: in answers to GET, PUT and
   * PATCH, in the records of deployments, and in the log when it is written. Never a value that may be a secret.
   */
  warnings?(resource: Pick<Referring, "properties">): readonly string[];
  /**
   * Whether `put` or `delete` has nothing to do for a resource, for asynchronous types: then it is not called, and that an
   * attempt was made is not stored. Changes nothing; where it cannot tell, the answer is `false`.
   */
  isIdle?(kind: "put" | "delete", resource: StoredResource): boolean | Promise<boolean>;
  /** Brings the world in line with `properties`. */
  put?(context: HandlerContext): Promise<HandlerResult>;
  /**
   * Removes what `put` made, also where that failed half-way. The document goes when it is done; with properties it
   * stays and takes those, which asynchronous types may do whose resources exist without anybody's request.
   */
  delete?(context: HandlerContext): Promise<HandlerResult>;
  /** Refuses a DELETE before it is accepted, and names what must still hold when the document goes. */
  guardDelete?(request: GuardDeleteRequest): Promise<readonly Guard[]>;
  /**
   * Documents that go in the transaction of a DELETE, for synchronous types. The DELETE fails with `Conflict` when
   * anything else comes to lie below the resource meanwhile. @throws ApiError to refuse the DELETE.
   */
  takeAlong?(request: TakeAlongRequest): Promise<TakenAlong>;
  /**
   * What `put` would change outside of the store, such as objects of a cluster. Changes nothing.
   * @throws ApiError where `put` would fail.
   */
  preview?(context: PreviewContext): Promise<NestedPreview>;
  /** Operations of other kinds than `put` and `delete`, by kind. */
  readonly operations?: Readonly<Record<string, (context: HandlerContext) => Promise<HandlerResult>>>;
  /** `POST {resource}/{name}`; names are matched ignoring case. */
  readonly actions?: Readonly<Record<string, ResourceAction>>;
}

/** How an attempt ends without an error; nothing at all means done, with the properties as they are. */
export type HandlerResult = Done | Pause | void;

export interface Done {
  readonly kind: "done";
  /**
   * The properties to store. What the schema marks as sensitive is sealed; a sensitive member that is `null` keeps the
   * value it has. `status` may be left out, then what was saved stays.
   */
  readonly properties: JsonObject;
  /** Further values to seal, by pointer below the resource: `/properties/hosts/0/key`. */
  readonly secrets?: SealedValues;
}

/**
 * Ends the attempt and gives the worker's slot back; a later attempt goes on with what was saved. Not for synchronous
 * types. `waiting`: until all these operations have ended, however they ended.
 */
export type Pause =
  | { readonly kind: "again"; readonly afterMs: number }
  | { readonly kind: "waiting"; readonly for: readonly string[] };

/** A resource as it is requested, or as it is stored. */
export interface Referring {
  readonly id: ResourceId;
  readonly apiVersion: string;
  readonly properties: JsonObject;
}

export interface SealedPlace {
  /** Below the properties. */
  readonly path: readonly string[];
  /** The properties as they are stored, and as the request has them. */
  readonly before: JsonObject;
  readonly after: JsonObject;
}

export interface ValidateRequest {
  readonly id: ResourceId;
  readonly apiVersion: string;
  readonly properties: JsonObject;
  readonly current: StoredDocument | undefined;
  /** Reads on the server's own behalf. */
  readonly resources: ResourceReader;
  /** Whoever refers to something must be allowed to read it. @throws ApiError `Forbidden` */
  requireRead(id: string): void;
}

/** What validation changes about the request. */
export interface Validated {
  readonly properties?: JsonObject;
  /** Values to seal, by pointer. What `properties` have there is shown in their place. */
  readonly secrets?: SealedValues;
  /** Conditions that must hold when the document is written. */
  readonly guards?: readonly Guard[];
  /** Documents that are written in the same transaction, such as the claim of a name that only one resource may have. */
  readonly also?: readonly DocumentPut[];
  /** For the caller, who gets what they asked for; never a value that may be a secret. */
  readonly warnings?: readonly string[];
}

export interface GuardDeleteRequest {
  readonly document: StoredDocument;
  /** Reads on the server's own behalf. */
  readonly resources: ResourceReader;
}

export interface TakeAlongRequest extends GuardDeleteRequest {
  readonly caller: Caller;
  readonly permissions: Permissions;
  readonly types: TypeDirectory;
  /** Removes what is too much for one transaction, before it. */
  readonly write: (change: Pick<Write, "also">) => Promise<unknown>;
}

type Taken = Pick<StoredDocument, "id" | "type" | "etag">;

export interface TakenAlong {
  /** Resources, each of which has its audit records. */
  readonly resources: readonly Taken[];
  /** What is only about them, such as their history. */
  readonly records: readonly Taken[];
  /** Further conditions that must hold when all of it goes. */
  readonly guards?: readonly Guard[];
}

/** A resource as its handler sees it. */
export interface StoredResource {
  readonly id: ResourceId;
  readonly apiVersion: string;
  /** As stored, sensitive members `null`; without `status` and `provisioningState`. */
  readonly properties: JsonObject;
  /** What earlier attempts and operations saved; sealed members `null`. */
  readonly status: JsonObject;
  /** Other resources and their secrets. */
  readonly resources: ResourceAccess;
}

export interface HandlerContext extends StoredResource {
  /** The sealed values of the resource in clear. They are hidden from logs and errors until the work ends. */
  secrets(): Promise<SealedValues>;
  /** On whose behalf this runs, with what belongs to their request. */
  readonly requester: Requester;
  readonly resources: ResourceEditor;
  /** Deploys templates on behalf of the requester. */
  readonly deployments: DeploymentRunner;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The resource has to go even if what it made cannot be deleted: a DELETE with `force=true`. */
  readonly isForced: boolean;
  /** When the first attempt began; for synchronous types, when the request was handled. */
  readonly startedAt: Date;
  /**
   * Gives the worker's slot to other operations while `work` waits for something outside, and goes on when one is free
   * again. For waits that end by themselves; longer ones end the attempt with a `Pause`. Just runs `work` for
   * synchronous types.
   */
  withoutSlot<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` as a named step; an asynchronous operation's status shows it to all who may read the resource. */
  step<T>(name: string, work: StepWork<T>, options?: StepOptions): Promise<T>;
  /**
   * Stores half-done work as the resource's `status`: later attempts, the next PUT, a failure and a DELETE see it.
   * `secrets` are sealed, by pointer below the status: `/admin/password`; so is what the schema marks there. Both are
   * hidden from logs and errors until the work ends. `properties` are further members that only the server sets.
   * @throws StoreError `LeaseLost` once another worker has taken the operation over.
   */
  save(status: JsonObject, secrets?: SealedValues, properties?: JsonObject): Promise<void>;
  /** Writes other documents on behalf of this work: refused once another worker has taken the operation over. */
  write(change: Pick<Write, "also" | "guards">): Promise<void>;
}

type WorkOfOperations =
  | "isForced"
  | "step"
  | "save"
  | "write"
  | "resources"
  | "deployments"
  | "startedAt"
  | "withoutSlot";

/** What a preview of a PUT gets: the resource as it would be stored, and the world as it would be by then. */
export interface PreviewContext extends Omit<HandlerContext, WorkOfOperations> {
  readonly resources: ResourceAccess;
  /** Tells whether another resource is not yet as `resources` shows it, but will be when the PUT is sent. */
  isExpected(id: string): boolean;
  readonly change: ChangeKind;
  /** JSON pointers into the resource: values that are known only when the PUT is sent. What is in their place is not it. */
  readonly unknown: readonly string[];
}

export interface ActionContext extends Omit<HandlerContext, WorkOfOperations> {
  readonly resources: ResourceAccess;
  readonly body: JsonValue | undefined;
}

export type ResourceAction = (context: ActionContext) => Promise<JsonValue>;
