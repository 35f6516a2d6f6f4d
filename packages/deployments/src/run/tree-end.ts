import { type ErrorDetail, type JsonObject, objectMember } from "@rad/core";
import type { DocumentChange, Store, StoredDocument } from "@rad/store";
import { hasEnded, replaceBody, sealed, textMember, withProperties } from "../deployment-document.ts";
import { formatDuration, parseDuration } from "../records/iso-duration.ts";
import { errorToJson, isUnsettled, readRecord } from "../records/node-record.ts";
import { isDeployment, recordPages, recordsOfRun, targetOf, timestampOf } from "../records/operation-records.ts";
import { Timestamps } from "../records/timestamps.ts";
import { isListed, outputResourceList, outputResourcesIn } from "./opened-deployment.ts";

/** How the outermost deployment ended, for whatever had not ended by then. */
export interface TreeOutcome {
  readonly state: "Succeeded" | "Failed" | "Canceled";
  readonly error: ErrorDetail | undefined;
  readonly timestamp: string;
}

export interface TreeEnd {
  /** Changes of nested deployments and of records. */
  readonly also: readonly DocumentChange[];
  /** What the outermost deployment has made, in the order in which it was finished. */
  readonly outputResources: readonly string[];
  /** It is not known what became of some resource that was sent to a target outside of the store, or which it is. */
  readonly hasDoubts: boolean;
}

/**
 * What the end of an outermost deployment changes besides its own document: nested deployments are free again, what
 * was sealed for the run goes, and whatever was still under way has ended with it.
 */
export async function endTree(store: Store, id: string, operationId: string, outcome: TreeOutcome): Promise<TreeEnd> {
  const end = new TreeEnding(store, operationId, outcome);
  const outputResources = await end.visit(id);
  return { also: [...end.changes, ...end.endRunning()], outputResources, hasDoubts: end.hasDoubts };
}

/** Nodes and calls that have come to an end in a run, nested ones included. */
export async function countFinished(store: Store, id: string, operationId: string): Promise<number> {
  let count = 0;
  for await (const page of recordsOfRun(store, id, operationId)) {
    count += page.filter((record) => stateOfRecord(record) !== "Running").length;
  }
  return count;
}

interface Made {
  readonly timestamp: string;
  readonly ids: readonly string[];
}

class TreeEnding {
  readonly changes: DocumentChange[] = [];
  hasDoubts = false;
  readonly #store: Store;
  readonly #operationId: string;
  readonly #outcome: TreeOutcome;
  readonly #visited = new Set<string>();
  readonly #running: StoredDocument[] = [];
  readonly #timestamps: Timestamps;

  constructor(store: Store, operationId: string, outcome: TreeOutcome) {
    this.#store = store;
    this.#operationId = operationId;
    this.#outcome = outcome;
    this.#timestamps = new Timestamps({ now: () => new Date(outcome.timestamp) });
  }

  /** Resolves to the ids of what the deployment has made. */
  async visit(id: string): Promise<string[]> {
    this.#visited.add(id.toLowerCase());
    const made: Made[] = [];
    for await (const page of recordPages(this.#store, id)) {
      for (const record of page) {
        if (record.operationId === this.#operationId) {
          const timestamp = timestampOf(record);
          this.#timestamps.startAfter(timestamp);
          made.push({ timestamp, ids: await this.#visitRecord(record) });
        }
      }
    }
    made.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
    return made.flatMap(({ ids }) => ids);
  }

  /** After everything was visited, since the end of a record is its latest change of all. */
  endRunning(): DocumentChange[] {
    return this.#running.map((record) => replaceRecord(record, withProperties(record.body, this.#endOfRecord(record))));
  }

  async #visitRecord(record: StoredDocument): Promise<readonly string[]> {
    const operation = objectMember(record.body, "properties")["provisioningOperation"];
    const state = stateOfRecord(record);
    if (state === "Running") {
      this.#running.push(record);
    } else if (operation === "Read" || operation === "Action") {
      this.changes.push(replaceRecord(record, record.body));
    }
    this.hasDoubts ||= isUnsettled(readRecord(record));
    const { id, type } = targetOf(record);
    if (operation === "Create" && isDeployment(type)) {
      return await this.#visitNested(id);
    }
    return operation === "Create" && state === "Succeeded" && isListed(id) ? [id] : [];
  }

  async #visitNested(id: string): Promise<readonly string[]> {
    const document = this.#visited.has(id.toLowerCase()) ? undefined : await this.#store.get(id);
    if (document === undefined || document.operationId !== this.#operationId) {
      return []; // it never began, or its name was used again in the same tree
    }
    const made = await this.visit(id);
    const isOver = hasEnded(document);
    const body = isOver ? document.body : withProperties(document.body, this.#endOfNested(document, made));
    const secrets = isOver && !hasSecureOutputs(document) ? "keep" : await this.#templateOf(id);
    this.changes.push({
      kind: "put",
      input: replaceBody(document, body, { secrets, operationId: undefined }),
      expect: "any",
    });
    return isOver ? outputResourcesIn(document.body) : made;
  }

  #endOfRecord(record: StoredDocument): JsonObject {
    const properties = objectMember(record.body, "properties");
    // Its time is that of its last change, and its duration the time from its start until then.
    const changedAt = new Date(timestampOf(record)).getTime();
    const startedAt = changedAt - (parseDuration(textMember(properties, "duration")) ?? 0);
    const error = this.#shortError();
    return {
      provisioningState: this.#state(),
      timestamp: this.#timestamps.next(),
      duration: this.#durationSince(startedAt),
      statusCode: "Conflict",
      ...(error === undefined ? {} : { statusMessage: { error } }),
    };
  }

  #endOfNested({ body }: StoredDocument, made: readonly string[]): JsonObject {
    const startedAt = new Date(textMember(objectMember(body, "properties"), "timestamp")).getTime();
    const error = this.#shortError();
    return {
      provisioningState: this.#state(),
      timestamp: this.#outcome.timestamp,
      duration: this.#durationSince(startedAt),
      outputResources: outputResourceList(made),
      ...(error === undefined ? {} : { error }),
    };
  }

  /** What was still under way when the outermost deployment ended has not succeeded. */
  #state(): "Failed" | "Canceled" {
    return this.#outcome.state === "Failed" ? "Failed" : "Canceled";
  }

  #shortError(): JsonObject | undefined {
    const { error } = this.#outcome;
    return error === undefined ? undefined : errorToJson({ code: error.code, message: error.message });
  }

  #durationSince(startedAt: number): string {
    return formatDuration(new Date(this.#outcome.timestamp).getTime() - startedAt);
  }

  async #templateOf(id: string): Promise<JsonObject> {
    const template = (await this.#store.secrets(id))[sealed.template];
    return template === undefined ? {} : { [sealed.template]: template };
  }
}

/** Drops the sealed answer of a call. */
function replaceRecord(record: StoredDocument, body: JsonObject): DocumentChange {
  const input = replaceBody(record, body, { secrets: {}, operationId: record.operationId });
  return { kind: "put", input, expect: "any" };
}

/** Told by type only; an output that is null looks the same and is rare. */
function hasSecureOutputs({ body }: StoredDocument): boolean {
  const outputs = Object.values(objectMember(objectMember(body, "properties"), "outputs"));
  return outputs.some((output) => objectMember({ output }, "output")["value"] === undefined);
}

function stateOfRecord(record: StoredDocument): string {
  return textMember(objectMember(record.body, "properties"), "provisioningState");
}
