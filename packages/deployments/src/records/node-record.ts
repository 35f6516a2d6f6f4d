import { hash } from "node:crypto";
import { type ErrorDetail, type JsonObject, type JsonValue, objectMember } from "@rad/core";
import type { DocumentPut, Store, StoredDocument } from "@rad/store";
import { textMember, withProperties } from "../deployment-document.ts";
import type { ChangeKind } from "@rad/resources";
import { formatDuration } from "./iso-duration.ts";
import { operationType, recordPages, targetOf, timestampOf } from "./operation-records.ts";
import type { Timestamps } from "./timestamps.ts";

/** What a record is about. */
export interface RecordSubject {
  /** Of the node or the call; unique within the deployment. */
  readonly key: string;
  readonly operation: "Create" | "Read" | "Action" | "EvaluateDeploymentOutput";
  readonly id: string | undefined;
  readonly type: string;
  readonly name: string;
  readonly symbolicName: string | undefined;
}

/**
 * How far it is. A resource is `Running`
 * - without a status, when it is about to be sent to a target outside of the store: nobody knows whether it arrived;
 * - with a status and an error, when it was refused or failed and is going to be sent again;
 * - with a status only, when it was sent and has not ended.
 */
export interface RecordProgress {
  readonly state: "Running" | "Succeeded" | "Failed";
  readonly startedAt: Date;
  /** An HTTP status by name: what the target answered. */
  readonly statusCode?: string;
  /** The idempotency key that a target outside of the store gets. Left out, the record keeps the one it has. */
  readonly requestId?: string;
  /** The resource's own operation. */
  readonly tracking?: string | undefined;
  readonly change?: ChangeKind | undefined;
  readonly error?: ErrorDetail;
  /** Replaces the warnings that the record had so far; left out, it keeps them. */
  readonly warnings?: readonly string[];
}

/** What an earlier attempt of the same run left behind. */
export interface KnownRecord {
  readonly state: string;
  readonly statusCode: string | undefined;
  readonly requestId: string | undefined;
  readonly tracking: string | undefined;
  readonly change: ChangeKind | undefined;
  readonly error: ErrorDetail | undefined;
  readonly id: string | undefined;
  readonly timestamp: string;
}

/** Where the answer to a call is sealed, below its record. */
export const sealedResult = "/result";

const changeTypes = { create: "Create", modify: "Modify", none: "NoChange" } as const;
const changeKinds = new Map<string, ChangeKind>([
  ["Create", "create"],
  ["Modify", "modify"],
  ["NoChange", "none"],
]);

export interface RecordBookOptions {
  readonly deploymentId: string;
  /** Of the outermost deployment. */
  readonly operationId: string;
  readonly apiVersion: string;
  readonly timestamps: Timestamps;
  readonly now: () => Date;
}

/** The records of one deployment in one run. */
export class RecordBook {
  readonly #options: RecordBookOptions;
  readonly #known = new Map<string, KnownRecord>();
  /** By hashed key, of those that have any: they outlive the state in which they came up. */
  readonly #warnings = new Map<string, readonly string[]>();
  /** By hashed key, of those that were sent to a target outside of the store. */
  readonly #requestIds = new Map<string, string>();

  constructor(options: RecordBookOptions) {
    this.#options = options;
  }

