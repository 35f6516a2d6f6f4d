import { instancesOf } from "../documents/conditions.ts";
import { typeDepth } from "../documents/document.ts";
import { keysBelow, toKey } from "../documents/keys.ts";
import { completePut, type PreparedChange, type PreparedPut } from "../documents/prepared-put.ts";
import { boundedMs } from "../operations/parking.ts";
import { supersededError } from "../operations/operation-row.ts";
import type { AuditRecord, Expectation, Guard, NewOperation, Park, Write } from "../store.ts";

/** A write in the form that `radius_write` reads; members that are `undefined` are left out. */
export interface WriteItem {
  readonly lease?: Write["lease"];
  readonly stop?: { readonly id: string; readonly reason: string };
  readonly supersede?: string | undefined;
  readonly superseded?: string | undefined;
  readonly cancel?: Write["cancel"];
  readonly changes?: readonly ChangeItem[];
  readonly guards?: readonly (ExistsItem | object)[] | undefined;
  /** Nothing new has been stored under the lease so far. */
  readonly isFirst?: true | undefined;
  readonly operation?: OperationItem | undefined;
  readonly outcome?: OutcomeItem | undefined;
  readonly park?: object | undefined;
  readonly audit?: readonly AuditItem[] | undefined;
}

export interface ExistsItem {
  readonly exists: string;
  readonly etag: string | undefined;
}

/** An operation to accept. */
export interface OperationItem extends Omit<NewOperation, "input" | "identity"> {
  readonly resourceKey: string;
  readonly input: string | undefined;
  readonly identity: string | undefined;
}

interface OutcomeItem {
  readonly state: string;
  readonly error: string | undefined;
}

/** The outcome of the operation that a lease is for. */
export type EndingItem = NonNullable<WriteItem["lease"]> & OutcomeItem;

export type ChangeItem = PutItem | RemoveItem;

interface RemoveItem {
  readonly remove: true;
  readonly key: string;
  readonly expect: string | undefined;
}

export interface PutItem {
  readonly key: string;
  readonly id: string;
  readonly typeKey: string;
  readonly type: string;
  readonly depth: number;
  readonly apiVersion: string;
  readonly operationId: string | undefined;
  readonly body: string;
  readonly keep: true | undefined;
  readonly sealed: string | null | undefined;
  readonly keyId: string | null | undefined;
  /** Absent where it depends on what is stored. */
  readonly etag: string | undefined;
  /** The version with indentation that `etag` was worked out for. */
  readonly over: string | undefined;
  /** Absent for anything at all, empty for no document. */
  readonly expect: string | undefined;
}

/** What became known of a document that was stored with indentation. */
export interface Reprint {
  readonly over: string;
  readonly etag: string | undefined;
}

export function changeItem(change: PreparedChange, reprint?: Reprint): ChangeItem {
  const key = toKey(change.id);
  const expect = expectItem(change.expect);
  if (change.kind === "remove") {
    return { remove: true, key, expect };
  }
  const put = completePut(change.put);
  const { input, body, sealed } = put;
  return {
    key,
    id: input.id,
    typeKey: input.type.toLowerCase(),
    type: input.type,
    depth: typeDepth(input.type),
    apiVersion: input.apiVersion,
    operationId: input.operationId,
    body,
    ...sealedItem(sealed),
    etag: reprint === undefined ? put.etag : reprint.etag,
    over: reprint?.over,
    expect,
  };
}

function sealedItem(sealed: PreparedPut["sealed"]): Pick<PutItem, "keep" | "sealed" | "keyId"> {
  return sealed === "keep"
    ? { keep: true, sealed: undefined, keyId: undefined }
    : { keep: undefined, sealed: sealed.text, keyId: sealed.keyId };
}

function expectItem(expect: Expectation): string | undefined {
  switch (expect) {
    case "any":
      return undefined;
    case "absent":
      return "";
    default:
      return expect.etag;
  }
}

/** The parts of a write that are the same however often it is tried. */
export function fixedParts(write: Write): WriteItem {
  const { lease, supersede, cancel, guards, operation, outcome, park } = write;
  return {
    lease,
    supersede,
    superseded: supersede === undefined ? undefined : JSON.stringify(supersededError),
    cancel,
    guards: guards?.map(guardItem),
    operation: operation && operationItem(operation),
    outcome: outcome && {
      state: outcome.state,
      error: outcome.error === undefined ? undefined : JSON.stringify(outcome.error),
    },
    park: park && parkItem(park),
  };
}

function guardItem(guard: Guard): ExistsItem | object {
  switch (guard.kind) {
    case "exists":
      return { exists: toKey(guard.id), etag: guard.etag };
    case "empty":
      return { empty: toKey(guard.under), ...keysBelow(guard.under), except: (guard.except ?? []).map(toKey) };
    case "noInstances": {
      const { keys, firstType, lastType } = instancesOf(guard);
      return { ...keys, firstType, lastType };
    }
    default:
      return guard satisfies never;
  }
}

function operationItem({ input, identity, ...operation }: NewOperation): OperationItem {
  return {
    ...operation,
    resourceKey: toKey(operation.resourceId),
    input: input === undefined ? undefined : JSON.stringify(input),
    identity: identity === undefined ? undefined : JSON.stringify(identity),
  };
}

function parkItem(park: Park): object {
  return park.kind === "again" ? { kind: park.kind, afterMs: boundedMs(park.afterMs) } : park;
}

export type AuditItem = AuditRecord & {
  /** How long an intent stays open without a word from this process. */
  readonly leaseMs: number | undefined;
};

export function auditItem(record: AuditRecord, leaseMs: number): AuditItem {
  const { caller, action, target, apiVersion, correlationId, intentId } = record;
  return {
    ...record,
    caller: storable(caller),
    action: storable(action),
    target: storable(target),
    apiVersion: storable(apiVersion),
    correlationId: storable(correlationId),
    leaseMs: intentId === undefined ? undefined : leaseMs,
  };
}

/** PostgreSQL knows no text with a zero or half a character in it, and one caller must not keep the others off the record. */
function storable(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed();
}
