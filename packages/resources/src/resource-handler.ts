import type { JsonObject, JsonValue, Logger, ResourceId } from "@rad/core";
import type { Guard, Store, StoredDocument, Write } from "@rad/store";

/**
 * Code behind a resource type; every member is optional. A type without any is stored and has succeeded.
 * `put` and `delete` run inside the request for synchronous types and on a worker for asynchronous ones; there they
 * may run again after a crash, so doing it twice must do no harm.
 */
export interface ResourceHandler {
  /** Checks beyond the schema, before anything is stored. @throws ApiError to refuse the request. */
  validate?(request: ValidateRequest): Promise<Validated | void> | Validated | void;
  /** Brings the world in line with `properties`; resolves to the properties to store, if they change. */
  put?(context: HandlerContext): Promise<JsonObject | void>;
  /** Removes what `put` made. The document goes when it resolves. */
  delete?(context: HandlerContext): Promise<void>;
  /** Refuses a DELETE before it is accepted, and names what must still hold when the document goes. */
  guardDelete?(context: { readonly document: StoredDocument; readonly store: Store }): Promise<readonly Guard[]>;
  /** `POST {resource}/{name}`; names are matched ignoring case. */
  readonly actions?: Readonly<Record<string, ResourceAction>>;
}

export interface ValidateRequest {
  readonly id: ResourceId;
  readonly apiVersion: string;
  readonly properties: JsonObject;
  readonly current: StoredDocument | undefined;
  readonly store: Store;
}

/** What validation changes about the request. */
export interface Validated {
  readonly properties?: JsonObject;
  /** Conditions that must hold when the document is written. */
  readonly guards?: readonly Guard[];
}

export interface HandlerContext {
  readonly id: ResourceId;
  readonly apiVersion: string;
  /** As stored, sensitive members `null`. */
  readonly properties: JsonObject;
  /** The sensitive members by JSON pointer, in clear. They are hidden from logs and errors until the work ends. */
  secrets(): Promise<Readonly<Record<string, JsonValue>>>;
  readonly store: Store;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Runs `work` as a named step; an asynchronous operation's status shows it. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Writes to the store on behalf of this work: refused once another worker has taken the operation over. */
  write(change: Pick<Write, "document" | "also" | "guards">): Promise<void>;
}

export interface ActionContext extends Omit<HandlerContext, "step" | "write"> {
  readonly body: JsonValue | undefined;
}

export type ResourceAction = (context: ActionContext) => Promise<JsonValue>;