  /** Reads what earlier attempts of this run did. */
  async load(store: Store): Promise<void> {
    for await (const page of recordPages(store, this.#options.deploymentId)) {
      page.forEach((record) => this.note(record));
    }
  }

  /** Remembers a record of an earlier attempt. @returns whether it belongs to this run at all. */
  note(record: StoredDocument): boolean {
    const isOurs = record.operationId === this.#options.operationId;
    if (isOurs) {
      const hashed = textMember(record.body, "operationId");
      const known = readRecord(record);
      this.#known.set(hashed, known);
      if (known.requestId !== undefined) {
        this.#requestIds.set(hashed, known.requestId);
      }
      this.#warn(hashed, warningsOf(record));
    }
    return isOurs;
  }

  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  known(key: string): KnownRecord | undefined {
    return this.isEmpty ? undefined : this.#known.get(this.#hash(key));
  }

  id(key: string): string {
    return this.#idOf(this.#hash(key));
  }

  /** The key under which a node was last sent to a target outside of the store, by whatever attempt. */
  requestId(key: string): string | undefined {
    return this.#requestIds.size === 0 ? undefined : this.#requestIds.get(this.#hash(key));
  }

  put(subject: RecordSubject, progress: RecordProgress, result?: JsonValue): DocumentPut {
    const { operationId, apiVersion, timestamps } = this.#options;
    const hashed = this.#hash(subject.key);
    this.#warn(hashed, progress.warnings);
    if (progress.requestId !== undefined) {
      this.#requestIds.set(hashed, progress.requestId);
    }
    const id = this.#idOf(hashed);
    return {
      kind: "put",
      input: {
        id,
        type: operationType,
        apiVersion,
        body: { id, operationId: hashed, properties: this.#properties(hashed, subject, progress) },
        secrets: result === undefined ? {} : { [sealedResult]: result },
        operationId,
      },
      // Only then do all records of a run have times in the order in which others get to see them.
      inTurn: (body) => withProperties(body, { timestamp: timestamps.next() }),
      expect: "any",
    };
  }

  #warn(hashed: string, warnings: readonly string[] | undefined): void {
    if (warnings?.length === 0) {
      this.#warnings.delete(hashed);
    } else if (warnings !== undefined) {
      this.#warnings.set(hashed, warnings);
    }
  }

  #properties(hashed: string, subject: RecordSubject, progress: RecordProgress): JsonObject {
    const { now } = this.#options;
    const { tracking, change, error, statusCode } = progress;
    const warnings = this.#warnings.get(hashed);
    const requestId = this.#requestIds.get(hashed);
    return {
      provisioningOperation: subject.operation,
      provisioningState: progress.state,
      timestamp: "", // follows when it is written
      duration: formatDuration(now().getTime() - progress.startedAt.getTime()),
      ...(tracking === undefined ? {} : { trackingId: tracking }),
      ...(requestId === undefined ? {} : { serviceRequestId: requestId }),
      ...(statusCode === undefined ? {} : { statusCode }),
      ...(error === undefined ? {} : { statusMessage: { error: errorToJson(error) } }),
      targetResource: {
        ...(subject.id === undefined ? {} : { id: subject.id }),
        resourceType: subject.type,
        resourceName: subject.name,
        ...(subject.symbolicName === undefined ? {} : { symbolicName: subject.symbolicName }),
      },
      ...(change === undefined ? {} : { changeType: changeTypes[change] }),
      ...(warnings === undefined ? {} : { warnings: [...warnings] }),
    };
  }

  #idOf(hashed: string): string {
    return `${this.#options.deploymentId}/operations/${hashed}`;
  }

  #hash(key: string): string {
    const { operationId, deploymentId } = this.#options;
    const digest = hash("sha256", `${operationId}/${deploymentId.toLowerCase()}/${key}`, "hex");
    return digest.slice(0, 16).toUpperCase();
  }
}

/** Whether nobody knows what became of a resource that was about to be sent. */
export function isInDoubt({ state, statusCode }: Pick<KnownRecord, "state" | "statusCode">): boolean {
  return state === "Running" && statusCode === undefined;
}

/** The same, or the resource was accepted and its provider has not told its id. */
export function isUnsettled(known: KnownRecord): boolean {
  const isNameless = known.state === "Running" && known.requestId !== undefined && known.id === undefined;
  return isInDoubt(known) || (isNameless && known.error === undefined);
}

export function errorToJson(error: ErrorDetail): JsonObject {
  return error as unknown as JsonObject;
}

function warningsOf({ body }: StoredDocument): string[] {
  const { warnings } = objectMember(body, "properties");
  return Array.isArray(warnings) ? warnings.filter((text) => typeof text === "string") : [];
}

export function readRecord(record: Pick<StoredDocument, "body">): KnownRecord {
  const properties = objectMember(record.body, "properties");
  const { error } = objectMember(properties, "statusMessage");
  return {
    state: textMember(properties, "provisioningState"),
    statusCode: textMember(properties, "statusCode") || undefined,
    requestId: textMember(properties, "serviceRequestId") || undefined,
    tracking: textMember(properties, "trackingId") || undefined,
    change: changeKinds.get(textMember(properties, "changeType")),
    error: error as unknown as ErrorDetail | undefined,
    id: targetOf(record).id || undefined,
    timestamp: timestampOf(record),
  };
}
